/* RODAS4, for stiff models (Hairer and Wanner 1996, IV.7, in the transformed variables). Each attempt
 * computes the Jacobian in the array of the factors, which then overwrite it. Keeping the Jacobian for the
 * next attempt would rarely help, because few steps are rejected, and would take memory of each thread. The
 * text defines
 *
 *   PLACES       the number of elements of the factors
 *   TIMED        do the rates depend on time? Then the Jacobian has one more argument
 *   STAGES_LOOP  are the stages a loop? This is for models that need more registers than a GPU has: with
 *                unrolled stages, the compiler computes sums of later stages early and keeps all of them,
 *                and the code exceeds the instruction cache
 *   KEEP_SUMS    statements that project z back onto the sums that the equations conserve; they use
 *                TOLERATED_SQUARE(k), the square of the tolerance of state k */
#ifndef STEP_PART

#ifndef ENSEMBLE_RODAS4_H
#define ENSEMBLE_RODAS4_H

#define RODAS4_GAMMA 0.25
#define RODAS4_T2 0.386
#define RODAS4_T3 0.21
#define RODAS4_T4 0.63
#define RODAS4_D1 0.25
#define RODAS4_D2 -0.1043
#define RODAS4_D3 0.1035
#define RODAS4_D4 -0.03620000000000023
#define RODAS4_A2 1.544
#define RODAS4_A3 0.9466785280815826, 0.2557011698983284
#define RODAS4_A4 3.314825187068521, 2.896124015972201, 0.9986419139977817
#define RODAS4_A5 1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950
#define RODAS4_C2 -5.6688
#define RODAS4_C3 -2.430093356833875, -0.2063599157091915
#define RODAS4_C4 -0.1073529058151375, -9.594562251023355, -20.47028614809616
#define RODAS4_C5 7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160
#define RODAS4_C6                                                                                            \
  8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054
#define RODAS4_DENSE1                                                                                        \
  10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823, 1.025137723295662
#define RODAS4_DENSE2                                                                                        \
  -0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386, -6.594389125716872

/* x + the sum of the first slopes times these coefficients; the sum alone. SLOPE(s) is slope s of state k. */
#define PLUS_1(x, c1) PLUS_PRODUCT(x, c1, SLOPE(1))
#define PLUS_2(x, c1, c2) PLUS_PRODUCT(PLUS_1(x, c1), c2, SLOPE(2))
#define PLUS_3(x, c1, c2, c3) PLUS_PRODUCT(PLUS_2(x, c1, c2), c3, SLOPE(3))
#define PLUS_4(x, c1, c2, c3, c4) PLUS_PRODUCT(PLUS_3(x, c1, c2, c3), c4, SLOPE(4))
#define SUM_1(c1) (c1) * SLOPE(1)
#define SUM_2(c1, c2) PLUS_PRODUCT(SUM_1(c1), c2, SLOPE(2))
#define SUM_3(c1, c2, c3) PLUS_PRODUCT(SUM_2(c1, c2), c3, SLOPE(3))
#define SUM_4(c1, c2, c3, c4) PLUS_PRODUCT(SUM_3(c1, c2, c3), c4, SLOPE(4))
#define SUM_5(c1, c2, c3, c4, c5) PLUS_PRODUCT(SUM_4(c1, c2, c3, c4), c5, SLOPE(5))
#define OF_LIST(macro, ...) macro(__VA_ARGS__) /* for coefficients that are a macro */

#define TOLERATED_SQUARE(k) TOLERATED(k, ABSOLUTE(y[k])) * TOLERATED(k, ABSOLUTE(y[k]))

#if TIMED
#define JACOBIAN_INTO(F) JACOBIAN(t, y, F, by_time)
#define BY_TIME(d) +d *step *by_time[k]
#else
#define JACOBIAN_INTO(F) JACOBIAN(t, y, F)
#define BY_TIME(d)
#endif

#if STAGES_LOOP
/* A row for each stage: its time, the factor of the derivative by time, five coefficients of A, five of C. */
ENSEMBLE_TABLE f64 rodas4_stages[6][12] = {
    {0, RODAS4_D1},
    {RODAS4_T2, RODAS4_D2, RODAS4_A2, 0, 0, 0, 0, RODAS4_C2},
    {RODAS4_T3, RODAS4_D3, RODAS4_A3, 0, 0, 0, RODAS4_C3},
    {RODAS4_T4, RODAS4_D4, RODAS4_A4, 0, 0, RODAS4_C4},
    {1, 0, RODAS4_A5, 0, RODAS4_C5},
    {1, 0, RODAS4_A5, 1, RODAS4_C6},
};
#define SLOPE(s) slopes[((s)-1) * STATES + k]
#else
#define SLOPE(s) k##s[k]
#endif

