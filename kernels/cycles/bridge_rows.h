/* Adds an edge v -> v + 1 (n-1 -> 0), the bridge, to every row, so that the graph becomes strongly connected: the Hamiltonian
 * cycle of Barnat et al. 2011, section 2.5. Bridges have weight bridge[0], which must be so large that no optimal cycle
 * contains one. */
#include "language/kernel.h"

#define BRIDGE_ROWS_ARGS(A, W)                                                                              \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, bridge, "1") A(OUT, u32, wide_off, "n+1", offset, "k")       \
  A(INOUT, u32, wide_to, "k", vertex, "n") A(INOUT, W, wide_w, "k") A(VALUE, u32, wide, "1", upto, "k")
ARGS(bridge_rows, BRIDGE_ROWS_ARGS)

VERTEX_BODY(bridge_rows) {
  (void)push, (void)count;
  const u64 first = (u64)a->off[v] + v, last = (u64)a->off[v + 1] + v;
  a->wide_off[v] = first < a->wide ? (u32)first : a->wide;
  if (v == a->n - 1) a->wide_off[a->n] = last + 1 < a->wide ? (u32)last + 1 : a->wide;
  if (last >= a->wide) return;
  a->wide_to[last] = v + 1 == a->n ? 0 : v + 1;
  a->wide_w[last] = a->bridge[0];
}
