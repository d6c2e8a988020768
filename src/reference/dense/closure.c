/* Closure of a matrix over a semiring by the textbook triple loop: Floyd 1962, Warshall 1962; for semirings
 * other than min-plus Aho, Hopcroft and Ullman 1974, section 5.6. */
#include <math.h>
#include <string.h>

#include "core/wait.h"
#include "data/reduce.h"
#include "reference/reference.h"

bool ls_semiring_parse(const char *name, ls_semiring *out) {
  static const char *const names[] = {"min-plus", "max-plus", "max-min", "or-and"};
  for (int k = 0; k < 4; k++)
    if (strcmp(name, names[k]) == 0) return *out = (ls_semiring)k, true;
  return false;
}

#define CLOSURE(T, WIDE, least, greatest)                                                                    \
  static ls_status closure_##T(u64 n, ls_semiring s, T *d) {                                                 \
    const T zero = s == LS_MIN_PLUS ? greatest : s == LS_OR_AND ? 0 : least;                                 \
    const T one = s == LS_MAX_MIN ? greatest : s == LS_OR_AND;                                               \
    for (u64 i = 0; s == LS_OR_AND && i < n * n; i++) d[i] = d[i] != 0;                                      \
    for (u64 v = 0; v < n; v++)                                                                              \
      if (s == LS_MIN_PLUS ? one < d[v * n + v] : one > d[v * n + v]) d[v * n + v] = one;                    \
    for (u64 k = 0; k < n; k++) {                                                                            \
      ls_progress("the closure", k, n);                                                                      \
      for (u64 i = 0; i < n; i++)                                                                            \
        for (u64 j = 0; j < n; j++) {                                                                        \
          const T a = d[i * n + k], b = d[k * n + j], before = d[i * n + j];                                 \
          if (a == zero || b == zero) continue;                                                              \
          T through = a < b ? a : b; /* max-min and or-and */                                                \
          if (s == LS_MIN_PLUS || s == LS_MAX_PLUS) {                                                        \
            const WIDE sum = (WIDE)a + b;                                                                    \
            if (!(sum > (WIDE)least && sum < (WIDE)greatest))                                                \
              return ls_fail(LS_EOVERFLOW, "a path from %llu to %llu does not fit %s",                       \
                             (unsigned long long)i, (unsigned long long)j, #T);                              \
            through = (T)sum;                                                                                \
          }                                                                                                  \
          if (s == LS_MIN_PLUS ? through < before : through > before) d[i * n + j] = through;                \
        }                                                                                                    \
    }                                                                                                        \
    for (u64 v = 0; v < n; v++)                                                                              \
      if (d[v * n + v] != one)                                                                               \
        return ls_fail(LS_EARG, "vertex %llu lies on a cycle that is %s: there is no closure",               \
                       (unsigned long long)v, s == LS_MIN_PLUS ? "negative" : "positive");                   \
    return LS_OK;                                                                                            \
  }
CLOSURE(i16, i32, INT16_MIN, INT16_MAX)
CLOSURE(i32, i64, INT32_MIN, INT32_MAX)
CLOSURE(i64, ls_i128, INT64_MIN, INT64_MAX)
CLOSURE(f32, f32, -INFINITY, INFINITY)
CLOSURE(f64, f64, -INFINITY, INFINITY)

ls_status ls_closure(u64 n, ls_dtype type, ls_semiring s, void *d) {
  switch (type) {
  case LS_I16: return closure_i16(n, s, d);
  case LS_I32: return closure_i32(n, s, d);
  case LS_I64: return closure_i64(n, s, d);
  case LS_F32: return closure_f32(n, s, d);
  case LS_F64: return closure_f64(n, s, d);
  default:
    return ls_fail(LS_EARG, "a matrix over a semiring is of i16, i32, i64, f32 or f64, not of %s",
                   ls_dtype_name(type));
  }
}
