/* Atomics with the same meaning on both processors. All are relaxed, so they order no other accesses: only the end of a
 * launch, or the barrier after a step of a loop, makes all writes visible to what runs next.
 *
 *   load_relaxed(p), store_relaxed(p, x)   for a cell that other threads may write at the same time
 *   load_cached(p)                         may return a stale value (from the L1 cache): use it only for a test that
 *                                          an atomic repeats
 *   atomic_add, _or, _max, _min(p, x)      return the old value
 *   atomic_cas(p, expected, x)             compare and swap: sets *p = x if *p == expected; returns whether it did
 *   reduce_min(p, x)                       atomic_min without a result, for a cell that very many threads lower
 *   raise_flag(p)                          *p = 1, for a flag that many threads set
 *   PREFETCH(p)                            prefetches a cell; does nothing on a GPU, which hides latency by running
 *                                          other threads */
#ifndef ATOMICS_H
#define ATOMICS_H

#include "core/types.h"

#ifdef __CUDACC__

#define LS_ATOMIC static __device__ __forceinline__
#define PREFETCH(p) ((void)0)

LS_ATOMIC u8 load_relaxed(const u8 *p) { return *(const volatile u8 *)p; }
LS_ATOMIC u32 load_relaxed(const u32 *p) { return *(const volatile u32 *)p; }
LS_ATOMIC u64 load_relaxed(const u64 *p) { return *(const volatile u64 *)p; }
LS_ATOMIC i16 load_relaxed(const i16 *p) { return *(const volatile i16 *)p; }
LS_ATOMIC i32 load_relaxed(const i32 *p) { return *(const volatile i32 *)p; }
LS_ATOMIC i64 load_relaxed(const i64 *p) { return *(const volatile i64 *)p; }
LS_ATOMIC f32 load_relaxed(const f32 *p) { return *(const volatile f32 *)p; }
LS_ATOMIC f64 load_relaxed(const f64 *p) { return *(const volatile f64 *)p; }
LS_ATOMIC u32 load_cached(const u32 *p) { return *p; }
LS_ATOMIC u64 load_cached(const u64 *p) { return *p; }
LS_ATOMIC i32 load_cached(const i32 *p) { return *p; }
LS_ATOMIC i64 load_cached(const i64 *p) { return *p; }
LS_ATOMIC f32 load_cached(const f32 *p) { return *p; }
LS_ATOMIC f64 load_cached(const f64 *p) { return *p; }
LS_ATOMIC void store_relaxed(u8 *p, u8 x) { *(volatile u8 *)p = x; }
LS_ATOMIC void store_relaxed(u32 *p, u32 x) { *(volatile u32 *)p = x; }
LS_ATOMIC void store_relaxed(u64 *p, u64 x) { *(volatile u64 *)p = x; }
LS_ATOMIC void store_relaxed(f64 *p, f64 x) { *(volatile f64 *)p = x; }

/* Only the first of a warp's threads that raise the same flag writes it. */
LS_ATOMIC void raise_flag(u32 *p) {
  const u32 together = __match_any_sync(__activemask(), (unsigned long long)p);
  if ((threadIdx.x & 31) == (u32)__ffs(together) - 1 && load_cached(p) == 0) store_relaxed(p, 1u);
}

LS_ATOMIC u32 atomic_add(u32 *p, u32 x) { return atomicAdd(p, x); }
LS_ATOMIC void atomic_add(i64 *p, i64 x) { atomicAdd((unsigned long long *)p, (unsigned long long)x); }
LS_ATOMIC void atomic_add(f64 *p, f64 x) { atomicAdd(p, x); }
LS_ATOMIC u32 atomic_or(u32 *p, u32 x) { return atomicOr(p, x); }
LS_ATOMIC u64 atomic_or(u64 *p, u64 x) { return atomicOr((unsigned long long *)p, (unsigned long long)x); }
LS_ATOMIC u32 atomic_max(u32 *p, u32 x) { return atomicMax(p, x); }
LS_ATOMIC u64 atomic_max(u64 *p, u64 x) { return atomicMax((unsigned long long *)p, (unsigned long long)x); }
LS_ATOMIC bool atomic_cas(u32 *p, u32 expected, u32 x) { return atomicCAS(p, expected, x) == expected; }

