/* Sets both maxima of every vertex to its own identifier. */
#include "scc/scc.h"

#define RESET_MAX_ARGS(A, W)                                                                                \
  A(IN, u32, mark, "n") A(OUT, u32, max_in, "n", scattered, "n") A(OUT, u32, max_out, "n", scattered, "n")
ARGS(reset_max, RESET_MAX_ARGS)

VERTEX_BODY(reset_max) {
  (void)push, (void)count;
  (void)a->mark;
  a->max_in[v] = a->max_out[v] = scatter_id(v);
}
