/* Random graphs: R-MAT, uniform pairs, power law, DAG. */
#include <stdio.h>

#include "core/random.h"
#include "gen/make.h"
#include "gen/power.h"

/* --- R-MAT: Chakrabarti, Zhan, Faloutsos 2004, with Graph500's scrambled ids ------------------------- */

typedef struct rmat {
  u32 scale, n;
  u64 key, order;
  u64 a, ab, abc; /* thresholds in units of 2^-32 */
} rmat;

static void rmat_edge(const void *arg, u64 e, u32 *u, u32 *v) {
  const rmat *r = arg;
  u64 row = 0, col = 0, draw = 0;
  for (u32 level = 0; level < r->scale; level++) { /* a draw of 64 bits serves two levels */
    draw = level % 2 ? draw >> 32 : ls_draw(r->key, e * 16 + level / 2);
    u64 x = draw & 0xffffffff;
    u64 lower = x >= r->ab; /* the quadrants in order: a b / c d */
    row = row << 1 | lower;
    col = col << 1 | (u64)((x >= r->a) - lower + (x >= r->abc));
  }
  *u = ls_shuffled((u32)row, r->n, r->order);
  *v = ls_shuffled((u32)col, r->n, r->order);
}

ls_status ls_gen_rmat(u32 scale, f64 degree, f64 a, f64 b, f64 c, u64 seed, ls_gen_weights w,
                      ls_graph **out) {
  if (scale > 31) return ls_fail(LS_EARG, "rmat: scale %u is more than 31", scale);
  if (!(a >= 0 && b >= 0 && c >= 0 && a + b + c <= 1 + 1e-9))
    return ls_fail(LS_EARG,
                   "rmat: a = %g, b = %g, c = %g: none of them, nor d = 1 - a - b - c, may be negative", a, b,
                   c);
  u32 n = 1u << scale;
  if (!(degree >= 0 && degree * n <= (f64)LS_MAX_EDGES))
    return ls_fail(LS_EARG, "rmat: degree %g times %u vertices is not between 0 and 2^32 - 1 edges", degree,
                   n);
  rmat r = {scale,
            n,
            ls_key(seed, LS_USE_EDGE),
            ls_key(seed, LS_USE_ORDER),
            (u64)(a * 0x1p32),
            (u64)((a + b) * 0x1p32),
            (u64)((a + b + c) * 0x1p32)};
  char name[96];
  snprintf(name, sizeof name, "rmat(%u,%g,%llu)", scale, degree, (unsigned long long)seed);
  return ls_make_from_edges(&(ls_make){.name = name, .n = n, .seed = seed, .weights = w, .arg = &r},
                            (u64)(degree * n), rmat_edge, out);
}

/* --- uniform ----------------------------------------------------------------------------------------- */

typedef struct pairs {
  u32 n;
  u64 source, target, order;
} pairs;

static pairs pairs_of(u32 n, u64 seed) {
  return (pairs){n, ls_key(seed, LS_USE_SOURCE), ls_key(seed, LS_USE_TARGET), ls_key(seed, LS_USE_ORDER)};
}

static void uniform_edge(const void *arg, u64 e, u32 *u, u32 *v) {
  const pairs *p = arg;
  *u = (u32)ls_below(ls_draw(p->source, e), p->n);
  *v = (u32)ls_below(ls_draw(p->target, e), p->n);
}

ls_status ls_gen_uniform(u32 n, u64 m, u64 seed, ls_gen_weights w, ls_graph **out) {
  if (n == 0 && m > 0) return ls_fail(LS_EARG, "uniform: %llu edges need a vertex", (unsigned long long)m);
  pairs p = pairs_of(n, seed);
  char name[96];
  snprintf(name, sizeof name, "uniform(%u,%llu,%llu)", n, (unsigned long long)m, (unsigned long long)seed);
  return ls_make_from_edges(&(ls_make){.name = name, .n = n, .seed = seed, .weights = w, .arg = &p}, m,
                            uniform_edge, out);
}

/* --- DAG --------------------------------------------------------------------------------------------- */

static void dag_edge(const void *arg, u64 e, u32 *u, u32 *v) {
  const pairs *p = arg;
  u32 i = (u32)ls_below(ls_draw(p->source, e), p->n), j = (u32)ls_below(ls_draw(p->target, e), p->n - 1);
  if (j >= i) j++;
  *u = ls_shuffled(i < j ? i : j, p->n, p->order);
  *v = ls_shuffled(i < j ? j : i, p->n, p->order);
}

ls_status ls_gen_dag(u32 n, u64 m, u64 seed, ls_gen_weights w, ls_graph **out) {
  if (n < 2 && m > 0) return ls_fail(LS_EARG, "dag: %llu edges need two vertices", (unsigned long long)m);
  pairs p = pairs_of(n, seed);
  char name[96];
  snprintf(name, sizeof name, "dag(%u,%llu,%llu)", n, (unsigned long long)m, (unsigned long long)seed);
  return ls_make_from_edges(&(ls_make){.name = name, .n = n, .seed = seed, .weights = w, .arg = &p}, m,
                            dag_edge, out);
}

/* --- power law --------------------------------------------------------------------------------------- */

/* Both ends are drawn with probability proportional to rank^-beta, beta = 1 / (exponent - 1), which gives a
 * power law of degrees with that exponent (Chung, Lu 2002). A rank is drawn by inverting the integral of
 * x^-beta over [1, n+1]. The ranks of a vertex as source and as target are independent. */
typedef struct power_law {
  pairs ends;
  f64 span, inverse; /* (n+1)^(1-beta) - 1 and 1 / (1 - beta) */
} power_law;

static u32 ranked(const power_law *p, u64 draw) {
  f64 x = ls_power(1 + (f64)(draw >> 11) * 0x1p-53 * p->span, p->inverse);
  u32 rank = (u32)x - 1; /* no wrap: the base is at least 1, so x >= 1; ls_power(1, y) is exact */
  return rank < p->ends.n ? rank : p->ends.n - 1;
}

static void power_law_edge(const void *arg, u64 e, u32 *u, u32 *v) {
  const power_law *p = arg;
  *u = ls_shuffled(ranked(p, ls_draw(p->ends.source, e)), p->ends.n, p->ends.order);
  *v = ls_shuffled(ranked(p, ls_draw(p->ends.target, e)), p->ends.n, ~p->ends.order);
}

ls_status ls_gen_power_law(u32 n, f64 degree, f64 exponent, u64 seed, ls_gen_weights w, ls_graph **out) {
  if (!(exponent > 2 && exponent <= 100))
    return ls_fail(LS_EARG,
                   "power_law: exponent is %g, expected above 2 (for a finite mean degree) and at most 100",
                   exponent);
  if (!(degree >= 0 && degree * n <= (f64)LS_MAX_EDGES))
    return ls_fail(LS_EARG, "power_law: degree %g times %u vertices is not between 0 and 2^32 - 1 edges",
                   degree, n);
  f64 rest = 1 - 1 / (exponent - 1);
  power_law p = {pairs_of(n, seed), ls_power((f64)n + 1, rest) - 1, 1 / rest};
  char name[96];
  snprintf(name, sizeof name, "power_law(%u,%g,%g,%llu)", n, degree, exponent, (unsigned long long)seed);
  return ls_make_from_edges(&(ls_make){.name = name, .n = n, .seed = seed, .weights = w, .arg = &p},
                            (u64)(degree * n), power_law_edge, out);
}
