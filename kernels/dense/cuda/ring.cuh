/* The semirings on CUDA: ring<T, semiring, positive> has the operations on elements (semiring.h defines the forms). */
#ifndef DENSE_RING_CUH
#define DENSE_RING_CUH

#include <type_traits>

#include "dense/semiring.h"
#include "driver/library.cuh"

template <class T> struct limits_of;
template <> struct limits_of<i16> {
  static constexpr i16 none = INT16_MAX, least = INT16_MIN, far = FAR_i16, edge = EDGE_i16, most = MOST_i16;
};
template <> struct limits_of<i32> {
  static constexpr i32 none = INT32_MAX, least = INT32_MIN, far = FAR_i32, edge = EDGE_i32, most = MOST_i32;
};
template <> struct limits_of<i64> {
  static constexpr i64 none = INT64_MAX, least = INT64_MIN, far = FAR_i64, edge = EDGE_i64, most = MOST_i64;
};

/* positive: no element is negative. Then floats are ordered like their bits, and the minimum can be an integer instruction,
 * which does not compete with float additions for the same unit. */
template <class T, int SEMIRING, bool POSITIVE> struct ring {
  typedef T element;
  static constexpr int semiring = SEMIRING;
  static constexpr bool whole = std::is_integral<T>::value, positive = POSITIVE;
  static constexpr bool sums = SEMIRING == MIN_PLUS || SEMIRING == MAX_PLUS;

  /* The working form of "no path". */
  static __device__ __forceinline__ T zero() {
    if constexpr (SEMIRING == PLUS_TIMES) return 0;
    else if constexpr (whole && SEMIRING == MIN_PLUS) return limits_of<T>::far;
    else if constexpr (whole && SEMIRING == MAX_PLUS) return -limits_of<T>::far;
    else if constexpr (whole) return limits_of<T>::least;
    else return SEMIRING == MIN_PLUS ? (T)INFINITY : -(T)INFINITY;
  }
  static __device__ __forceinline__ T stored_zero() {
    if constexpr (whole && SEMIRING == MIN_PLUS) return limits_of<T>::none;
    else if constexpr (whole && SEMIRING == MAX_PLUS) return limits_of<T>::least;
    else return zero();
  }

  /* From the stored form to the working form. NaN counts as "no path". */
  static __device__ __forceinline__ T enter(T x) {
    if constexpr (whole && SEMIRING == MIN_PLUS) return x < limits_of<T>::far ? x : limits_of<T>::far;
    else if constexpr (whole && SEMIRING == MAX_PLUS) return x > -limits_of<T>::far ? x : -limits_of<T>::far;
    else if constexpr (!whole && SEMIRING != PLUS_TIMES) return x == x ? x : zero();
    else return x;
  }
  /* Is a stored element too large for the working form, or negative though positive is promised? */
  static __device__ __forceinline__ bool wrong(T x) {
    bool bad = false;
    if constexpr (whole && sums)
      bad = x != stored_zero() && (x >= limits_of<T>::most || x <= -limits_of<T>::most);
    if constexpr (POSITIVE && sums) {
      if constexpr (whole) bad |= x != stored_zero() && x < 0;
      else bad |= x != stored_zero() && signbit(x);
    }
    return bad;
  }
  /* From the working form to the stored form; sets bad if the element is too large. */
  static __device__ __forceinline__ T leave(T x, bool &bad) {
    if constexpr (whole && SEMIRING == MIN_PLUS) {
      if (x >= limits_of<T>::edge) return limits_of<T>::none;
      bad |= x >= limits_of<T>::most || x <= -limits_of<T>::most;
    } else if constexpr (whole && SEMIRING == MAX_PLUS) {
      if (x <= -limits_of<T>::edge) return limits_of<T>::least;
      bad |= x >= limits_of<T>::most || x <= -limits_of<T>::most;
    } else if constexpr (!whole && SEMIRING == PLUS_TIMES) {
      return x + (T)0; /* turns -0 into 0, so that padding with zeros makes no difference */
    }
    return x;
  }

  static __device__ __forceinline__ bool better(T t, T c) { return SEMIRING == MIN_PLUS ? t < c : t > c; }

  /* c + a * b over the semiring. */
  static __device__ __forceinline__ T merge(T c, T a, T b, bool &bad) {
    if constexpr (SEMIRING == PLUS_TIMES) {
      if constexpr (std::is_same<T, i16>::value) {
        const i32 x = (i32)a * b + c;
        bad |= x != (i16)x;
        return (i16)x;
      } else if constexpr (std::is_same<T, i32>::value) {
        const i64 x = (i64)a * b + c;
        bad |= x != (i32)x;
        return (i32)x;
      } else if constexpr (std::is_same<T, i64>::value) {
        const i64 low = (i64)((u64)a * (u64)b), x = (i64)((u64)low + (u64)c);
        bad |= __mul64hi(a, b) != low >> 63 || ((low ^ x) & (c ^ x)) < 0;
        return x;
      } else {
        return c + a * b;
      }
    } else if constexpr (SEMIRING == MAX_MIN) {
      if constexpr (std::is_same<T, f32>::value) return fmaxf(c, fminf(a, b));
      const T t = a < b ? a : b;
      return t > c ? t : c;
    } else if constexpr (std::is_same<T, i32>::value) {
      return SEMIRING == MIN_PLUS ? __viaddmin_s32(a, b, c) : __viaddmax_s32(a, b, c);
    } else if constexpr (std::is_same<T, i64>::value || std::is_same<T, i16>::value) {
      const T t = (T)(a + b);
      return better(t, c) ? t : c;
    } else if constexpr (std::is_same<T, f32>::value && POSITIVE) {
      const int t = __float_as_int(a + b), o = __float_as_int(c);
      return __int_as_float(SEMIRING == MIN_PLUS ? min(t, o) : max(t, o));
    } else if constexpr (std::is_same<T, f32>::value) {
      return SEMIRING == MIN_PLUS ? fminf(c, a + b) : fmaxf(c, a + b);
    } else {
      return SEMIRING == MIN_PLUS ? fmin(c, a + b) : fmax(c, a + b);
    }
  }

  /* c + a * b + x * y over the semiring. A minimum of three integers is one instruction, which takes as long as two minima of
   * two but does not compete with the float additions. */
  static __device__ __forceinline__ T merge_two(T c, T a, T b, T x, T y, bool &bad) {
    if constexpr (sums && std::is_same<T, f32>::value && POSITIVE) {
      const int t = __float_as_int(a + b), u = __float_as_int(x + y), o = __float_as_int(c);
      return __int_as_float(SEMIRING == MIN_PLUS ? __vimin3_s32(t, u, o) : __vimax3_s32(t, u, o));
    } else if constexpr (SEMIRING == MAX_MIN && std::is_same<T, i32>::value) {
      return __vimax3_s32(c, min(a, b), min(x, y));
    } else {
      return merge(merge(c, a, b, bad), x, y, bad);
    }
  }
};

