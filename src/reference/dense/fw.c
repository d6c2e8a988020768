/* All-pairs distances by the triple loop: Floyd 1962, Warshall 1962. */
#include <float.h>
#include <math.h>

#include "core/mem.h"
#include "core/wait.h"
#include "data/reduce.h"
#include "reference/reference.h"
#include "reference/weights.h"

/* --- the matrix of edges ----------------------------------------------------------------------------- */

static ls_status check_type(ls_dtype t) {
  bool fine = t == LS_I16 || t == LS_I32 || t == LS_I64 || t == LS_F32 || t == LS_F64;
  return fine ? LS_OK
              : ls_fail(LS_EARG, "a distance matrix is i16, i32, i64, f32 or f64, not %s", ls_dtype_name(t));
}

static bool less(ls_number a, ls_number b) { return a.real ? a.r < b.r : a.i < b.i; }

ls_status ls_distance_matrix(ls_graph *g, ls_dtype type, u32 first, u32 past, void *d) {
  edges k;
  ls_status st = edges_of(g, &k);
  if (!st) st = check_type(type);
  if (st) return st;
  ls_number far = ls_number_greatest(type);
  ls_fill(type, d, (u64)(past - first) * k.n, far);
  for (u64 v = first; v < past; v++) ls_number_put(type, d, (v - first) * k.n + v, (ls_number){0});
  for (u32 v = first; v < past; v++)
    for (u64 e = k.off[v]; e < k.off[v + 1]; e++) {
      u64 at = (u64)(v - first) * k.n + k.to[e];
      ls_number w = k.wtype == LS_NONE ? (ls_number){.i = 1} : ls_number_at(k.wtype, k.w, e);
      u64 element;
      st = ls_number_put(type, &element, 0, w);
      if (!st && !far.real && !less(ls_number_at(type, &element, 0), far))
        st = ls_fail(LS_EOVERFLOW, "the weight is the greatest %s, which stands for 'no path'",
                     ls_dtype_name(type));
      if (st) return ls_fail_prefix(st, "edge %u -> %u: ", v, k.to[e]);
      if (less(ls_number_at(type, &element, 0), ls_number_at(type, d, at))) ls_number_put(type, d, at, w);
    }
  return LS_OK;
}

/* --- the triple loop --------------------------------------------------------------------------------- */

static ls_status negative_cycle(u64 v) {
  return ls_fail(LS_EARG, "vertex %llu lies on a negative cycle: there are no shortest distances",
                 (unsigned long long)v);
}

/* If the sums of a row may overflow T, they are computed in the next larger type. A sum that does not fit is
 * skipped: if another path is shorter, the sum does not matter; if not, the loop at the end reports it. */
