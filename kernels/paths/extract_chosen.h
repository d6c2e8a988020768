/* erase(Q, u) of Pogorilyy and Slynko 2016: the chosen vertex becomes the frontier, the others stay in the queue. */
#include "paths/paths.h"

#define EXTRACT_CHOSEN_ARGS(A, W)                                                                           \
  A(QIN, u32, rest, "n+1", vertex_queue, "n") A(IN, u32, chosen, "1")                                       \
  A(QOUT, u32, front, "2", vertex_queue, "n") A(QOUT, u32, rest_next, "n+1", vertex_queue, "n")             \
  A(COUNT, u32, settled, "1") A(LOST, u32, lost, "1")
ARGS(extract_chosen, EXTRACT_CHOSEN_ARGS)

QUEUE_BODY(extract_chosen) {
  const u32 v = (u32)item;
  if (v == *a->chosen) {
    count->settled++;
    PUSH(front, v);
  } else {
    PUSH(rest_next, v);
  }
}
