/* Copies the items of a queue into another. */
#include "language/kernel.h"

#define COPY_QUEUE_ARGS(A, W)                                                                               \
  A(QIN, u32, front, "n+1", vertex_queue, "n") A(QOUT, u32, back, "n+1", vertex_queue, "n")
ARGS(copy_queue, COPY_QUEUE_ARGS)

QUEUE_BODY(copy_queue) {
  (void)a, (void)count;
  PUSH(back, item);
}
