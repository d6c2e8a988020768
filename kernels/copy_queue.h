/* One queue's items into another. */
#include "kernel.h"

#define COPY_QUEUE_ARGS(A, W) A(QIN, u32, front, "n") A(QOUT, u32, back, "n")
ARGS(copy_queue, COPY_QUEUE_ARGS)

QUEUE_BODY(copy_queue) {
  (void)a, (void)count;
  PUSH(item);
}
