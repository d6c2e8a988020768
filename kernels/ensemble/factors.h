/* The operations of LU factorisations whose order is generated, one statement per operation
 * (lua/ensemble/ensemble_factors.lua): a, b and c are places in the factors F or in the right side x.
 * COMPLEX_: of complex numbers, whose imaginary parts are in V and z. */
#ifndef ENSEMBLE_FACTORS_H
#define ENSEMBLE_FACTORS_H

#include "ensemble/ensemble.h"
#include "language/kernel.h"

#define LU_INVERT(a) F[a] = 1 / F[a];
#define LU_SCALE(a, b) F[a] *= F[b];
#define LU_SUBTRACT(a, b, c) F[a] = LESS_PRODUCT(F[a], F[b], F[c]);
#define LU_SOLVE(a, b, c) x[a] = LESS_PRODUCT(x[a], F[b], x[c]);
#define LU_DIVIDE(a, b) x[a] *= F[b];
#define COMPLEX_LU_INVERT(a) complex_invert(&F[a], &V[a]);
#define COMPLEX_LU_SCALE(a, b) complex_scale(&F[a], &V[a], F[b], V[b]);
#define COMPLEX_LU_SUBTRACT(a, b, c) complex_subtract(&F[a], &V[a], F[b], V[b], F[c], V[c]);
#define COMPLEX_LU_SOLVE(a, b, c) complex_subtract(&x[a], &z[a], F[b], V[b], x[c], z[c]);
#define COMPLEX_LU_DIVIDE(a, b) complex_scale(&x[a], &z[a], F[b], V[b]);

LS_INLINE void complex_invert(f64 *re, f64 *im) {
  const f64 size = *re * *re + *im * *im;
  *re /= size;
  *im /= -size;
}

LS_INLINE void complex_scale(f64 *re, f64 *im, f64 a, f64 b) {
  const f64 x = *re;
  *re = x * a - *im * b;
  *im = x * b + *im * a;
}

LS_INLINE void complex_subtract(f64 *re, f64 *im, f64 a, f64 b, f64 c, f64 d) {
  *re -= a * c - b * d;
  *im -= a * d + b * c;
}

#endif
