/* SIMD over instances of an ensemble: each instance has one lane of the CPU's vectors, and all lanes do the
 * same operations. An operation for only some lanes is computed for all and selected by a mask. On CUDA a
 * lane is a thread.
 *
 *   reals, truths       one number, or one mask, per lane; comparing reals gives truths
 *   REALS(x)            broadcasts x to all lanes if it is a single number
 *   CHOOSE(m, x, y)     per lane: x if m is true, else y; CHOOSE_TRUTHS: the same for truths
 *   ANY(m), COUNT_LANES(m)  is m true in any lane; in how many lanes
 *   EACH_LANE(l)        a loop over the lanes; LANE(x, l) is the element of lane l; LANE_IS is the value of a
 * true mask NO_LANE, NOT_FIRST  for the threads of a CUDA block: this thread has no lane; it is not the first
 * one lanes_NAME(...)     the function NAME of math.h, per lane */
#ifndef LANES_H
#define LANES_H

#include "language/kernel.h"
#include "ode/functions.h"

#pragma push_macro("for")
/* The loops here are short and do not need the polling `for` macro of kernels compiled at run time. */
#undef for

#ifdef __CUDACC__
enum { LANES = 8 };
typedef f64 reals;
typedef i64 truths;
#define REALS(x) ((f64)(x))
#define NOT(m) (!(m))
#define CHOOSE(m, x, y) ((m) ? (f64)(x) : (f64)(y))
#define CHOOSE_TRUTHS(m, x, y) ((m) ? (i64)(x) : (i64)(y))
#define ANY(m) ((m) != 0)
#define COUNT_LANES(m) ((u32)((m) != 0))
#define EACH_LANE(l) for (u32 l = threadIdx.x, once_##l = 1; once_##l; once_##l = 0)
#define LANE(x, l) (x)
#define LANE_IS 1
#define NO_LANE (threadIdx.x >= LANES)
#define NOT_FIRST (threadIdx.x > 0)
#define LANES_OF_ONE(name)                                                                                   \
  LS_INLINE f64 lanes_##name(f64 x) { return name(x); }
#define LANES_OF_TWO(name)                                                                                   \
  LS_INLINE f64 lanes_##name(f64 x, f64 y) { return name(x, y); }
LANES_OF_ONE(fabs)
LANES_OF_ONE(exp)
LANES_OF_ONE(log)
LANES_OF_TWO(fmax)
LANES_OF_TWO(fmin)
#else
#ifdef __AVX512F__
enum { LANES = 8 };
typedef f64 reals __attribute__((vector_size(64)));
typedef i64 truths __attribute__((vector_size(64)));
#else
enum { LANES = 4 };
typedef f64 reals __attribute__((vector_size(32)));
typedef i64 truths __attribute__((vector_size(32)));
#endif
#define REALS(x) ((x) - (reals){0}) /* x - 0, because x + 0 would turn -0 into 0 */
#define NOT(m) (~(m))
#define CHOOSE(m, x, y) lanes_choose(m, REALS(x), REALS(y))
#define CHOOSE_TRUTHS(m, x, y) lanes_choose_truths(m, x, y)
#define ANY(m) (COUNT_LANES(m) > 0)
#define EACH_LANE(l) for (u32 l = 0; l < LANES; l++)
#define LANE(x, l) ((x)[l])
#define LANE_IS -1
#define NO_LANE false
#define NOT_FIRST false

LS_INLINE truths lanes_choose_truths(truths m, truths x, truths y) { return (m & x) | (~m & y); }
LS_INLINE reals lanes_choose(truths m, reals x, reals y) {
  return (reals)lanes_choose_truths(m, (truths)x, (truths)y);
}
LS_INLINE u32 COUNT_LANES(truths m) {
  i64 sum = 0;
  EACH_LANE(l) sum -= m[l];
  return (u32)sum;
}

