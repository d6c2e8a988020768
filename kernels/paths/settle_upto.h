/* UPDATE_MASK of Pogorilyy and Slynko 2016: settles the vertices up to the threshold, which form the next mask. The
 * others go to the next queue, so the paper's mark -1 for vertices that have left the queue is not needed. In the
 * paper the queue Q always becomes empty: once only unreached vertices are left, the threshold is infinite and all of
 * them are settled. Here unreached vertices stay in the queue, and the loop ends when no vertex in the queue has a
 * distance. */
#include "paths/paths.h"

#define SETTLE_UPTO_ARGS(A, W)                                                                              \
  A(QIN, u32, rest, "n+1", vertex_queue, "n") A(IN, W, dist, "n") A(IN, W, least, "1")                      \
  A(INOUT, u32, mask, "n") A(QOUT, u32, rest_next, "n+1", vertex_queue, "n") A(COUNT, u32, settled, "1")
ARGS(settle_upto, SETTLE_UPTO_ARGS)

QUEUE_BODY(settle_upto) {
  const u32 v = (u32)item;
  const W mine = a->dist[v];
  if (mine == NO_PATH || mine > *a->least) {
    PUSH(rest_next, v);
  } else {
    a->mask[v] = 1;
    count->settled++;
  }
}
