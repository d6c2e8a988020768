/* The method of Dormand and Prince (1980), of order 5, with its interpolant of order 4 (Hairer, Norsett and
 * Wanner 1993, II.6). It detects stiff instances (Hairer and Wanner 1996, IV.2): an instance is stiff after
 * fifteen steps whose length was limited by stability, not by accuracy, unless six others in a row come in
 * between. doubt: the number of such steps + 256 * the number of others since. */
#ifndef STEP_PART

#define STEP_FILE "ensemble/dopri5.h"
#define STEP_ROW ENSEMBLE_ROW(dopri5)
#define STEP_ORDER 5
#define STEP_FIRST_RATE k1
#define STEP_RTOL a->tolerance[0]
#define STEP_ATOL(k) ((f64)a->atol[k])
#define STEP_REDO (void)0
/* A sum of the slopes of all stages but the second. */
#define DOPRI5_SUM(c1, c3, c4, c5, c6, c7)                                                                   \
  PLUS_PRODUCT(                                                                                              \
      PLUS_PRODUCT(PLUS_PRODUCT(PLUS_PRODUCT(PLUS_PRODUCT((c1)*k1[k], c3, k3[k]), c4, k4[k]), c5, k5[k]),    \
                   c6, k6[k]),                                                                               \
      c7, k7[k])
#define DOPRI5_MIDDLE                                                                                        \
  DOPRI5_SUM(-12715105075.0 / 11282082432, 87487479700.0 / 32700410799, -10690763975.0 / 1880347072,         \
             701980252875.0 / 199316789632, -1453857185.0 / 822651844, 69997945.0 / 29380423)
#define DENSE(k)                                                                                             \
  (y[k] + part * (z[k] - y[k] +                                                                              \
                  (1 - part) * (step * k1[k] - (z[k] - y[k]) +                                               \
                                part * (2 * (z[k] - y[k]) - step * (k1[k] + k7[k]) +                         \
                                        (1 - part) * step * (DOPRI5_MIDDLE)))))
#include "ensemble/attempt.h"

#elif STEP_PART == STEP_BEGINS

ARRAY(w, STATES)
ARRAY(k1, STATES)
ARRAY(k2, STATES)
ARRAY(k3, STATES)
ARRAY(k4, STATES)
ARRAY(k5, STATES)
ARRAY(k6, STATES)
ARRAY(k7, STATES)
RATES(t, y, k1);

#elif STEP_PART == STEP_TRIES

FOR_STATES(z[k] = PLUS_PRODUCT(y[k], step, 1.0 / 5 * k1[k]);)
RATES(t + 1.0 / 5 * step, z, k2);
FOR_STATES(z[k] = PLUS_PRODUCT(y[k], step, PLUS_PRODUCT(3.0 / 40 * k1[k], 9.0 / 40, k2[k]));)
RATES(t + 3.0 / 10 * step, z, k3);
FOR_STATES(z[k] = PLUS_PRODUCT(y[k], step,
                               PLUS_PRODUCT(PLUS_PRODUCT(44.0 / 45 * k1[k], -56.0 / 15, k2[k]), 32.0 / 9,
                                            k3[k]));)
RATES(t + 4.0 / 5 * step, z, k4);
FOR_STATES(const number to_k3 = PLUS_PRODUCT(PLUS_PRODUCT(19372.0 / 6561 * k1[k], -25360.0 / 2187, k2[k]),
                                             64448.0 / 6561, k3[k]);
           z[k] = PLUS_PRODUCT(y[k], step, PLUS_PRODUCT(to_k3, -212.0 / 729, k4[k]));)
RATES(t + 8.0 / 9 * step, z, k5);
FOR_STATES(const number to_k3 = PLUS_PRODUCT(PLUS_PRODUCT(9017.0 / 3168 * k1[k], -355.0 / 33, k2[k]),
                                             46732.0 / 5247, k3[k]);
           z[k] = PLUS_PRODUCT(y[k], step,
                               PLUS_PRODUCT(PLUS_PRODUCT(to_k3, 49.0 / 176, k4[k]), -5103.0 / 18656, k5[k]));)
FOR_STATES(w[k] = z[k];)
RATES(t + step, z, k6);
FOR_STATES(const number to_k4 = PLUS_PRODUCT(PLUS_PRODUCT(35.0 / 384 * k1[k], 500.0 / 1113, k3[k]),
                                             125.0 / 192, k4[k]);
           z[k] = PLUS_PRODUCT(y[k], step,
                               PLUS_PRODUCT(PLUS_PRODUCT(to_k4, -2187.0 / 6784, k5[k]), 11.0 / 84, k6[k]));)
RATES(t + step, z, k7);
ADD_ERRORS(step *(DOPRI5_SUM(71.0 / 57600, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525,
                             -1.0 / 40)))

#elif STEP_PART == STEP_ACCEPTED

#ifdef BY_LANES
if (a->auto_stiff) { /* the same count as with one thread per instance */
  reals rates = REALS(0), values = REALS(0);
  FOR_STATES(rates += (k7[k] - k6[k]) * (k7[k] - k6[k]); values += (z[k] - w[k]) * (z[k] - w[k]);)
  const truths high = good & (values > 0) & (step * lanes_sqrt(rates / values) > 3.25);
  const truths other = good & NOT(high) & (doubt > 0), once = (doubt & 255) + 1;
  doubt = CHOOSE_TRUTHS(high, once, CHOOSE_TRUTHS(other, doubt + 256, doubt));
  const truths stiff = high & (once >= 15);
  doubt = CHOOSE_TRUTHS(stiff | (other & (doubt >= 6 * 256)), doubt & 0, doubt);
  if (ANY(stiff)) {
    EACH_LANE(l) {
      if (LANE(stiff, l)) a->way[at[l]] = ENSEMBLE_STIFF;
    }
    going &= NOT(stiff);
  }
}
FOR_STATES(y[k] = CHOOSE(good, z[k], y[k]); k1[k] = CHOOSE(good, k7[k], k1[k]);)
#else
if (a->auto_stiff && !found) {
  f64 rates = 0, values = 0;
  FOR_STATES(rates += (k7[k] - k6[k]) * (k7[k] - k6[k]); values += (z[k] - w[k]) * (z[k] - w[k]);)
  rates = SUM(rates), values = SUM(values);
  if (values > 0 && step * sqrt(rates / values) > 3.25) {
    doubt = doubt % 256 + 1;
    if (doubt >= 15) {
      doubt = 0;
      a->way[i] = ENSEMBLE_STIFF;
      over = true;
    }
  } else if (doubt > 0) {
    doubt += 256;
    if (doubt >= 6 * 256) doubt = 0;
  }
}
FOR_STATES(y[k] = z[k]; k1[k] = k7[k];)
#if CONDITIONS
if (found && !over) RATES(t, y, k1);
#endif
#endif

#endif