#endif

#define STEP_FILE "ensemble/rodas4.h"
#define STEP_ROW ENSEMBLE_ROW(rodas4)
#define STEP_ORDER 4
#define STEP_FIRST_RATE k6
#define STEP_RTOL a->tolerance[0]
#define STEP_ATOL(k) ((f64)a->atol[k])
#define STEP_REDO (void)0
#define DENSE(k)                                                                                             \
  ((1 - part) * y[k] +                                                                                       \
   part * (z[k] + (1 - part) * (OF_LIST(SUM_5, RODAS4_DENSE1) + part * (OF_LIST(SUM_5, RODAS4_DENSE2)))))
#include "ensemble/attempt.h"

#elif STEP_PART == STEP_BEGINS

ARRAY(F, PLACES)
ARRAY(k6, STATES)
#if TIMED
ARRAY(by_time, STATES)
#endif
#if STAGES_LOOP
/* `sum` is the part of a stage's right side that comes from earlier stages */
f64 slopes[5 * STATES], sum[STATES];
#else
ARRAY(k1, STATES)
ARRAY(k2, STATES)
ARRAY(k3, STATES)
ARRAY(k4, STATES)
ARRAY(k5, STATES)
#endif
RATES(t, y, k6);

#elif STEP_PART == STEP_TRIES

const number per_step = 1 / step;
JACOBIAN_INTO(F);
FACTORS(1 / RODAS4_GAMMA * per_step, F, F);
#if STAGES_LOOP
for (u32 s = 0; s < 6; s++) {
  FOR_STATES(z[k] = y[k]; sum[k] = 0;)
  for (u32 j = 0; j < s; j++) {
    const f64 a_j = rodas4_stages[s][2 + j], c_j = rodas4_stages[s][7 + j];
    FOR_STATES(const f64 x = slopes[j * STATES + k]; z[k] = PLUS_PRODUCT(z[k], a_j, x);
               sum[k] = PLUS_PRODUCT(sum[k], c_j, x);)
  }
  RATES(t + rodas4_stages[s][0] * step, z, k6);
  FOR_STATES(k6[k] += sum[k] * per_step BY_TIME(rodas4_stages[s][1]);)
  SOLVE(F, k6);
  if (s < 5) { FOR_STATES(slopes[s * STATES + k] = k6[k];) }
}
#else
FOR_STATES(z[k] = y[k];)
RATES(t, z, k1);
#if TIMED
FOR_STATES(k1[k] += RODAS4_D1 * step * by_time[k];)
#endif
SOLVE(F, k1);
FOR_STATES(z[k] = PLUS_1(y[k], RODAS4_A2);)
RATES(t + RODAS4_T2 * step, z, k2);
FOR_STATES(k2[k] += (SUM_1(RODAS4_C2)) * per_step BY_TIME(RODAS4_D2);)
SOLVE(F, k2);
FOR_STATES(z[k] = OF_LIST(PLUS_2, y[k], RODAS4_A3);)
RATES(t + RODAS4_T3 * step, z, k3);
FOR_STATES(k3[k] += (OF_LIST(SUM_2, RODAS4_C3)) * per_step BY_TIME(RODAS4_D3);)
SOLVE(F, k3);
FOR_STATES(z[k] = OF_LIST(PLUS_3, y[k], RODAS4_A4);)
RATES(t + RODAS4_T4 * step, z, k4);
FOR_STATES(k4[k] += (OF_LIST(SUM_3, RODAS4_C4)) * per_step BY_TIME(RODAS4_D4);)
SOLVE(F, k4);
FOR_STATES(z[k] = OF_LIST(PLUS_4, y[k], RODAS4_A5);)
RATES(t + step, z, k5);
FOR_STATES(k5[k] += (OF_LIST(SUM_4, RODAS4_C5)) * per_step;)
SOLVE(F, k5);
FOR_STATES(z[k] += k5[k];)
RATES(t + step, z, k6);
FOR_STATES(k6[k] += (OF_LIST(SUM_5, RODAS4_C6)) * per_step;)
SOLVE(F, k6);
#endif
FOR_STATES(z[k] += k6[k];)
KEEP_SUMS
ADD_ERRORS(k6[k])

#elif STEP_PART == STEP_ACCEPTED

#ifdef BY_LANES
FOR_STATES(y[k] = CHOOSE(good, z[k], y[k]);)
#else
FOR_STATES(y[k] = z[k];)
#endif

#endif
