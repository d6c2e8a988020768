/* One step of a product over a semiring, c + a * b, for any values. An integer overflow sets the overflow flag, which no
 * kernel clears. Slower than the working form of semiring.h, which restricts the values. */
#ifndef DENSE_PLAIN_H
#define DENSE_PLAIN_H

#include "common/minplus.h"
#include "dense/semiring.h"

LS_INLINE i16 plain_sum_i16(i16 a, i16 b, i16 zero, LS_ARRAY(u32) overflow) {
  if (a == zero || b == zero) return zero;
  const i32 sum = (i32)a + b;
  if (sum < INT16_MAX && sum > INT16_MIN) return (i16)sum;
  store_relaxed(overflow, 1u);
  return sum < 0 ? INT16_MIN + 1 : INT16_MAX - 1;
}
LS_INLINE i32 plain_sum_i32(i32 a, i32 b, i32 zero, LS_ARRAY(u32) overflow) {
  if (a == zero || b == zero) return zero;
  const i64 sum = (i64)a + b;
  if (sum < INT32_MAX && sum > INT32_MIN) return (i32)sum;
  store_relaxed(overflow, 1u);
  return sum < 0 ? INT32_MIN + 1 : INT32_MAX - 1;
}
LS_INLINE i64 plain_sum_i64(i64 a, i64 b, i64 zero, LS_ARRAY(u32) overflow) {
  if (a == zero || b == zero) return zero;
  const i64 sum = (i64)((u64)a + (u64)b);
  if (((a ^ sum) & (b ^ sum)) >= 0 && sum != INT64_MAX && sum != INT64_MIN) return sum;
  store_relaxed(overflow, 1u);
  return a < 0 ? INT64_MIN + 1 : INT64_MAX - 1;
}
LS_INLINE i16 plain_times_i16(i16 c, i16 a, i16 b, LS_ARRAY(u32) overflow) {
  const i32 x = (i32)a * b + c;
  if (x != (i16)x) store_relaxed(overflow, 1u);
  return (i16)x;
}
LS_INLINE i32 plain_times_i32(i32 c, i32 a, i32 b, LS_ARRAY(u32) overflow) {
  const i64 x = (i64)a * b + c;
  if (x != (i32)x) store_relaxed(overflow, 1u);
  return (i32)x;
}
LS_INLINE i64 plain_times_i64(i64 c, i64 a, i64 b, LS_ARRAY(u32) overflow) {
  const i64 product = (i64)((u64)a * (u64)b), x = (i64)((u64)product + (u64)c);
  const bool wraps = a && (product / a != b || (a == -1 && b == INT64_MIN));
  if (wraps || ((product ^ x) & (c ^ x)) < 0) store_relaxed(overflow, 1u);
  return x;
}

#define PLAIN_WHOLE(T, greatest, least)                                                                     \
  LS_INLINE T plain_merge_##T(u32 semiring, T c, T a, T b, LS_ARRAY(u32) overflow) {                                 \
    if (semiring == PLUS_TIMES) return plain_times_##T(c, a, b, overflow);                                  \
    const T t = semiring == MIN_PLUS   ? plain_sum_##T(a, b, greatest, overflow)                            \
                : semiring == MAX_PLUS ? plain_sum_##T(a, b, least, overflow)                               \
                : a < b                ? a                                                                  \
                                       : b;                                                                 \
    return semiring == MIN_PLUS ? (t < c ? t : c) : (t > c ? t : c);                                        \
  }
PLAIN_WHOLE(i16, INT16_MAX, INT16_MIN)
PLAIN_WHOLE(i32, INT32_MAX, INT32_MIN)
PLAIN_WHOLE(i64, INT64_MAX, INT64_MIN)

/* NaN counts as "no path". */
#define PLAIN_REAL(T)                                                                                       \
  LS_INLINE T plain_merge_##T(u32 semiring, T c, T a, T b, LS_ARRAY(u32) overflow) {                                 \
    (void)overflow;                                                                                         \
    if (semiring == PLUS_TIMES) return c + a * b;                                                           \
    const T zero = semiring == MIN_PLUS ? (T)INFINITY : -(T)INFINITY;                                       \
    if (a != a) a = zero;                                                                                   \
    if (b != b) b = zero;                                                                                   \
    if (c != c) c = zero;                                                                                   \
    const T t = semiring == MAX_MIN ? (a < b ? a : b) : a + b;                                              \
    return semiring == MIN_PLUS ? (t < c ? t : c) : (t > c ? t : c);                                        \
  }
PLAIN_REAL(f32)
PLAIN_REAL(f64)
/* "No path" in a semiring where the least is best (greatest_), and where the greatest is best (least_). */
#define greatest_i16 INT16_MAX
#define greatest_i32 INT32_MAX
#define greatest_i64 INT64_MAX
#define greatest_f32 ((f32)INFINITY)
#define greatest_f64 ((f64)INFINITY)
#define least_i16 INT16_MIN
#define least_i32 INT32_MIN
#define least_i64 INT64_MIN
#define least_f32 (-(f32)INFINITY)
#define least_f64 (-(f64)INFINITY)
#define PLAIN_GREATEST LS_JOIN(greatest, W)
#define PLAIN_LEAST LS_JOIN(least, W)
#define PLAIN_MERGE LS_JOIN(plain_merge, W)

#endif
