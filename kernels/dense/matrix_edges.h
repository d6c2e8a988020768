/* Makes the matrix of a graph's edges, one thread per edge. The row and column of a vertex v are at index place[v]. */
#include "dense/dense.h"
#include "dense/plain.h"

#define MATRIX_EDGES_ARGS(A, W)                                                                             \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                     \
  A(IN, u32, place, "n", vertex, "n") A(INOUT, W, D, "n*n") A(INOUT, u32, overflow, "1")                    \
  A(VALUE, W, one, "1") A(VALUE, u32, semiring, "1", semiring, "1")
ARGS(matrix_edges, MATRIX_EDGES_ARGS)

/* In PLUS_TIMES parallel edges are summed, and a sum of reals depends on the order; so one thread handles all edges of a vertex. */
SELECT(matrix_edges) {
  LS_ARRAY(W) row = a->D + (u64)a->place[v] * a->n;
  row[a->place[v]] = a->one;
  if (a->semiring != PLUS_TIMES) return true;
  for (u32 e = a->off[v]; e < a->off[v + 1]; e++) {
    LS_ARRAY(W) cell = row + a->place[a->to[e]];
    *cell = PLAIN_MERGE(PLUS_TIMES, *cell, a->w[e], 1, a->overflow);
  }
  return false;
}

EDGES_BODY(matrix_edges) {
  (void)push, (void)count;
  const u64 at = (u64)a->place[v] * a->n + a->place[a->to[e]];
  const W w = a->w[e] + 0; /* turns -0 into 0 */
  if (a->semiring == MIN_PLUS)
    atomic_min(&a->D[at], w);
  else
    atomic_max(&a->D[at], w);
  if (w == (a->semiring == MIN_PLUS ? PLAIN_GREATEST : PLAIN_LEAST)) raise_flag(a->overflow);
}
