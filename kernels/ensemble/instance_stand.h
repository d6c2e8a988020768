/* Initialises all instances with those initial values that are the same for all: one launch instead of two per variable. It also
 * lists the instances to step; as their number is known beforehand, no COUNT or queue has to be read back. */
#include "ensemble/ensemble.h"
#include "language/kernel.h"

#define INSTANCE_STAND_ARGS(A, W)                                                                           \
  A(IN, f64, first, "states+varied") A(IN, f64, stop, "1") A(OUT, f64, y, "states*instances")               \
  A(OUT, f64, p, "varied*instances") A(OUT, f64, t, "instances") A(OUT, f64, h, "instances")                \
  A(OUT, u32, doubt, "instances") A(OUT, u32, way, "instances")                                             \
  A(OUT, u32, front, "instances+1", vertex_queue, "instances") A(VALUE, u32, states, "1")                   \
  A(VALUE, u32, varied, "1") A(VALUE, u32, instances, "1") A(VALUE, u32, live, "1", upto, "instances") A(VALUE, u32, method, "1")
ARGS(instance_stand, INSTANCE_STAND_ARGS)

VERTEX_BODY(instance_stand) {
  UNUSED_BODY;
  const u64 instances = a->instances;
  for (u32 k = 0; k < a->states; k++) a->y[k * instances + v] = a->first[k];
  for (u32 k = 0; k < a->varied; k++) a->p[k * instances + v] = a->first[a->states + k];
  a->t[v] = a->stop[0];
  a->h[v] = 0;
  a->doubt[v] = 0;
  a->way[v] = v < a->live ? a->method : ENSEMBLE_FAILED;
  a->front[1 + v] = v;
  if (v == 0) a->front[0] = a->live;
}
