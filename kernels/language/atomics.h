/* Atomics that mean the same on both processors. All are relaxed: order between passes comes from the end of
 * a launch or the barrier of a loop. peek and poke are for cells that other threads write meanwhile. */
#ifndef ATOMICS_H
#define ATOMICS_H

#include "core/types.h"

#ifdef __CUDACC__

#define LS_ATOMIC static __device__ __forceinline__
#define ASK_AHEAD(p) ((void)0)

LS_ATOMIC u8 peek(const u8 *p) { return *(const volatile u8 *)p; }
LS_ATOMIC u32 peek(const u32 *p) { return *(const volatile u32 *)p; }
LS_ATOMIC u64 peek(const u64 *p) { return *(const volatile u64 *)p; }
LS_ATOMIC i32 peek(const i32 *p) { return *(const volatile i32 *)p; }
LS_ATOMIC i64 peek(const i64 *p) { return *(const volatile i64 *)p; }
LS_ATOMIC f32 peek(const f32 *p) { return *(const volatile f32 *)p; }
LS_ATOMIC f64 peek(const f64 *p) { return *(const volatile f64 *)p; }
/* A hint may be stale (it may come from the first-level cache): only for tests that an atomic repeats. */
LS_ATOMIC u32 hint(const u32 *p) { return *p; }
LS_ATOMIC u64 hint(const u64 *p) { return *p; }
LS_ATOMIC void poke(u8 *p, u8 x) { *(volatile u8 *)p = x; }
LS_ATOMIC void poke(u32 *p, u32 x) { *(volatile u32 *)p = x; }
LS_ATOMIC void poke(u64 *p, u64 x) { *(volatile u64 *)p = x; }

/* Sets a flag that many threads set: of those of a warp that set the same, one does. */
LS_ATOMIC void raise_flag(u32 *p) {
  const u32 together = __match_any_sync(__activemask(), (unsigned long long)p);
  if ((threadIdx.x & 31) == (u32)__ffs(together) - 1 && hint(p) == 0) poke(p, 1u);
}

LS_ATOMIC u32 atomic_add(u32 *p, u32 x) { return atomicAdd(p, x); }
LS_ATOMIC void atomic_add(i64 *p, i64 x) { atomicAdd((unsigned long long *)p, (unsigned long long)x); }
LS_ATOMIC void atomic_add(f64 *p, f64 x) { atomicAdd(p, x); }
LS_ATOMIC u32 atomic_or(u32 *p, u32 x) { return atomicOr(p, x); }
LS_ATOMIC u32 atomic_max(u32 *p, u32 x) { return atomicMax(p, x); }
LS_ATOMIC u64 atomic_max(u64 *p, u64 x) { return atomicMax((unsigned long long *)p, (unsigned long long)x); }
LS_ATOMIC bool atomic_claim(u32 *p, u32 expected, u32 x) { return atomicCAS(p, expected, x) == expected; }

LS_ATOMIC i32 atomic_min(i32 *p, i32 x) { return atomicMin(p, x); }
LS_ATOMIC i64 atomic_min(i64 *p, i64 x) { return atomicMin((long long *)p, (long long)x); }
/* The bits of non-negative floats are ordered like signed integers, those of negative ones backwards like
 * unsigned: either way one integer atomic does it. */
LS_ATOMIC f32 atomic_min(f32 *p, f32 x) {
  return x >= 0 ? __int_as_float(atomicMin((int *)p, __float_as_int(x)))
                : __uint_as_float(atomicMax((unsigned *)p, __float_as_uint(x)));
}
LS_ATOMIC f64 atomic_min(f64 *p, f64 x) {
  return x >= 0 ? __longlong_as_double(atomicMin((long long *)p, __double_as_longlong(x)))
                : __longlong_as_double(
                      (long long)atomicMax((unsigned long long *)p, (unsigned long long)__double_as_longlong(x)));
}

/* Lowers a cell that many threads lower: of those of a warp the one that brings the least. */
template <class T> LS_ATOMIC void lower(T *p, T x) {
  const u32 mask = __activemask();
  T least = x;
  for (u32 left = mask; left; left &= left - 1) {
    const T other = __shfl_sync(mask, x, __ffs(left) - 1);
    if (other < least) least = other;
  }
  if ((threadIdx.x & 31) == (u32)__ffs(mask) - 1 && least < peek(p)) atomic_min(p, least);
}

#else

#define LS_ATOMIC static inline __attribute__((always_inline, unused))

#define peek(p) __extension__({                \
  __typeof__(*(p) + 0) ls_peeked;              \
  __atomic_load((p), &ls_peeked, __ATOMIC_RELAXED); \
  ls_peeked;                                   \
})
#define hint(p) peek(p)
/* Asks for a cell that will be read soon; a GPU has other threads to run meanwhile. */
#define ASK_AHEAD(p) __builtin_prefetch(p)
#define poke(p, x) __extension__({                \
  __typeof__(*(p)) ls_poked = (x);                \
  __atomic_store((p), &ls_poked, __ATOMIC_RELAXED); \
})
LS_ATOMIC void raise_flag(u32 *p) {
  if (!hint(p)) poke(p, 1u);
}
LS_ATOMIC u32 atomic_add_u32(u32 *p, u32 x) { return __atomic_fetch_add(p, x, __ATOMIC_RELAXED); }
LS_ATOMIC i64 atomic_add_i64(i64 *p, i64 x) { return __atomic_fetch_add(p, x, __ATOMIC_RELAXED); }
LS_ATOMIC f64 atomic_add_f64(f64 *p, f64 x) {
  f64 old, sum;
  __atomic_load(p, &old, __ATOMIC_RELAXED);
  do
    sum = old + x;
  while (!__atomic_compare_exchange(p, &old, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}
#define atomic_add(p, x) \
  _Generic((p), u32 *: atomic_add_u32, i64 *: atomic_add_i64, f64 *: atomic_add_f64)((p), (x))
#define atomic_or(p, x) __atomic_fetch_or((p), (x), __ATOMIC_RELAXED)

/* Replaces *p by x while `better(x, *p)`; gives what was there. */
#define LS_ATOMIC_IMPROVE(p, x, better) __extension__({                                                     \
  __typeof__(*(p)) ls_new = (x), ls_old;                                                                    \
  __atomic_load((p), &ls_old, __ATOMIC_RELAXED);                                                            \
  while (ls_new better ls_old &&                                                                            \
         !__atomic_compare_exchange((p), &ls_old, &ls_new, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}    \
  ls_old;                                                                                                   \
})
#define atomic_max(p, x) LS_ATOMIC_IMPROVE(p, x, >)
#define atomic_min(p, x) LS_ATOMIC_IMPROVE(p, x, <)
#define lower(p, x) ((void)((x) < hint(p) && atomic_min(p, x)))

LS_ATOMIC bool atomic_claim(u32 *p, u32 expected, u32 x) {
  return __atomic_compare_exchange_n(p, &expected, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#endif

#endif
