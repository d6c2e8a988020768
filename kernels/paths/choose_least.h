/* Part of ExtractMin of Pogorilyy and Slynko 2016: chooses the vertex of the lowest number among those at the least distance. */
#include "paths/paths.h"

#define CHOOSE_LEAST_ARGS(A, W)                                                                             \
  A(QIN, u32, rest, "n+1", vertex_queue, "n") A(IN, W, dist, "n") A(IN, W, least, "1")                      \
  A(INOUT, u32, chosen, "1") A(COUNT, u32, ties, "1")
ARGS(choose_least, CHOOSE_LEAST_ARGS)

QUEUE_BODY(choose_least) {
  (void)push;
  const u32 v = (u32)item;
  if (a->dist[v] == NO_PATH || a->dist[v] != *a->least) return;
  count->ties++;
  LOWER(a->chosen, v);
}
