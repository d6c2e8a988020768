/* What the rows of Boolean matrices share: words of 64 bits. */
#ifndef BOOLEAN_H
#define BOOLEAN_H

#include "language/kernel.h"

/* A choice among 64 rows of words is a word itself. A sum of the chosen rows loads the first row for each that is not chosen:
 * no load depends on another then, so that all 64 are under way together. */
LS_INLINE bool has_bit(u64 word, u32 at) { return word >> at & 1; }
LS_INLINE u64 all_or_none(u64 word, u32 at) { return 0 - (word >> at & 1); }
/* The same by a word of 32 bits: half as many instructions. */
LS_INLINE u64 all_or_none_of_32(u32 word, u32 at) {
  const u32 all = (u32)((i32)(word << (31 - at)) >> 31);
  return (u64)all << 32 | all;
}

/* A part of a matrix has `across` words of each row, from word `from` on. The place of word k in it; of one that it has not: any. */
LS_INLINE u32 word_in_part(u32 k, u32 from, u32 across) { return k - from < across ? k - from : 0; }

#endif
