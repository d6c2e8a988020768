/* Resets the least distance before the next minimum. */
#include "paths/paths.h"

#define FORGET_LEAST_ARGS(A, W) A(INOUT, W, least, "1")
ARGS(forget_least, FORGET_LEAST_ARGS)

VERTEX_BODY(forget_least) {
  (void)push, (void)count, (void)v;
  *a->least = NO_PATH;
}
