/* An edge is tight if `distance`, the distance from its source, is w + `onward`, where `onward` is the distance from its target.
 * Integers are compared exactly; reals in f64, within `roundings` units in the last place of |onward| and of |w|, as in the checks
 * of results. */
#ifndef DENSE_TIGHT_H
#define DENSE_TIGHT_H

#include "language/kernel.h"

LS_INLINE bool tight_i16(i16 distance, i16 w, i16 onward, u32 roundings) {
  return (void)roundings, (i32)w + onward == distance;
}
LS_INLINE bool tight_i32(i32 distance, i32 w, i32 onward, u32 roundings) {
  return (void)roundings, (i64)w + onward == distance;
}
LS_INLINE bool tight_i64(i64 distance, i64 w, i64 onward, u32 roundings) {
  const i64 sum = (i64)((u64)w + (u64)onward);
  return (void)roundings, ((w ^ sum) & (onward ^ sum)) >= 0 && sum == distance;
}
LS_INLINE bool tight_within(f64 distance, f64 w, f64 onward, f64 tol) {
  const f64 sum = onward + w, slack = tol * (onward < 0 ? -onward : onward) + tol * (w < 0 ? -w : w);
  return distance <= sum + slack && distance >= sum - slack;
}
LS_INLINE bool tight_f32(f32 distance, f32 w, f32 onward, u32 roundings) {
  return tight_within(distance, w, onward, roundings * 0x1p-23);
}
LS_INLINE bool tight_f64(f64 distance, f64 w, f64 onward, u32 roundings) {
  return tight_within(distance, w, onward, roundings * 0x1p-52);
}
#define TIGHT LS_JOIN(tight, W)

#endif