/* Four elements as one or two words for vector loads and stores: words of 16 bytes, or of 8 for 2-byte elements. */
template <class T> struct vector_of {
  typedef typename std::conditional<sizeof(T) == 2, int2, int4>::type word;
  static constexpr int words = 4 * sizeof(T) / sizeof(word);
  union {
    T x[4];
    word v[words];
  };
  __device__ __forceinline__ void load(const T *p) {
#pragma unroll
    for (int i = 0; i < words; i++) v[i] = ((const word *)p)[i];
  }
  __device__ __forceinline__ void store(T *p) const {
#pragma unroll
    for (int i = 0; i < words; i++) ((word *)p)[i] = v[i];
  }
};
/* Are two 16-bit updates, of two columns, made per 32-bit word? Not for PLUS_TIMES. */
template <class R> static constexpr bool by_pairs() { return sizeof(typename R::element) == 2 && R::semiring != PLUS_TIMES; }
/* c + a * b over the semiring for two 16-bit elements per word; sums must stay within the working form. */
template <class R> static __device__ __forceinline__ u32 merge_pairs(u32 c, u32 a, u32 b) {
  if constexpr (R::semiring == MAX_MIN) return __vmaxs2(c, __vmins2(a, b));
  else return R::semiring == MIN_PLUS ? __viaddmin_s16x2(a, b, c) : __viaddmax_s16x2(a, b, c);
}

/* Calls f with two rings: `many` for products, `closed` for closing a tile. For integers, `positive` matters only in
 * `closed`. */
template <class R, class P> struct rings {
  typedef R many;
  typedef P closed;
};
template <class T, int S, class F> static ls_status with_ring(bool positive, F f) {
  constexpr bool bits = std::is_same<T, f32>::value;
  if (positive) return f(rings<ring<T, S, bits>, ring<T, S, true>>());
  return f(rings<ring<T, S, false>, ring<T, S, false>>());
}
template <class T, class F> static ls_status closing_with(u32 semiring, bool positive, F f) {
  if (semiring == MIN_PLUS) return with_ring<T, MIN_PLUS>(positive, f);
  if (semiring == MAX_PLUS) return with_ring<T, MAX_PLUS>(positive, f);
  return f(rings<ring<T, MAX_MIN, false>, ring<T, MAX_MIN, false>>());
}

#endif
