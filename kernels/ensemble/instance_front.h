/* Lists the instances that continue, one list per method. */
#include "ensemble/ensemble.h"
#include "language/kernel.h"

#define INSTANCE_FRONT_ARGS(A, W)                                                                           \
  A(IN, u32, way, "instances") A(QOUT, u32, front, "instances+1", vertex_queue, "instances")                \
  A(QOUT, u32, stiff, "instances+1", vertex_queue, "instances") A(COUNT, u32, plain, "1") A(COUNT, u32, by_rodas, "1")
ARGS(instance_front, INSTANCE_FRONT_ARGS)

VERTEX_BODY(instance_front) {
  const u32 way = a->way[v];
  if (way == ENSEMBLE_PLAIN) {
    PUSH(front, v);
    count->plain++;
  } else if (way == ENSEMBLE_STIFF) {
    PUSH(stiff, v);
    count->by_rodas++;
  }
}
