/* NAME: what it does, one thread for each vertex. */
#include "language/kernel.h"

PRIM(NAME, ARGUMENTS, UNTYPED, VERTEX, "n", EXACT, "", "",
     "NAME(g, out): out[v] = how many edges leave v. Returns how many vertices have one.")

#define ARGUMENTS(A, W) \
  A(IN, u32, off, "n+1") A(OUT, u32, out, "n") A(COUNT, u32, found, "1")
ARGS(NAME, ARGUMENTS)

VERTEX_BODY(NAME) {
  const u32 degree = a->off[v + 1] - a->off[v];
  a->out[v] = degree;
  if (degree > 0) count->found++;
}
