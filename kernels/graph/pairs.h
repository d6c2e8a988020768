/* Shared by the rows that check triangle counts. Vertices are renumbered by an order, in which those of few neighbours come first. Each pair
 * of adjacent vertices has two keys, u * 2^32 + v and v * 2^32 + u, where u and v are their places in the order; all keys are in
 * ascending order. The keys with the same u are u's row. Its upper part are those with v > u: few, even for a vertex of many
 * neighbours, because these come last. */
#ifndef LS_GRAPH_PAIRS_H
#define LS_GRAPH_PAIRS_H

#include "language/kernel.h"

#define PAIR_OF(u, v) ((u64)(u) << 32 | (v))
#define NO_PAIR (~(u64)0) /* the keys of a self loop */

/* Advances i to the first key that is at least `wanted`, or to `past` if there is none: by steps that double, then by binary search, so
 * that a near key takes few steps. A macro, because in checked variants arrays are not pointers. */
#define SEEK_PAIR(a, i, past, wanted)                                                                       \
  for (u32 end_ = (past), low_ = (i), step_ = 1, once_ = 1; once_; once_ = 0) {                                        \
    for (; (i) < end_ && (a)->key[i] < (wanted); step_ *= 2) {                                              \
      low_ = (i) + 1;                                                                                       \
      (i) = end_ - (i) > step_ ? (i) + step_ : end_;                                                        \
    }                                                                                                       \
    end_ = (i);                                                                                             \
    for ((i) = low_; (i) < end_;) {                                                                         \
      const u32 middle_ = (i) + (end_ - (i)) / 2;                                                           \
      if ((a)->key[middle_] < (wanted))                                                                     \
        (i) = middle_ + 1;                                                                                  \
      else                                                                                                  \
        end_ = middle_;                                                                                     \
    }                                                                                                       \
  }

#endif
