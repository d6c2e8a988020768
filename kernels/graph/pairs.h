/* What the rows of the proof of triangles share: keys of joined vertices, low * 2^32 + high in both orders, ascending. */
#ifndef LS_GRAPH_PAIRS_H
#define LS_GRAPH_PAIRS_H

#include "language/kernel.h"

#define PAIR_OF(u, v) ((u64)(u) << 32 | (v))
#define NO_PAIR (~(u64)0) /* the keys of a self loop */

/* Moves i, from i on up to `past`, to the first key that is at least `wanted`, by steps that double and then by halves: few steps if it is
 * near. A macro, because in checked forms arrays are no pointers. */
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
