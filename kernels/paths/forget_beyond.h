/* A search that ended early leaves distances that may not be final: those from the bound on become no path. */
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
