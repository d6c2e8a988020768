/* Counts the edges that violate the certificate of an optimal cycle. Vertices with equal id[v] form a class, and each
 * class has a level. An edge u -> v inside a class must satisfy d[v] <= d[u] + q * w - p * t (for a greatest ratio:
 * >=); an edge between two classes must lead to a greater level, or satisfy the same inequality. If every edge
 * between classes leads to a greater level, each cycle stays in one class; so all edges of the cycle satisfy the
 * inequality, and their sum shows that w / t of the cycle is at least p / q. Any levels of this kind will do.
 *
 * Exact: |q * w - p * t| is at most 2^127 - 2^64, so that 128 bits hold every sum here. Shares no code with policy.h. */
#include "language/kernel.h"

#define PROVE_POTENTIALS_ARGS(A, W)                                                                         \
  A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, i64, w, "m")                  \
  A(IN, i64, t, "times") A(VALUE, u32, timed, "1", upto, "times") A(IN, i64, ratio, "2")                    \
  A(VALUE, u32, greatest, "1") A(IN, u32, id, "n", vertex, "n") A(IN, u32, level, "n") A(IN, i64, d, "n")   \
  A(COUNT, u32, broken, "1")
ARGS(prove_potentials, PROVE_POTENTIALS_ARGS)

SELECT(prove_potentials) { return (void)a, (void)v, true; }

EDGES_BODY(prove_potentials) {
  (void)push;
  const u32 x = a->to[e];
  if (a->level[a->id[x]] > a->level[a->id[v]]) return;
  const i64 p = a->ratio[0], q = a->ratio[1];
  i64 t = 1;
  if (e < a->timed) t = a->t[e];
  const __int128 far = (__int128)a->d[x] - a->d[v], length = (__int128)q * a->w[e] - (__int128)p * t;
  count->broken += a->greatest ? far < length : far > length;
}
