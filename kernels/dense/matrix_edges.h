/* The matrix of a graph's edges, a vertex a thread: its row. Rows and columns stand at the places of their vertices. */
#include "dense/dense.h"
#include "dense/plain.h"

#define MATRIX_EDGES_ARGS(A, W)                                                                             \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                     \
  A(IN, u32, place, "n", vertex, "n") A(INOUT, W, D, "n*n") A(INOUT, u32, overflow, "1")                    \
  A(VALUE, W, one, "1") A(VALUE, u32, semiring, "1", semiring, "1")
ARGS(matrix_edges, MATRIX_EDGES_ARGS)

VERTEX_BODY(matrix_edges) {
  (void)push, (void)count;
  LS_ARRAY(W) row = a->D + (u64)a->place[v] * a->n;
  row[a->place[v]] = a->one;
  for (u32 e = a->off[v]; e < a->off[v + 1]; e++) {
    LS_ARRAY(W) cell = row + a->place[a->to[e]];
    const W w = a->w[e], zero = a->semiring == MIN_PLUS ? PLAIN_GREATEST : a->semiring == PLUS_TIMES ? 0 : PLAIN_LEAST;
    if (a->semiring == PLUS_TIMES)
      *cell = PLAIN_MERGE(PLUS_TIMES, *cell, w, 1, a->overflow);
    else if (a->semiring == MIN_PLUS ? w < *cell : w > *cell)
      *cell = w + 0; /* not -0 */
    if (w == zero && a->semiring != PLUS_TIMES) raise_flag(a->overflow);
  }
}
