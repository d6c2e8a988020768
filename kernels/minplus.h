/* Min-plus arithmetic that never wraps: the type's maximum (or inf) is "no path" and absorbs; an integer sum
 * that leaves its type raises the sticky flag. */
#ifndef MINPLUS_H
#define MINPLUS_H

#include <math.h>

#include "kernel.h"

#define no_path_i32 INT32_MAX
#define no_path_i64 INT64_MAX
#define no_path_f32 ((f32)INFINITY)
#define no_path_f64 ((f64)INFINITY)
#define NO_PATH LS_JOIN(no_path, W)

LS_INLINE i32 plus_i32(i32 a, i32 b, u32 *overflow) {
  if (a == INT32_MAX || b == INT32_MAX) return INT32_MAX;
  i64 sum = (i64)a + b;
  if (sum < INT32_MAX && sum >= INT32_MIN) return (i32)sum;
  poke(overflow, 1u);
  return sum < 0 ? INT32_MIN : INT32_MAX;
}
LS_INLINE i64 plus_i64(i64 a, i64 b, u32 *overflow) {
  if (a == INT64_MAX || b == INT64_MAX) return INT64_MAX;
  i64 sum = (i64)((u64)a + (u64)b);
  if (((a ^ sum) & (b ^ sum)) >= 0 && sum != INT64_MAX) return sum;
  poke(overflow, 1u);
  return a < 0 ? INT64_MIN : INT64_MAX;
}
LS_INLINE f32 plus_f32(f32 a, f32 b, u32 *overflow) { return (void)overflow, a + b; }
LS_INLINE f64 plus_f64(f64 a, f64 b, u32 *overflow) { return (void)overflow, a + b; }
#define PLUS(a, b, overflow) LS_JOIN(plus, W)(a, b, overflow)

#endif
