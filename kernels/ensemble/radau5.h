/* Radau IIA of order 5, for stiff models (Hairer and Wanner 1996, IV.8). The equations of the three stages
 * become one real and one complex system in the variables w = T^-1 (stages - y). Newton's iterations start
 * from the last step's collocation polynomial. The error estimate is an embedded formula of order 3, so the
 * method works with the tolerance 0.1 rtol^(3/4). (The program RADAU5 uses 0.1 rtol^(2/3), which is cheaper
 * but meets small tolerances less well.) The text defines PLACES and ENTRIES, the numbers of elements of the
 * factors and of the Jacobian. */
#ifndef STEP_PART

#ifndef ENSEMBLE_RADAU5_H
#define ENSEMBLE_RADAU5_H

/* The stages' times (4 -+ sqrt(6)) / 10; the eigenvalues of the inverse of the method's matrix; the error
 * estimate; the matrices T (T32 = 1, T33 = 0) and B = T^-1. */
#define RADAU_1 0.15505102572168222
#define RADAU_2 0.64494897427831777
#define RADAU_REAL 3.6378342527444962
#define RADAU_RE 2.6810828736277523
#define RADAU_IM 3.0504301992474105
#define RADAU_E1 -10.048809399827414
#define RADAU_E2 1.3821427331607481
#define RADAU_E3 (-1.0 / 3)
#define RADAU_T11 9.1232394870892942792e-02
#define RADAU_T12 -0.14125529502095420843
#define RADAU_T13 -3.0029194105147424492e-02
#define RADAU_T21 0.24171793270710701896
#define RADAU_T22 0.20412935229379993199
#define RADAU_T23 0.38294211275726193779
#define RADAU_T31 0.96604818261509293619
#define RADAU_B11 4.3255798900631553510
#define RADAU_B12 0.33919925181580986954
#define RADAU_B13 0.54177053993587487119
#define RADAU_B21 -4.1787185915519047273
#define RADAU_B22 -0.32768282076106238708
#define RADAU_B23 0.47662355450055045196
#define RADAU_B31 -0.50287263494578687595
#define RADAU_B32 2.5719269498556054292
#define RADAU_B33 -0.59603920482822492497

#define RADAU_SUM(row, x1, x2, x3) RADAU_##row##1 * (x1) + RADAU_##row##2 * (x2) + RADAU_##row##3 * (x3)
/* The collocation polynomial of the last step, minus its value at the end, at x steps after the end. */
#define RADAU_POLYNOMIAL(x) (x) * (c1[k] + ((x) - (RADAU_2 - 1)) * (c2[k] + ((x) - (RADAU_1 - 1)) * c3[k]))

#if CONDITIONS /* a condition may change between two iterations: fast convergence in the last step does not  \
                  show that one is enough */
#define RADAU_QUICKEST 1
#else
#define RADAU_QUICKEST 2.2e-16
#endif

#endif

#define STEP_FILE "ensemble/radau5.h"
#define STEP_ROW ENSEMBLE_ROW(radau5)
#define STEP_ORDER 4
#define STEP_FIRST_RATE rate
#define STEP_RTOL 0.1 * pow(a->tolerance[0], 0.75)
#define STEP_ATOL(k) (a->atol[k] * rtol / a->tolerance[0])
#define STEP_REDO before = 0
#define DENSE(k)                                                                                             \
  (z[k] + (part - 1) * (c1[k] + (part - 1 - (RADAU_2 - 1)) * (c2[k] + (part - 1 - (RADAU_1 - 1)) * c3[k])))
#include "ensemble/attempt.h"

#elif STEP_PART == STEP_BEGINS

f64 J[ENTRIES], F[PLACES], X[PLACES], V[PLACES], rate[STATES], scale[STATES], z1[STATES], z2[STATES],
    z3[STATES];
f64 w1[STATES], w2[STATES], w3[STATES], f1[STATES], f2[STATES], f3[STATES], c1[STATES], c2[STATES],
    c3[STATES];
f64 before = 0,
    slowness =
        1; /* before: length of the step of c1 to c3, or 0; slowness: theta/(1 - theta) of Newton's method */
const f64 enough = fmax(10 * 2.2e-16 / rtol, fmin(0.03, sqrt(rtol)));
JACOBIAN(t, y, J);
RATES(t, y, rate);

#elif STEP_PART == STEP_TRIES

