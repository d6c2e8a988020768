/* Johnson 1977: the distance from s to v in the original weights is the distance in the shifted weights plus h[v] - h[s]. */
#include "paths/paths.h"

#define SHIFT_BACK_ARGS(A, W)                                                                               \
  A(INOUT, W, dist, "n") A(IN, W, potential, "n") A(VALUE, u32, source, "1", vertex, "n") A(INOUT, u32, overflow, "1")
ARGS(shift_back, SHIFT_BACK_ARGS)

VERTEX_BODY(shift_back) {
  (void)push, (void)count;
  if (a->dist[v] == NO_PATH) return;
  a->dist[v] = BACK(ONWARD(a->dist[v], a->potential[v], a->overflow), a->potential[a->source], a->overflow);
}
