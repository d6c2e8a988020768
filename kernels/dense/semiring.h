/* The semirings over which matrices are multiplied and closed, and the bounds of the working form of integers, in which sums
 * need no test for "no path". Used by rows on both processors, once for each W.
 *
 *   semiring     sum   product   no path                      result for paths
 *   MIN_PLUS     min   a + b     the greatest integer, +inf   the least weight
 *   MAX_PLUS     max   a + b     the least integer, -inf      the greatest weight
 *   MAX_MIN      max   min       the least integer, -inf      the greatest width
 *   PLUS_TIMES   +     a * b     0                            (the number of paths)
 *
 * In the working form of integers "no path" is +-FAR. The absolute value of all other elements is below MOST; then a sum of
 * two of them stays below EDGE, a sum with FAR does not, and no sum wraps. Each element is checked once when it is stored: if
 * it is not below MOST, the overflow flag is set. So a result is either right or flagged. */
#ifndef DENSE_SEMIRING_H
#define DENSE_SEMIRING_H

#include "language/kernel.h"

enum { MIN_PLUS, MAX_PLUS, MAX_MIN, PLUS_TIMES, SEMIRINGS };

#define FAR_i16 0x3fff
#define EDGE_i16 10922
#define MOST_i16 5461
#define FAR_i32 0x3fffffff
#define EDGE_i32 0x20000000
#define MOST_i32 0x10000000
#define FAR_i64 0x3fffffffffffffff
#define EDGE_i64 0x2000000000000000
#define MOST_i64 0x1000000000000000

#endif
