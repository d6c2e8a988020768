/* Semirings over which matrices are multiplied and closed: for integers a working form in which an element needs no test
 * for "no path", and sums that are checked. Used by rows on both processors, once for each W.
 *
 *   semiring     sum   product   no path                      of a path
 *   MIN_PLUS     min   a + b     the greatest integer, +inf   the least weight
 *   MAX_PLUS     max   a + b     the least integer, -inf      the greatest weight
 *   MAX_MIN      max   min       the least integer, -inf      the greatest width
 *   PLUS_TIMES   +     a * b     0                            (how many there are)
 *
 * In the working form of integers "no path" is +-FAR. Elements stay below MOST: then a sum of two elements stays below
 * EDGE, a sum with one that is FAR does not, and none wraps. Whatever is stored is looked at once: what is not below
 * MOST sets the overflow flag. So a run is right, or it says that it may not be. */
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