const f64 re = RADAU_RE / step, im = RADAU_IM / step, real = RADAU_REAL / step;
FACTORS(real, J, F);
model_complex_factors(re, im, J, X, V);
const f64 ratio = before > 0 ? step / before : 0, s1 = RADAU_1 * ratio, s2 = RADAU_2 * ratio;
if (ratio > 0) {
  FOR_STATES(z1[k] = RADAU_POLYNOMIAL(s1); z2[k] = RADAU_POLYNOMIAL(s2); z3[k] = RADAU_POLYNOMIAL(ratio);
             w1[k] = RADAU_SUM(B1, z1[k], z2[k], z3[k]); w2[k] = RADAU_SUM(B2, z1[k], z2[k], z3[k]);
             w3[k] = RADAU_SUM(B3, z1[k], z2[k], z3[k]);)
} else {
  FOR_STATES(z1[k] = z2[k] = z3[k] = w1[k] = w2[k] = w3[k] = 0;)
}
FOR_STATES(scale[k] = STEP_ATOL(k) + rtol * fabs(y[k]);)
f64 change = 0, theta = 0, ratio_before = 0;
bool solved = false;
slowness = pow(fmax(slowness, RADAU_QUICKEST), 0.8);
shorter = 0.5;
for (u32 turn = 0; turn < 7 && !solved; turn++) {
  FOR_STATES(z[k] = y[k] + z1[k];)
  RATES(t + RADAU_1 * step, z, f1);
  FOR_STATES(z[k] = y[k] + z2[k];)
  RATES(t + RADAU_2 * step, z, f2);
  FOR_STATES(z[k] = y[k] + z3[k];)
  RATES(t + step, z, f3);
  FOR_STATES(const f64 g1 = f1[k], g2 = f2[k], g3 = f3[k]; f1[k] = RADAU_SUM(B1, g1, g2, g3) - real * w1[k];
             f2[k] = RADAU_SUM(B2, g1, g2, g3) - re * w2[k] + im * w3[k];
             f3[k] = RADAU_SUM(B3, g1, g2, g3) - re * w3[k] - im * w2[k];)
  SOLVE(F, f1);
  model_complex_solve(X, V, f2, f3);
  f64 size = 0;
  FOR_STATES(size += (f1[k] * f1[k] + f2[k] * f2[k] + f3[k] * f3[k]) / (scale[k] * scale[k]);)
  size = sqrt(size / (3 * STATES));
  if (!(size - size == 0)) break;
  if (turn > 0) {
    const f64 ratio_now = size / change;
    theta = turn == 1 ? ratio_now : sqrt(ratio_now * ratio_before);
    ratio_before = ratio_now;
    if (!(theta < 0.99)) break;
    slowness = theta / (1 - theta);
    const f64 to_come =
        slowness * size * pow(theta, 6.0 - turn) / enough; /* the predicted error after all iterations */
    if (turn < 6 && to_come >= 1) {
      shorter = 0.8 * pow(fmax(1e-4, fmin(20.0, to_come)), -1.0 / (10.0 - turn));
      break;
    }
  }
  change = fmax(size, 2.2e-16);
  FOR_STATES(w1[k] += f1[k]; w2[k] += f2[k]; w3[k] += f3[k]; z1[k] = RADAU_SUM(T1, w1[k], w2[k], w3[k]);
             z2[k] = RADAU_SUM(T2, w1[k], w2[k], w3[k]); z3[k] = RADAU_T31 * w1[k] + w2[k];)
  solved = slowness * size <= enough;
}
if (!solved) {
  slowness = 1;
  before = 0;
  error = INFINITY;
} else {
  /* the error estimate: the embedded formula's difference, damped by the real system (IV.8.19) */
  FOR_STATES(f2[k] = (RADAU_SUM(E, z1[k], z2[k], z3[k])) / step; f3[k] = f2[k] + rate[k];)
  SOLVE(F, f3);
  for (u32 turn = 0;; turn++) {
    error = 0;
    FOR_STATES(error += (f3[k] / scale[k]) * (f3[k] / scale[k]);)
    if (turn > 0 || error < STATES || (!refused && before > 0)) break;
    FOR_STATES(z[k] = y[k] + f3[k];)
    RATES(t, z, f1);
    FOR_STATES(f3[k] = f1[k] + f2[k];)
    SOLVE(F, f3);
  }
  FOR_STATES(z[k] = y[k] + z3[k];)
}

#elif STEP_PART == STEP_READY

FOR_STATES(c1[k] = (z2[k] - z3[k]) / (RADAU_2 - 1);
           c2[k] = ((z1[k] - z2[k]) / (RADAU_1 - RADAU_2) - c1[k]) / (RADAU_1 - 1);
           c3[k] = c2[k] - ((z1[k] - z2[k]) / (RADAU_1 - RADAU_2) - z1[k] / RADAU_1) / RADAU_2;)
before = step;

#elif STEP_PART == STEP_ACCEPTED

FOR_STATES(y[k] = z[k];)
if (!over) {
  JACOBIAN(t, y, J);
  RATES(t, y, rate);
#if CONDITIONS
  if (found) before = 0;
#endif
}

#endif
