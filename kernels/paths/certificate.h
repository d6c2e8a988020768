/* Compares dist[v] + w with dist[u] for an edge v -> u of weight w; shared by the rows that check a certificate of distances. To
 * be an independent check, this shares no code with the sums of the searches (common/minplus.h): integers are compared in a type
 * that holds any sum, or by differences; reals in f64, within tolerance * (|dist[v]| + |w|). */
#ifndef CERTIFICATE_H
#define CERTIFICATE_H

#include "paths/paths.h"

typedef enum edge_is { EDGE_SHORTER, EDGE_TIGHT, EDGE_LONGER } edge_is; /* w compared with dist[u] - dist[v] */

#define CERTIFY_I32(dv, w, x) ((i64)(dv) + (w) < (x) ? EDGE_SHORTER : (i64)(dv) + (w) == (x) ? EDGE_TIGHT : EDGE_LONGER)

LS_INLINE edge_is edge_is_i32(i32 dv, i32 w, i32 du, f64 tolerance) { return (void)tolerance, CERTIFY_I32(dv, w, du); }
LS_INLINE edge_is edge_is_i64(i64 dv, i64 w, i64 du, f64 tolerance) {
  (void)tolerance;
  if (w >= 0 && dv > INT64_MAX - w) return EDGE_LONGER;
  if (w < 0 && dv < INT64_MIN - w) return EDGE_SHORTER;
  return dv + w < du ? EDGE_SHORTER : dv + w == du ? EDGE_TIGHT : EDGE_LONGER;
}
LS_INLINE edge_is edge_is_f64(f64 dv, f64 w, f64 du, f64 tolerance) {
  const f64 sum = dv + w, slack = tolerance * fabs(dv) + tolerance * fabs(w);
  return !(du <= sum + slack) ? EDGE_SHORTER : !(du >= sum - slack) ? EDGE_LONGER : EDGE_TIGHT;
}
LS_INLINE edge_is edge_is_f32(f32 dv, f32 w, f32 du, f64 tolerance) { return edge_is_f64(dv, w, du, tolerance); }
#define EDGE_IS(dv, w, du, tolerance) LS_JOIN(edge_is, W)(dv, w, du, tolerance)

/* Does the edge lead beyond the limit of the search, so that its target may be marked as unreached? */
#define beyond_i32(is) ((is) == EDGE_LONGER)
#define beyond_i64(is) ((is) == EDGE_LONGER)
#define beyond_f32(is) ((is) != EDGE_SHORTER)
#define beyond_f64(is) ((is) != EDGE_SHORTER)
#define LEADS_BEYOND(dv, w, limit, tolerance) LS_JOIN(beyond, W)(EDGE_IS(dv, w, limit, tolerance))

/* dist holds `rows` problems (one per source), [problem][vertex]; a launch handles problems base .. base + k - 1. PROBLEMS: the
 * number of these problems that exist. CELL, PROVED: the index in `dist`, in `proved`, of vertex v of the launch's s-th problem. */
#define PROBLEMS(a) ((a)->base >= (a)->rows ? 0 : (a)->k < (a)->rows - (a)->base ? (a)->k : (a)->rows - (a)->base)
#define CELL(a, s, v) ((u64)((a)->base + (s)) * (a)->n + (v))
#define PROVED(a, s, v) ((u64)(s) * (a)->n + (v))

/* Checks the triangle inequality of edge e, v -> u, in the launch's s-th problem: counts it in `violated` if it does not hold; marks u as
 * proved if the edge is tight and v has a lower distance. A statement of the body of a row with these arguments. */
#define PROVE_EDGE(a, s, e, v, u)                                                                           \
  do {                                                                                                      \
    const W dv_ = (a)->dist[CELL(a, s, v)], du_ = (a)->dist[CELL(a, s, u)], w_ = (a)->w[e];                 \
    if (dv_ == NO_PATH) break;                                                                              \
    if (du_ == NO_PATH && (a)->limited && LEADS_BEYOND(dv_, w_, (a)->limit, (a)->tolerance[0])) break;      \
    const edge_is is_ = EDGE_IS(dv_, w_, du_, (a)->tolerance[0]);                                           \
    if (du_ == NO_PATH || is_ == EDGE_SHORTER) {                                                            \
      count->violated++;                                                                                    \
      LOWER((a)->first, (i64)(s) << 32 | (e));                                                              \
    } else if (is_ == EDGE_TIGHT && dv_ < du_) {                                                            \
      store_relaxed(&(a)->proved[PROVED(a, s, u)], 1u);                                                     \
    }                                                                                                       \
  } while (0)

#endif
