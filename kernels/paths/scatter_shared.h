/* The scattering kernel for k sources of Okuyama 2013, figure 3.9: a block takes `together` vertices (B in the figure, at
 * most 32) in the problems of 32 sources and copies their edges into shared memory, where the threads of all problems read them.
 *
 * paper errs: 004, figure 3.7, line 13: as in figure 3.3, the minimum is taken with the cost c of the neighbour instead of u.
 *
 * paper errs: 004, figure 3.9, line 12: `from` and `to` have N elements, but their index v runs up to B - 1.
 *
 * paper errs: 004, figure 3.9, line 17: only the first N edges of a vertex are copied, and line 23 reads beyond them; here the
 * rows are copied 32 edges at a time.
 *
 * Lines 7 to 10 and 18 to 25 rely on the threads of a warp running in lockstep (section 3.4.2), which GPUs no longer do; here a
 * barrier follows each copy. The minimum of line 25 must be atomic, as section 3.3.2 says. */
#include "paths/paths.h"

#define SCATTER_SHARED_ARGS(A, W)                                                                           \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                     \
  A(VALUE, u32, k, "1") A(INOUT, u32, mask, "n*k") A(IN, W, cost, "n*k") A(INOUT, W, updated, "n*k") A(INOUT, u32, overflow, "1") \
  A(VALUE, u32, together, "1", of_a_tile, "1") A(VALUE, u32, rows, "1", upto, "n") A(VALUE, u32, columns, "1", tiles, "k") \
  A(COUNT, u32, frontier, "1") A(COUNT, u32, relaxed, "1")
ARGS(scatter_shared, SCATTER_SHARED_ARGS)

TILE_BODY(scatter_shared) {
  (void)push;
  TILE_ARRAY(u32, ms);
  TILE_ARRAY(u32, es);
  TILE_ARRAY(W, ws);
  const u32 k = a->k, u0 = tile / a->columns * a->together, s0 = tile % a->columns * TILE;
  const u32 here = u0 >= a->n ? 0 : a->n - u0 < a->together ? a->n - u0 : a->together; /* vertices */
  EACH(i, j) ms[i][j] = i < here && s0 + j < k && a->mask[(u64)(u0 + i) * k + s0 + j];
  TILE_SYNC;
  u32 longest = 0; /* the highest degree of a vertex that is in the mask of any problem */
  for (u32 i = 0; i < here; i++) {
    u32 any = 0;
    for (u32 j = 0; j < TILE; j++) any |= ms[i][j];
    if (!any) continue;
    const u32 degree = a->off[u0 + i + 1] - a->off[u0 + i];
    if (degree > longest) longest = degree;
  }
  for (u32 from = 0; from < longest; from += TILE) {
    EACH(i, j) {
      if (i >= here || from + j >= a->off[u0 + i + 1] - a->off[u0 + i]) continue;
      const u32 e = a->off[u0 + i] + from + j;
      es[i][j] = a->to[e];
      ws[i][j] = a->w[e];
    }
    TILE_SYNC;
    EACH(i, j) {
      if (!ms[i][j]) continue;
      const W mine = a->cost[(u64)(u0 + i) * k + s0 + j];
      const u32 degree = a->off[u0 + i + 1] - a->off[u0 + i];
      if (mine == NO_PATH) continue;
      const u32 copied = from >= degree ? 0 : degree - from < TILE ? degree - from : TILE;
      count->relaxed += copied;
      for (u32 l = 0; l < copied; l++) {
        W *at = &a->updated[(u64)es[i][l] * k + s0 + j];
        const W reached = ONWARD(mine, ws[i][l], a->overflow);
        if (reached < load_relaxed(at)) atomic_min(at, reached);
      }
    }
    TILE_SYNC;
  }
  EACH(i, j) {
    if (!ms[i][j]) continue;
    a->mask[(u64)(u0 + i) * k + s0 + j] = 0;
    count->frontier++;
  }
  TILE_SYNC;
}
