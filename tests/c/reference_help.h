/* Small graphs and brute-force oracles for the tests of the references. */
#ifndef REFERENCE_HELP_H
#define REFERENCE_HELP_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/mem.h"
#include "data/reduce.h"
#include "reference/reference.h"

static u64 random_state = 1;

static inline u64 random_u64(void) { /* splitmix64 */
  u64 z = random_state += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

static inline u32 random_below(u32 n) { return (u32)(random_u64() % n); }

/* Edges with integer weights, which a graph may store in any type. */
enum { MOST_EDGES = 64 };
typedef struct list {
  u32 n;
  u64 m;
  u32 src[MOST_EDGES], dst[MOST_EDGES];
  i64 w[MOST_EDGES];
} list;

static inline ls_graph *make(const list *l, ls_dtype wtype) {
  u64 w[MOST_EDGES] = {0};
  for (u64 e = 0; e < l->m && wtype != LS_NONE; e++)
    assert_int_equal(ls_number_put(wtype, w, e, (ls_number){.i = l->w[e]}), LS_OK);
  ls_graph *g;
  assert_int_equal(
      ls_graph_from_edges(l->n, l->m, l->src, l->dst, wtype == LS_NONE ? NULL : w, wtype, "test", &g), LS_OK);
  return g;
}

/* n < most_n vertices, at most 3n random edges: some are loops or parallel, and some vertices are
 * unreachable. */
static inline list random_list(u32 most_n, i64 lo, i64 hi) {
  list l = {.n = 1 + random_below(most_n)};
  l.m = random_below(3 * l.n + 1);
  for (u64 e = 0; e < l.m; e++) {
    l.src[e] = random_below(l.n);
    l.dst[e] = random_below(l.n);
    l.w[e] = lo + (i64)(random_u64() % (u64)(hi - lo + 1));
  }
  return l;
}

/* Bit j of reach[i]: there is a path from i to j, possibly without edges. Warshall's closure on bit sets. */
static inline void closure(const list *l, u64 *reach) {
  for (u32 i = 0; i < l->n; i++) reach[i] = 1ull << i;
  for (u64 e = 0; e < l->m; e++) reach[l->src[e]] |= 1ull << l->dst[e];
  for (u32 k = 0; k < l->n; k++)
    for (u32 i = 0; i < l->n; i++)
      if (reach[i] >> k & 1) reach[i] |= reach[k];
}

static inline bool both_ways(const u64 *reach, u32 i, u32 j) {
  return (reach[i] >> j & 1) && (reach[j] >> i & 1);
}

/* Distances by squaring the weight matrix: after k squarings d holds the minima over walks of at most 2^k
 * edges. FAR: there is no walk. */
#define FAR INT64_MAX
static inline void square(u32 n, i64 *d, i64 *next) {
  for (u32 i = 0; i < n; i++)
    for (u32 j = 0; j < n; j++) {
      i64 least = FAR;
      for (u32 k = 0; k < n; k++)
        if (d[i * n + k] != FAR && d[k * n + j] != FAR && d[i * n + k] + d[k * n + j] < least)
          least = d[i * n + k] + d[k * n + j];
      next[i * n + j] = least;
    }
  memcpy(d, next, (size_t)n * n * sizeof *d);
}

/* Returns false if some cycle is negative. d: i64[n * n], n <= 64. */
static inline bool distances(const list *l, bool weighted, i64 *d) {
  i64 next[64 * 64];
  u32 n = l->n;
  for (u32 i = 0; i < n * n; i++) d[i] = i % (n + 1) == 0 ? 0 : FAR;
  for (u64 e = 0; e < l->m; e++) {
    i64 *at = &d[l->src[e] * n + l->dst[e]], w = weighted ? l->w[e] : 1;
    if (w < *at) *at = w;
  }
  for (u32 walk = 1; walk <= n; walk *= 2) square(n, d, next);
  for (u32 i = 0; i < n; i++)
    if (d[i * n + i] < 0) return false;
  return true;
}

/* Lets the call's k-th allocation fail, for k = 1, 2, ..., until the call succeeds because it makes fewer
 * than k. Every earlier call must have returned LS_EMEM and leaked nothing. */
#define FAILING_ALLOCATIONS(call)                                                                            \
  do {                                                                                                       \
    u64 before_ = ls_mem_in_use(), k_ = 1;                                                                   \
    for (;; k_++) {                                                                                          \
      ls_mem_fail_at(k_);                                                                                    \
      ls_status st_ = (call);                                                                                \
      ls_mem_fail_at(0);                                                                                     \
      if (st_ == LS_OK) break;                                                                               \
      assert_int_equal(st_, LS_EMEM);                                                                        \
      assert_int_equal(ls_mem_in_use(), before_);                                                            \
    }                                                                                                        \
    assert_true(k_ > 1);                                                                                     \
  } while (0)

#endif
