/* Helpers for the rows on Boolean matrices, which are stored in words of 64 bits. */
#ifndef BOOLEAN_H
#define BOOLEAN_H

#include "language/kernel.h"

/* A 64-bit word selects among 64 rows. To OR the selected rows without branches, all 64 are loaded (for an unselected one, the
 * first row instead) and masked by all_or_none: the loads are independent, so all 64 are in flight together. */
LS_INLINE bool has_bit(u64 word, u32 at) { return word >> at & 1; }
LS_INLINE u64 all_or_none(u64 word, u32 at) { return 0 - (word >> at & 1); }
/* The same for a 32-bit selector: half as many instructions. */
LS_INLINE u64 all_or_none_of_32(u32 word, u32 at) {
  const u32 all = (u32)((i32)(word << (31 - at)) >> 31);
  return (u64)all << 32 | all;
}

/* A part of a matrix holds `across` words of each row, from word `from` on. Returns the index of word k within
 * the part; if the part does not contain word k, returns 0, an arbitrary index inside it. */
LS_INLINE u32 word_in_part(u32 k, u32 from, u32 across) { return k - from < across ? k - from : 0; }

#endif
