/* Part of ExtractMin of Pogorilyy and Slynko 2016: the least distance of the unsettled vertices, which becomes the threshold. */
#include "paths/paths.h"

#define LEAST_UNSETTLED_ARGS(A, W)                                                                          \
  A(QIN, u32, rest, "n+1", vertex_queue, "n") A(IN, W, dist, "n") A(INOUT, W, least, "1")                   \
  A(COUNT, u32, reached, "1")
ARGS(least_unsettled, LEAST_UNSETTLED_ARGS)

QUEUE_BODY(least_unsettled) {
  (void)push;
  const W mine = a->dist[(u32)item];
  if (mine == NO_PATH) return;
  count->reached++;
  LOWER(a->least, mine);
}