#define FLOYD_WARSHALL(T, U, WIDE, least, greatest)                                                          \
  static ls_status floyd_warshall_##T(u64 n, T *d) {                                                         \
    bool too_low = false, too_far = false;                                                                   \
    for (u64 k = 0; k < n && !too_low; k++) {                                                                \
      const T *pivot = d + k * n;                                                                            \
      ls_progress("Floyd-Warshall", k, n);                                                                   \
      if (pivot[k] < 0) return negative_cycle(k);                                                            \
      T low = 0, high = 0;                                                                                   \
      for (u64 j = 0; j < n; j++) {                                                                          \
        if (pivot[j] < low) low = pivot[j];                                                                  \
        if (pivot[j] != greatest && pivot[j] > high) high = pivot[j];                                        \
      }                                                                                                      \
      for (u64 i = 0; i < n; i++) {                                                                          \
        T *restrict row = d + i * n, first = row[k];                                                         \
        if (i == k || first == greatest) continue;                                                           \
        if ((WIDE)first + low >= least && (WIDE)first + high < greatest) {                                   \
          for (u64 j = 0; j < n; j++) {                                                                      \
            T sum = (T)((U)first + (U)pivot[j]);                                                             \
            row[j] = ((pivot[j] != greatest) & (sum < row[j])) ? sum : row[j];                               \
          }                                                                                                  \
          continue;                                                                                          \
        }                                                                                                    \
        for (u64 j = 0; j < n; j++) {                                                                        \
          WIDE sum = (WIDE)first + pivot[j];                                                                 \
          if (pivot[j] == greatest) continue;                                                                \
          too_low |= sum < least;                                                                            \
          too_far |= sum >= greatest;                                                                        \
          if (sum >= least && sum < row[j]) row[j] = (T)sum;                                                 \
        }                                                                                                    \
      }                                                                                                      \
    }                                                                                                        \
    for (u64 v = 0; v < n; v++)                                                                              \
      if (d[v * n + v] < 0) return negative_cycle(v);                                                        \
    if (too_low) return ls_fail(LS_EOVERFLOW, "a distance is below the least %s", #T);                       \
    for (u64 i = 0; too_far && i < n; i++)                                                                   \
      for (u64 k = 0; k < n; k++)                                                                            \
        for (u64 j = 0; d[i * n + k] != greatest && j < n; j++)                                              \
          if (d[k * n + j] != greatest && d[i * n + j] == greatest)                                          \
            return ls_fail(LS_EOVERFLOW, "the distance from %llu to %llu does not fit %s",                   \
                           (unsigned long long)i, (unsigned long long)j, #T);                                \
    return LS_OK;                                                                                            \
  }
FLOYD_WARSHALL(i16, u16, i32, INT16_MIN, INT16_MAX)
FLOYD_WARSHALL(i32, u32, i64, INT32_MIN, INT32_MAX)
FLOYD_WARSHALL(i64, u64, ls_i128, INT64_MIN, INT64_MAX)

/* A cycle counts as negative only if its weight is below 0 by more than the rounding error. */
#define FLOYD_WARSHALL_REAL(T, epsilon, most)                                                                \
  static ls_status floyd_warshall_##T(u64 n, T *d) {                                                         \
    T largest = 0;                                                                                           \
    for (u64 i = 0; i < n * n; i++)                                                                          \
      if (isfinite(d[i]) && fabs((f64)d[i]) > (f64)largest) largest = (T)fabs((f64)d[i]);                    \
    T below = -(T)(16 * epsilon) * largest;                                                                  \
    for (u64 k = 0; k < n; k++) {                                                                            \
      const T *pivot = d + k * n;                                                                            \
      ls_progress("Floyd-Warshall", k, n);                                                                   \
      if (pivot[k] < below) return negative_cycle(k);                                                        \
      for (u64 i = 0; i < n; i++) {                                                                          \
        T *restrict row = d + i * n, first = row[k];                                                         \
        if (i == k || isinf(first)) continue;                                                                \
        for (u64 j = 0; j < n; j++) {                                                                        \
          T sum = first + pivot[j];                                                                          \
          row[j] = sum < row[j] ? sum : row[j];                                                              \
        }                                                                                                    \
      }                                                                                                      \
    }                                                                                                        \
    for (u64 v = 0; v < n; v++)                                                                              \
      if (d[v * n + v] < below) return negative_cycle(v);                                                    \
    for (u64 i = 0; (f64)largest > most / (f64)n && i < n; i++)                                              \
      for (u64 k = 0; k < n; k++)                                                                            \
        for (u64 j = 0; d[i * n + k] < INFINITY && j < n; j++)                                               \
          if (isinf(d[i * n + j]) && (d[k * n + j] < INFINITY || d[i * n + j] < 0))                          \
            return ls_fail(LS_EOVERFLOW, "the distance from %llu to %llu does not fit %s",                   \
                           (unsigned long long)i, (unsigned long long)j, #T);                                \
    return LS_OK;                                                                                            \
  }
FLOYD_WARSHALL_REAL(f32, FLT_EPSILON, (f64)FLT_MAX)
FLOYD_WARSHALL_REAL(f64, DBL_EPSILON, DBL_MAX)

ls_status ls_floyd_warshall(u64 n, ls_dtype type, void *d) {
  ls_status st = check_type(type);
  if (st) return st;
  switch (type) {
  case LS_I16: return floyd_warshall_i16(n, d);
  case LS_I32: return floyd_warshall_i32(n, d);
  case LS_I64: return floyd_warshall_i64(n, d);
  case LS_F32: return floyd_warshall_f32(n, d);
  default: return floyd_warshall_f64(n, d);
  }
}