#define lanes_fabs(x) lanes_fabs_of(REALS(x))
#define lanes_fmax(x, y) lanes_fmax_of(REALS(x), REALS(y))
#define lanes_fmin(x, y) lanes_fmin_of(REALS(x), REALS(y))
LS_INLINE reals lanes_fabs_of(reals x) { return (reals)((truths)x & 0x7fffffffffffffff); }
LS_INLINE reals lanes_fmax_of(reals x, reals y) { return CHOOSE((x > y) | (y != y), x, y); }
LS_INLINE reals lanes_fmin_of(reals x, reals y) { return CHOOSE((x < y) | (y != y), x, y); }

/* Makes a function of lanes from a function of one number. Those of ode/functions.h have no branches,
 * so that the compiler vectorises the loop. */
#define LANES_OF(name, function)                                                                             \
  LS_INLINE reals lanes_##name##_of(reals x) {                                                               \
    f64 number[LANES];                                                                                       \
    memcpy(number, &x, sizeof x);                                                                            \
    EACH_LANE(l) number[l] = function(number[l]);                                                            \
    memcpy(&x, number, sizeof x);                                                                            \
    return x;                                                                                                \
  }
#define LANES_OF_ONE(name) LANES_OF(name, name)
#define LANES_OF_TWO(name)                                                                                   \
  LS_INLINE reals lanes_##name##_of(reals x, reals y) {                                                      \
    EACH_LANE(l) x[l] = name(x[l], y[l]);                                                                    \
    return x;                                                                                                \
  }
LANES_OF(exp, ls_exp)
LANES_OF(log, ls_log)
#define lanes_exp(x) lanes_exp_of(REALS(x))
#define lanes_log(x) lanes_log_of(REALS(x))
#define lanes_pow(x, y) lanes_pow_of(REALS(x), REALS(y))
#define lanes_fmod(x, y) lanes_fmod_of(REALS(x), REALS(y))
#define lanes_sqrt(x) lanes_sqrt_of(REALS(x))
#define lanes_log10(x) lanes_log10_of(REALS(x))
#define lanes_floor(x) lanes_floor_of(REALS(x))
#define lanes_ceil(x) lanes_ceil_of(REALS(x))
#define lanes_trunc(x) lanes_trunc_of(REALS(x))
#define lanes_sin(x) lanes_sin_of(REALS(x))
#define lanes_cos(x) lanes_cos_of(REALS(x))
#define lanes_tan(x) lanes_tan_of(REALS(x))
#define lanes_sinh(x) lanes_sinh_of(REALS(x))
#define lanes_cosh(x) lanes_cosh_of(REALS(x))
#define lanes_tanh(x) lanes_tanh_of(REALS(x))
#define lanes_asin(x) lanes_asin_of(REALS(x))
#define lanes_acos(x) lanes_acos_of(REALS(x))
#define lanes_atan(x) lanes_atan_of(REALS(x))
#define lanes_asinh(x) lanes_asinh_of(REALS(x))
#define lanes_acosh(x) lanes_acosh_of(REALS(x))
#define lanes_atanh(x) lanes_atanh_of(REALS(x))
#endif

LANES_OF_TWO(pow)
LANES_OF_TWO(fmod)
LANES_OF_ONE(sqrt)
LANES_OF_ONE(log10)
LANES_OF_ONE(floor)
LANES_OF_ONE(ceil)
LANES_OF_ONE(trunc)
LANES_OF_ONE(sin)
LANES_OF_ONE(cos)
LANES_OF_ONE(tan)
LANES_OF_ONE(sinh)
LANES_OF_ONE(cosh)
LANES_OF_ONE(tanh)
LANES_OF_ONE(asin)
LANES_OF_ONE(acos)
LANES_OF_ONE(atan)
LANES_OF_ONE(asinh)
LANES_OF_ONE(acosh)
LANES_OF_ONE(atanh)
#undef LANES_OF_ONE
#undef LANES_OF_TWO
#pragma pop_macro("for")
#endif
