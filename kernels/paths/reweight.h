/* Johnson 1977: with potentials h the weight w(u, v) becomes w + h[u] - h[v], which is not negative if the h are distances
 * from one vertex. With reals, rounding may make it slightly negative; then it is set to 0. */
#include "paths/paths.h"

#define REWEIGHT_ARGS(A, W)                                                                                 \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                    \
  A(IN, W, potential, "n") A(INOUT, W, shifted, "m") A(INOUT, u32, overflow, "1") A(COUNT, u32, negative, "1")
ARGS(reweight, REWEIGHT_ARGS)

SELECT(reweight) { return (void)a, (void)v, true; }

EDGES_BODY(reweight) {
  (void)push;
  const W w = BACK(ONWARD(a->w[e], a->potential[v], a->overflow), a->potential[a->to[e]], a->overflow);
  count->negative += w < 0;
  a->shifted[e] = w < 0 ? 0 : w;
}
