/* Lists the vertices of the current bucket, which were far until now (or did not fit into the queue), and finds the least
 * distance beyond it. */
#include "paths/paths.h"

#define TAKE_BUCKET_ARGS(A, W)                                                                              \
  A(IN, W, dist, "n") A(IN, W, expanded, "n") A(IN, W, floor, "1") A(IN, W, bound, "1")     \
  A(INOUT, W, least, "1") A(QOUT, u32, front, "k", vertex_queue, "n") A(COUNT, u32, taken, "1") A(LOST, u32, lost, "1")
ARGS(take_bucket, TAKE_BUCKET_ARGS)

VERTEX_BODY(take_bucket) {
  const W mine = a->dist[v];
  if (mine < *a->floor || mine == NO_PATH) return;
  if (mine < *a->bound) {
    if (!(mine < a->expanded[v])) return;
    count->taken++;
    PUSH(front, v);
  } else {
    LOWER(a->least, mine);
  }
}
