/* Delta-stepping (Meyer, Sanders 2003) in the form of Lesnikov and Chernoskutov 2016: Algorithm 1,
 * sequentially, and its multithreaded form for CPUs (section 3.1); and the multithreaded Bellman-Ford with
 * which they compare it. The numbers in comments are lines of Algorithm 1. The array of buckets is cyclic: it
 * has ceil(greatest weight / delta) + 1 buckets. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/mem.h"
#include "reference/reference.h"
#include "reference/weights.h"

#define NONE LS_NO_VERTEX
#define NOWHERE UINT64_MAX
enum { MOST_BUCKETS = 1 << 28 };

#define D i64
#define NAME(x) x##_i
static const i64 NAME(far) = INT64_MAX;
static inline bool NAME(plus)(i64 a, i64 b, i64 *sum) {
  return !__builtin_add_overflow(a, b, sum) && *sum != INT64_MAX;
}
static inline u64 NAME(bucket_of)(i64 x, i64 delta) { return (u64)(x / delta); }
#include "reference/paths/delta_body.h"
#undef D
#undef NAME

#define D f64
#define NAME(x) x##_f
static const f64 NAME(far) = INFINITY;
static inline bool NAME(plus)(f64 a, f64 b, f64 *sum) { return (*sum = a + b) < INFINITY; }
/* The number of a bucket modulo 2^53, so that it is still an exact integer. A vertex in a wrong bucket costs
 * only time. */
static inline u64 NAME(bucket_of)(f64 x, f64 delta) {
  return (u64)fmod(floor(x / delta), 9007199254740992.0);
}
#include "reference/paths/delta_body.h"
#undef D
#undef NAME

/* Finds the greatest weight; LS_EARG if one is negative. */
static ls_status heaviest(const edges *g, bool real, i64 *most_i, f64 *most_f) {
  for (u64 e = 0; e < g->m; e++) {
    const i64 i = real ? 0 : weight_i(g->w, g->wtype, e);
    const f64 f = real ? weight_f(g->w, g->wtype, e) : 0;
    if (i < 0 || f < 0)
      return ls_fail(LS_EARG, "delta-stepping: edge %llu has a negative weight", (unsigned long long)e);
    if (i > *most_i) *most_i = i;
    if (f > *most_f) *most_f = f;
  }
  return LS_OK;
}

ls_status ls_delta_stepping(ls_graph *g, u32 s, f64 delta, int threads, void *dist, u32 *parent) {
  edges e;
  const bool real = ls_dtype_is_real(g->wtype);
  i64 most_i = 0;
  f64 most_f = 0;
  ls_status st = edges_of(g, &e);
  if (st) return st;
  if (s >= g->n) return ls_fail(LS_EARG, "source %u is not a vertex: n = %u", s, g->n);
  if (!(delta > 0 && delta < INFINITY) || (!real && (delta < 1 || delta != floor(delta) || delta > 9e18)))
    return ls_fail(LS_EARG, "delta-stepping: delta is %g, expected a positive %s", delta,
                   real ? "number" : "whole number, as the weights are whole");
  st = heaviest(&e, real, &most_i, &most_f);
  if (st) return st;
  const f64 buckets =
      (real ? ceil(most_f / delta) : (f64)(most_i / (i64)delta + (most_i % (i64)delta != 0))) + 1;
  if (buckets > MOST_BUCKETS)
    return ls_fail(LS_EARG, "delta-stepping: the weights need %.0f buckets of width %g, expected at most %d",
                   buckets, delta, MOST_BUCKETS);
  bool too_far = false;
  if (threads < 1) threads = omp_get_max_threads();
  if ((u32)threads > g->n) threads = 1;
  st = real ? delta_stepping_f(&e, s, delta, (u64)buckets, threads, dist, parent, &too_far)
            : delta_stepping_i(&e, s, (i64)delta, (u64)buckets, threads, dist, parent, &too_far);
  return st ? st : ls_settle_far(&e, real, dist, too_far);
}

ls_status ls_bellman_ford_passes(ls_graph *g, u32 s, int threads, void *dist) {
  edges e;
  const bool real = ls_dtype_is_real(g->wtype);
  bool too_far = false;
  ls_status st = edges_of(g, &e);
  if (st) return st;
  if (s >= g->n) return ls_fail(LS_EARG, "source %u is not a vertex: n = %u", s, g->n);
  if (threads < 1) threads = omp_get_max_threads();
  const bool rests =
      real ? passes_f(&e, s, threads, dist, &too_far) : passes_i(&e, s, threads, dist, &too_far);
  if (rests) return ls_settle_far(&e, real, dist, too_far);
  return ls_settle_negative(g, s, LS_EARG);
}
