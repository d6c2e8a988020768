/* Checks successors in a matrix of distances, [source][target]: the successor of i on a path to j must be reached
 * by a tight edge; j itself, and a vertex without a path to j, must have no successor. Links each pair (i, j) to
 * (successor, j), or to itself if it has no successor, so that links lead to (j, j) unless successors form a
 * cycle. */
#include "paths/certificate.h"

#define PROVE_SUCCESSORS_ARGS(A, W)                                                                         \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m") A(IN, W, dist, "n*n") \
  A(IN, u32, successor, "n*n") A(IN, f64, tolerance, "2") A(OUT, u32, link, "n*n") A(COUNT, u32, wrong, "1")
ARGS(prove_successors, PROVE_SUCCESSORS_ARGS)

ELEMENT_BODY(prove_successors) {
  (void)push;
  const u32 from = (u32)(i / a->n), target = (u32)(i % a->n), next = a->successor[i];
  const W own = a->dist[i];
  const bool leads_on = from != target && own != NO_PATH;
  a->link[i] = (u32)i;
  if (!leads_on || next >= a->n || next == from) {
    count->wrong += leads_on || next != LS_NO_VERTEX;
    return;
  }
  const u64 onward = (u64)next * a->n + target;
  const W rest = a->dist[onward];
  bool tight = false;
  for (u32 e = a->off[from]; e < a->off[from + 1] && !tight && rest != NO_PATH; e++)
    tight = a->to[e] == next && EDGE_IS(rest, a->w[e], own, a->tolerance[0]) == EDGE_TIGHT;
  count->wrong += !tight;
  a->link[i] = (u32)onward;
}
