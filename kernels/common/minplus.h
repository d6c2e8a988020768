/* Min-plus arithmetic that never wraps. The type's maximum (or inf) means "no path". PLUS adds two distances: "no path"
 * plus anything is "no path"; an integer sum that overflows sets the overflow flag, which no kernel clears, and saturates.
 * ONWARD adds an edge weight of any value to a distance that is not "no path"; a sum of reals that is not finite sets the
 * flag too. BACK subtracts from a distance, with the same flag. */
#ifndef MINPLUS_H
#define MINPLUS_H

#ifndef __CUDACC_RTC__
#include <math.h>
#endif

#include "language/kernel.h"

#define no_path_i16 INT16_MAX
#define no_path_i32 INT32_MAX
#define no_path_i64 INT64_MAX
#define no_path_f32 ((f32)INFINITY)
#define no_path_f64 ((f64)INFINITY)
#define NO_PATH LS_JOIN(no_path, W)

LS_INLINE i16 onward_i16(i16 d, i16 w, LS_ARRAY(u32) overflow) {
  const i32 sum = (i32)d + w;
  if (sum < INT16_MAX && sum >= INT16_MIN) return (i16)sum;
  store_relaxed(overflow, 1u);
  return sum < 0 ? INT16_MIN : INT16_MAX;
}
LS_INLINE i32 onward_i32(i32 d, i32 w, LS_ARRAY(u32) overflow) {
  i64 sum = (i64)d + w;
  if (sum < INT32_MAX && sum >= INT32_MIN) return (i32)sum;
  store_relaxed(overflow, 1u);
  return sum < 0 ? INT32_MIN : INT32_MAX;
}
LS_INLINE i64 onward_i64(i64 d, i64 w, LS_ARRAY(u32) overflow) {
  i64 sum = (i64)((u64)d + (u64)w);
  if (((d ^ sum) & (w ^ sum)) >= 0 && sum != INT64_MAX) return sum;
  store_relaxed(overflow, 1u);
  return d < 0 ? INT64_MIN : INT64_MAX;
}
LS_INLINE f32 onward_f32(f32 d, f32 w, LS_ARRAY(u32) overflow) {
  const f32 sum = d + w;
  if (!(sum < no_path_f32 && sum > -no_path_f32)) store_relaxed(overflow, 1u);
  return sum;
}
LS_INLINE f64 onward_f64(f64 d, f64 w, LS_ARRAY(u32) overflow) {
  const f64 sum = d + w;
  if (!(sum < no_path_f64 && sum > -no_path_f64)) store_relaxed(overflow, 1u);
  return sum;
}
#define ONWARD(d, w, overflow) LS_JOIN(onward, W)(d, w, overflow)

/* d - h; sets the overflow flag as ONWARD does. */
LS_INLINE i32 back_i32(i32 d, i32 h, LS_ARRAY(u32) overflow) {
  i64 sum = (i64)d - h;
  if (sum < INT32_MAX && sum >= INT32_MIN) return (i32)sum;
  store_relaxed(overflow, 1u);
  return sum < 0 ? INT32_MIN : INT32_MAX;
}
LS_INLINE i64 back_i64(i64 d, i64 h, LS_ARRAY(u32) overflow) {
  i64 sum = (i64)((u64)d - (u64)h);
  if (((d ^ h) & (d ^ sum)) >= 0 && sum != INT64_MAX) return sum;
  store_relaxed(overflow, 1u);
  return d < 0 ? INT64_MIN : INT64_MAX;
}
LS_INLINE f32 back_f32(f32 d, f32 h, LS_ARRAY(u32) overflow) { return onward_f32(d, -h, overflow); }
LS_INLINE f64 back_f64(f64 d, f64 h, LS_ARRAY(u32) overflow) { return onward_f64(d, -h, overflow); }
#define BACK(d, h, overflow) LS_JOIN(back, W)(d, h, overflow)

LS_INLINE i16 plus_i16(i16 a, i16 b, LS_ARRAY(u32) overflow) {
  return a == INT16_MAX || b == INT16_MAX ? INT16_MAX : onward_i16(a, b, overflow);
}
LS_INLINE i32 plus_i32(i32 a, i32 b, LS_ARRAY(u32) overflow) {
  return a == INT32_MAX || b == INT32_MAX ? INT32_MAX : onward_i32(a, b, overflow);
}
LS_INLINE i64 plus_i64(i64 a, i64 b, LS_ARRAY(u32) overflow) {
  return a == INT64_MAX || b == INT64_MAX ? INT64_MAX : onward_i64(a, b, overflow);
}
LS_INLINE f32 plus_f32(f32 a, f32 b, LS_ARRAY(u32) overflow) { return (void)overflow, a + b; }
LS_INLINE f64 plus_f64(f64 a, f64 b, LS_ARRAY(u32) overflow) { return (void)overflow, a + b; }
#define PLUS(a, b, overflow) LS_JOIN(plus, W)(a, b, overflow)

#endif
