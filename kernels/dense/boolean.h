/* What the rows of Boolean matrices share: rows of words of 64 bits. */
#ifndef BOOLEAN_H
#define BOOLEAN_H

#include "language/kernel.h"

/* Takes the lowest 1 away and returns its place; where none is left, `otherwise`. Four at a time make four loads that do not
 * wait for each other: a row that is taken twice changes nothing. */
LS_INLINE u32 take_bit(u64 *left, u32 otherwise) {
  if (!*left) return otherwise;
  const u32 at = LOWEST_BIT(*left);
  *left &= *left - 1;
  return at;
}

#endif