LS_ATOMIC i32 atomic_max(i32 *p, i32 x) { return atomicMax(p, x); }
LS_ATOMIC i64 atomic_max(i64 *p, i64 x) { return atomicMax((long long *)p, (long long)x); }
LS_ATOMIC u32 atomic_min(u32 *p, u32 x) { return atomicMin(p, x); }
LS_ATOMIC u64 atomic_min(u64 *p, u64 x) { return atomicMin((unsigned long long *)p, (unsigned long long)x); }
LS_ATOMIC i32 atomic_min(i32 *p, i32 x) { return atomicMin(p, x); }
LS_ATOMIC i64 atomic_min(i64 *p, i64 x) { return atomicMin((long long *)p, (long long)x); }
/* Compared as signed integers, the bits of a non-negative float are ordered like the float; compared as unsigned
 * integers, those of a negative one are ordered in reverse. So one integer atomic is enough in both cases. */
LS_ATOMIC f32 atomic_min(f32 *p, f32 x) {
  return x >= 0 ? __int_as_float(atomicMin((int *)p, __float_as_int(x)))
                : __uint_as_float(atomicMax((unsigned *)p, __float_as_uint(x)));
}
LS_ATOMIC f32 atomic_max(f32 *p, f32 x) {
  return x >= 0 ? __int_as_float(atomicMax((int *)p, __float_as_int(x)))
                : __uint_as_float(atomicMin((unsigned *)p, __float_as_uint(x)));
}
LS_ATOMIC f64 atomic_min(f64 *p, f64 x) {
  return x >= 0 ? __longlong_as_double(atomicMin((long long *)p, __double_as_longlong(x)))
                : __longlong_as_double(
                      (long long)atomicMax((unsigned long long *)p, (unsigned long long)__double_as_longlong(x)));
}
LS_ATOMIC f64 atomic_max(f64 *p, f64 x) {
  return x >= 0 ? __longlong_as_double(atomicMax((long long *)p, __double_as_longlong(x)))
                : __longlong_as_double(
                      (long long)atomicMin((unsigned long long *)p, (unsigned long long)__double_as_longlong(x)));
}
/* Sets *p = x if x is better; returns the old value. */
#define LS_ATOMIC_SHORT(name, better)                                                                        \
  LS_ATOMIC i16 name(i16 *p, i16 x) {                                                                        \
    i16 old = load_relaxed(p), seen;                                                                         \
    for (; x better old; old = seen)                                                                         \
      if ((seen = (i16)atomicCAS((unsigned short *)p, (unsigned short)old, (unsigned short)x)) == old) break; \
    return old;                                                                                              \
  }
LS_ATOMIC_SHORT(atomic_max, >)
LS_ATOMIC_SHORT(atomic_min, <)

/* Reduces over the active threads of a warp, of which one then writes the minimum. All must pass the same p. */
template <class T> LS_ATOMIC void reduce_min(T *p, T x) {
  const u32 mask = __activemask();
  T least = x;
  for (u32 left = mask; left; left &= left - 1) {
    const T other = __shfl_sync(mask, x, __ffs(left) - 1);
    if (other < least) least = other;
  }
  if ((threadIdx.x & 31) == (u32)__ffs(mask) - 1 && least < load_relaxed(p)) atomic_min(p, least);
}

#elif !defined(__cplusplus) /* C++ on a CPU: checked_atomics.h */

#define LS_ATOMIC static inline __attribute__((always_inline, unused))

#define load_relaxed(p) __extension__({                \
  __typeof__(*(p) + 0) ls_loaded;              \
  __atomic_load((p), &ls_loaded, __ATOMIC_RELAXED); \
  ls_loaded;                                   \
})
#define load_cached(p) load_relaxed(p)
#define PREFETCH(p) __builtin_prefetch(p)
#define store_relaxed(p, x) __extension__({                \
  __typeof__(*(p)) ls_stored = (x);                \
  __atomic_store((p), &ls_stored, __ATOMIC_RELAXED); \
})
LS_ATOMIC void raise_flag(u32 *p) {
  if (!load_cached(p)) store_relaxed(p, 1u);
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

/* Sets *p = x if `x better *p`; returns the old value. */
#define LS_ATOMIC_IMPROVE(p, x, better) __extension__({                                                     \
  __typeof__(*(p)) ls_new = (x), ls_old;                                                                    \
  __atomic_load((p), &ls_old, __ATOMIC_RELAXED);                                                            \
  while (ls_new better ls_old &&                                                                            \
         !__atomic_compare_exchange((p), &ls_old, &ls_new, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}    \
  ls_old;                                                                                                   \
})
#define atomic_max(p, x) LS_ATOMIC_IMPROVE(p, x, >)
#define atomic_min(p, x) LS_ATOMIC_IMPROVE(p, x, <)
#define reduce_min(p, x) ((void)((x) < load_cached(p) && atomic_min(p, x)))

LS_ATOMIC bool atomic_cas(u32 *p, u32 expected, u32 x) {
  return __atomic_compare_exchange_n(p, &expected, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#endif

#endif
