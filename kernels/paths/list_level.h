/* Lists the vertices of the current level that are in [first, past), the range of one process. */
#include "paths/paths.h"

#define LIST_LEVEL_ARGS(A, W)                                                                               \
  A(IN, u32, depth, "1") A(IN, u32, level, "n") A(QOUT, u32, front, "n+1", vertex_queue, "n") A(VALUE, u32, first, "1") \
  A(VALUE, u32, past, "1") A(COUNT, u32, grown, "1")
ARGS(list_level, LIST_LEVEL_ARGS)

VERTEX_BODY(list_level) {
  if (v < a->first || v >= a->past || a->level[v] != *a->depth) return;
  count->grown++;
  PUSH(front, v);
}
