/* Lists the vertices whose level fell after they were expanded last, or that were never expanded. */
#include "paths/paths.h"

#define VISIT_AGAIN_ARGS(A, W)                                                                              \
  A(IN, u32, level, "n") A(IN, u32, expanded, "n") A(QOUT, u32, front, "k", vertex_queue, "n")              \
  A(COUNT, u32, listed, "1") A(LOST, u32, lost, "1")
ARGS(visit_again, VISIT_AGAIN_ARGS)

VERTEX_BODY(visit_again) {
  if (a->level[v] >= a->expanded[v]) return;
  count->listed++;
  PUSH(front, v);
}
