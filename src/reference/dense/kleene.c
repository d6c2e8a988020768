/* The Kleene star of an acyclic graph in max-plus algebra, after Goto 2011 for one CPU: a topological order
 * by depth-first search; then, for each vertex in that order, its row is computed from the rows of its
 * successors. */
#include <math.h>

#include "core/mem.h"
#include "core/wait.h"
#include "data/reduce.h"
#include "reference/reference.h"
#include "reference/weights.h"

/* Computes `order`, u32[n], in which every vertex comes after all its successors. LS_EARG if there is a
 * cycle. */
static ls_status depth_first(const edges *k, u32 *order) {
  enum { NEW, OPEN, DONE };
  u8 *state = ls_calloc(k->n, 1);
  u32 *at = ls_malloc(k->n * sizeof *at), *stack = ls_malloc(k->n * sizeof *stack);
  ls_status st = state && at && stack ? LS_OK : LS_EMEM;
  u32 done = 0;
  for (u32 root = 0; !st && root < k->n; root++) {
    u32 depth = 0;
    if (state[root] == NEW) stack[depth++] = root, state[root] = OPEN, at[root] = k->off[root];
    while (!st && depth) {
      const u32 v = stack[depth - 1];
      if (at[v] == k->off[v + 1]) {
        state[v] = DONE, order[done++] = v, depth--;
        continue;
      }
      const u32 u = k->to[at[v]++];
      if (state[u] == OPEN)
        st = ls_fail(LS_EARG, "the graph has a cycle through %u, expected an acyclic graph", u);
      if (state[u] == NEW) stack[depth++] = u, state[u] = OPEN, at[u] = k->off[u];
    }
  }
  ls_free(state);
  ls_free(at);
  ls_free(stack);
  return st;
}

#define KLEENE(T, U, WIDE, weight, least, greatest)                                                          \
  static ls_status kleene_##T(const edges *k, const u32 *order, T *low, T *d) {                              \
    const u64 n = k->n;                                                                                      \
    T *high = low + n; /* low, high: the least and the greatest weight in each row */                        \
    for (u64 i = 0; i < n * n; i++) d[i] = least;                                                            \
    for (u64 i = 0; i < n; i++) {                                                                            \
      const u64 v = order[i];                                                                                \
      T *restrict row = d + v * n;                                                                           \
      ls_progress("the Kleene star", i, n);                                                                  \
      row[v] = 0;                                                                                            \
      for (u64 e = k->off[v]; e < k->off[v + 1]; e++) {                                                      \
        const u64 u = k->to[e];                                                                              \
        const T *restrict theirs = d + u * n;                                                                \
        const WIDE w = (WIDE)weight(k->w, k->wtype, (u32)e);                                                 \
        if (!(w + low[u] > (WIDE)least && w + high[u] < (WIDE)greatest))                                     \
          return ls_fail(LS_EOVERFLOW, "a path from %llu through %llu does not fit %s",                      \
                         (unsigned long long)v, (unsigned long long)u, #T);                                  \
        for (u64 j = 0; j < n; j++) {                                                                        \
          const T sum = (T)((U)w + (U)theirs[j]);                                                            \
          row[j] = ((theirs[j] != (T)least) & (sum > row[j])) ? sum : row[j];                                \
        }                                                                                                    \
      }                                                                                                      \
      low[v] = high[v] = 0;                                                                                  \
      for (u64 j = 0; j < n; j++) {                                                                          \
        if (row[j] != (T)least && row[j] < low[v]) low[v] = row[j];                                          \
        if (row[j] > high[v]) high[v] = row[j];                                                              \
      }                                                                                                      \
    }                                                                                                        \
    return LS_OK;                                                                                            \
  }
KLEENE(i32, u32, i64, weight_i, INT32_MIN, INT32_MAX)
KLEENE(i64, u64, ls_i128, weight_i, INT64_MIN, INT64_MAX)
KLEENE(f32, f32, f32, weight_f, -INFINITY, INFINITY)
KLEENE(f64, f64, f64, weight_f, -INFINITY, INFINITY)

ls_status ls_kleene(ls_graph *g, ls_dtype type, void *d) {
  edges k;
  ls_status st = edges_of(g, &k);
  u32 *order = st ? NULL : ls_malloc(k.n * sizeof *order);
  u64 *low = st ? NULL : ls_malloc(2 * k.n * sizeof *low);
  if (!st && ls_dtype_is_real(k.wtype) && k.wtype != LS_NONE && !ls_dtype_is_real(type))
    st = ls_fail(LS_EARG, "the graph has %s weights; expected weights that fit %s", ls_dtype_name(k.wtype),
                 ls_dtype_name(type));
  if (!st) st = order && low ? depth_first(&k, order) : LS_EMEM;
  if (!st) switch (type) {
    case LS_I32: st = kleene_i32(&k, order, (i32 *)low, d); break;
    case LS_I64: st = kleene_i64(&k, order, (i64 *)low, d); break;
    case LS_F32: st = kleene_f32(&k, order, (f32 *)low, d); break;
    case LS_F64: st = kleene_f64(&k, order, (f64 *)low, d); break;
    default:
      st = ls_fail(LS_EARG, "a Kleene star is of i32, i64, f32 or f64, not of %s", ls_dtype_name(type));
    }
  ls_free(order);
  ls_free(low);
  return st;
}
