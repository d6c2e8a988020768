/* Cycles and potentials in the forms in which they are passed around: potentials of 64 bits, of pairs of
 * words and of reals; cycles that begin at their smallest vertex; the cycle of a policy. */
#include "reference/cycles/cycle.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"

ls_status ls_potentials_widen(ls_dtype type, const void *from, u32 n, ls_i128 **out, bool *owned, f64 *unit) {
  *owned = false;
  if (type == LS_U64) {
    static const ls_i128 most = (ls_i128)1 << 126;        /* so that the difference of two potentials fits */
    const ls_i128 *x = *out = (ls_i128 *)(uintptr_t)from; /* little-endian, as u64 pairs are */
    for (u32 v = 0; v < n; v++)
      if (x[v] >= most || x[v] <= -most)
        return ls_fail(LS_EARG, "the potential of vertex %u is not below 2^126", v);
    return LS_OK;
  }
  ls_i128 *wide = *out = ls_malloc((size_t)n * sizeof *wide);
  if (!wide) return LS_EMEM;
  *owned = true;
  if (type == LS_I64) {
    for (u32 v = 0; v < n; v++) wide[v] = ((const i64 *)from)[v];
    return LS_OK;
  }
  const f64 *d = from;
  f64 most = 0;
  for (u32 v = 0; v < n; v++) {
    if (!isfinite(d[v]))
      return ls_fail(LS_EARG, "the potential of vertex %u is %g, expected a finite number", v, d[v]);
    most = fmax(most, fabs(d[v]));
  }
  int exponent;
  frexp(most, &exponent);
  exponent = exponent < -900 ? -1000 : exponent - 100;
  for (u32 v = 0; v < n; v++) wide[v] = (ls_i128)ldexp(d[v], -exponent);
  *unit = ldexp(1, exponent);
  return LS_OK;
}

bool ls_potentials_narrow(ls_i128 *d, u64 n) {
  for (u64 v = 0; v < n; v++)
    if (d[v] != (i64)d[v]) return false;
  for (u64 v = 0; v < n; v++) { /* in place: writing never overtakes reading */
    const i64 x = (i64)d[v];
    memcpy((u8 *)d + v * sizeof x, &x, sizeof x);
  }
  return true;
}

void ls_cycle_rotate(const u32 *to, const u32 *edges, u64 count, u32 *copy) {
  u64 first = 0;
  for (u64 i = 1; i < count; i++) /* edge i leaves the vertex to which edge i - 1 leads */
    if (to[edges[i - 1]] < to[edges[first ? first - 1 : count - 1]]) first = i;
  for (u64 i = 0; i < count; i++) copy[i] = edges[(first + i) % count];
}

u64 ls_choices_cycle(const ls_choices *c, u64 start, u64 most, u32 *edges) {
  u64 count = 0, v = start;
  do {
    if (v >= c->n || count == most || c->choice[v] >= c->m || (c->from && c->choice[v] >= c->names)) return 0;
    if (edges) edges[count] = c->from ? c->from[c->choice[v]] : c->choice[v];
    v = c->to[c->choice[v]];
    count++;
  } while (v != start);
  return count;
}
