/* After a search that ended early, distances above `upto` may not be final: sets them to NO_PATH. */
#include "paths/paths.h"

#define FORGET_BEYOND_ARGS(A, W) A(INOUT, W, dist, "n") A(VALUE, W, upto, "1") A(COUNT, u32, kept, "1")
ARGS(forget_beyond, FORGET_BEYOND_ARGS)

VERTEX_BODY(forget_beyond) {
  (void)push;
  if (a->dist[v] == NO_PATH) return;
  if (a->dist[v] <= a->upto)
    count->kept++;
  else
    a->dist[v] = NO_PATH;
}
