/* exp and log for models on a CPU. They perform the same operations in the same order wherever they are
 * compiled, without branches or tables, so that a compiler can vectorise them and the results stay identical
 * to the last bit. Errors are below 1 unit in the last place (tests/c/test_functions.c). CUDA uses its own
 * exp and log.
 *
 * ls_exp needs the instruction for fused multiply-add. In a program that is compiled for all processors of a
 * family, some of which lack that instruction, ls_exp is a function that tests for it at run time
 * (functions.c).
 *
 * Usual argument reduction: exp(x) = 2^k exp(r), |r| <= ln(2)/2, with a polynomial by Remez' algorithm; log
 * as in Sun's fdlibm (1993). */
#ifndef LS_ODE_FUNCTIONS_H
#define LS_ODE_FUNCTIONS_H

#include "core/types.h"

#ifdef __CUDACC__
#define ls_exp exp
#define ls_log log
#else
#include <math.h>
#include <string.h>

#define LS_FUNCTION static inline __attribute__((always_inline, unused))

LS_FUNCTION f64 ls_of_bits(u64 bits) {
  f64 x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
LS_FUNCTION u64 ls_bits_of(f64 x) {
  u64 bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* Adding this to a number rounds it to an integer, which is in the lowest bits of the sum. */
#define LS_WHOLE 0x1.8p52

LS_FUNCTION f64 ls_exp_here(f64 x) {
  const f64 whole = __builtin_fma(x, 0x1.71547652b82fep0, LS_WHOLE), k = whole - LS_WHOLE;
  const f64 high = __builtin_fma(-k, 0x1.62e42fefa38p-1, x),
            low = k * 0x1.ef35793c7673p-45; /* high is exact */
  const f64 r = high - low, r2 = r * r, r4 = r2 * r2;
  const f64 c0 = __builtin_fma(r, 0x1.5555555555561p-3, 0x1.000000000000bp-1);
  const f64 c2 = __builtin_fma(r, 0x1.111111110d642p-7, 0x1.555555555003p-5);
  const f64 c4 = __builtin_fma(r, 0x1.a01a01badf235p-13, 0x1.6c16c185a751dp-10);
  const f64 c6 = __builtin_fma(r, 0x1.71dddfd3a60bap-19, 0x1.a0199693cf72ep-16);
  const f64 c8 = __builtin_fma(r, 0x1.af857a5042f7ep-26, 0x1.28b049009386bp-22);
  const f64 c4_9 = __builtin_fma(r4, c8, __builtin_fma(r2, c6, c4));
  const f64 c0_9 = __builtin_fma(r4, c4_9, __builtin_fma(r2, c2, c0));
  const f64 sum = 1 + high, rest = (1 - sum) + high; /* together 1 + high, exactly */
  const f64 y = sum + (rest + __builtin_fma(r2, c0_9, -low));
  const u64 n = ls_bits_of(whole), /* its lowest bits hold k */
      half = n >> 1 << 52;         /* 2^k in two factors: a single one may overflow or underflow */
  const f64 product = ls_of_bits(ls_bits_of(y) + half) * ls_of_bits((n << 52) + 0x3ff0000000000000u - half);
  /* Above 710, k is too large for its bits. NaN stays NaN. */
  const f64 upto = x <= 710 ? product : x + INFINITY;
  return x < -746 ? 0 : upto;
}

LS_FUNCTION f64 ls_log(f64 x) {
  const bool tiny = x < 0x1p-1022;
  const f64 normal = tiny ? x * 0x1p54 : x;
  const u64 bits = ls_bits_of(normal) + (0x3ff0000000000000u - 0x3fe6a09e00000000u);
  const f64 k = (ls_of_bits(bits >> 52 | 0x4330000000000000u) - 0x1p52) - (tiny ? 1077 : 1023);
  const f64 f =
      ls_of_bits((bits & 0x000fffffffffffffu) + 0x3fe6a09e00000000u) - 1; /* in [sqrt(1/2), sqrt(2)) - 1 */
  const f64 s = f / (2 + f), z = s * s, w = z * z, square = 0.5 * f * f;
  const f64 even = w * (0x1.999999997fa04p-2 + w * (0x1.c71c51d8e78afp-3 + w * 0x1.39a09d078c69fp-3));
  const f64 odd = z * (0x1.5555555555593p-1 +
                       w * (0x1.2492494229359p-2 + w * (0x1.7466496cb03dep-3 + w * 0x1.2f112df3e5244p-3)));
  const f64 y =
      k * 0x1.62e42feep-1 - ((square - (s * (square + (even + odd)) + k * 0x1.a39ef35793c76p-33)) - f);
  const f64 of_positive = x > 0x1.fffffffffffffp1023 ? x : y;
  const f64 beyond = x == 0 ? -INFINITY : NAN; /* NaN also if x is NaN */
  return x > 0 ? of_positive : beyond;
}

#ifdef LS_FUNCTIONS_APART
f64 ls_exp(f64 x);
#else
LS_FUNCTION f64 ls_exp(f64 x) { return ls_exp_here(x); }
#endif
#endif
#endif
