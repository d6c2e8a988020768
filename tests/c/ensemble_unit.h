/* A small model, a' = -p a, b' = a, as a text of an ensemble's kernels defines it (kernels/ensemble/unit.h),
 * with an event, a comparison at an instant, a condition and sensitivities where the form has these.
 * Compilers and clangd read the files of kernels/ensemble with it. The form is BY_TILE unless one is defined.
 */
#ifndef ENSEMBLE_UNIT_TEST_H
#define ENSEMBLE_UNIT_TEST_H

#ifndef W
#define W none
#endif
#if !defined BY_THREAD && !defined BY_LANES && !defined BY_BLOCK && !defined BY_TILE
#define BY_TILE
#endif

#define ENSEMBLE_ROW(what) example_##what
#define STATES 2
#define VARIED 1
#define EACH_STATE(...) ENSEMBLE_AT(0, __VA_ARGS__) ENSEMBLE_AT(1, __VA_ARGS__)
#define EACH_VARIED(...) ENSEMBLE_AT(0, __VA_ARGS__)
#define PLACES 3
#define ENTRIES 2

#if defined BY_LANES || defined BY_BLOCK
#define WORDS 0
#define CALLING 0
#define EVENTS 0
#define CONDITIONS 0
#define JUMPS 0
#define INSTANTS 0
#else
#define WORDS 1
#define CALLING 2
#define EVENTS 1
#define CONDITIONS 1
#define JUMPS 1
#define INSTANTS 1
#endif
#define EACH_WORD(...) ENSEMBLE_AT(0, __VA_ARGS__)
#define EACH_WATCHED(...) EACH_STATE(__VA_ARGS__)
#define SLOTS 4
#define WIDE 3
#define WAITING 12
#define EVENT_FIRST                                                                                          \
  { 0, 1 }
#define EVENT_FLAGS                                                                                          \
  { LS_CODE_AT_TRIGGER }

#define COLUMNS 2
#define EACH_COLUMN(RECORD) RECORD(0, y[0]) RECORD(1, p[0] * t)
#define ELEMENTS 2
#define EACH_ELEMENT(SET) SET(0, 0, 0) SET(1, 0, 1)
#define RELATIONS 1
#define TIMED_WORDS 1
#define EVENT_OF                                                                                             \
  { 0 }

#define BLOCK_VALUES 4
#define WORK 100
#define STEP_NUMBERS 100
#define STEP_SHARED 0
#define STEP_THREADS 128
#define STEP_BLOCKS 4
#ifdef BY_TILE /* radau5.h takes the Jacobian without the derivatives by time */
#define TIMED 0
#define BY_TIME_OF(number)
#else
#define TIMED 1
#define BY_TIME_OF(number) , number *by_time
#endif
#ifdef BY_THREAD
#define STAGES_LOOP 1
#else
#define STAGES_LOOP 0
#endif
#define KEEP_SUMS
#ifdef BY_THREAD
#define ENSEMBLE_STEP_ARGS(A, F) ENSEMBLE_QUEUE_ARGS(A) ENSEMBLE_EVERY_STEP_ARGS(A) ENSEMBLE_CALL_ARGS(A)
#elif defined BY_TILE
#define ENSEMBLE_STEP_ARGS(A, F) ENSEMBLE_FRONT_ARGS(A) ENSEMBLE_EVERY_STEP_ARGS(A) ENSEMBLE_CALL_ARGS(A)
#else
#define ENSEMBLE_STEP_ARGS(A, F) ENSEMBLE_FRONT_ARGS(A) ENSEMBLE_EVERY_STEP_ARGS(A) ENSEMBLE_WORK_ARGS(A)
#endif

#include "ensemble/form.h"
#include "ensemble/factors.h"
#include "ensemble/block.h"

LS_INLINE void model_rates(f64 t, const f64 *p, const f64 *y, f64 *rate) {
  (void)t;
  rate[0] = -p[0] * y[0];
  rate[1] = y[0];
}

/* The functions of a form that solves linear systems; the matrix is diagonal - J, J[0] in row 0 and J[1] in
 * row 1 of column 0. */
#if TIMED
#define EXAMPLE_BY_TIME by_time[0] = by_time[1] = t - t;
#else
#define EXAMPLE_BY_TIME
#endif
#define EXAMPLE_FUNCTIONS(form, number)                                                                      \
  LS_INLINE void form##_jacobian(number t, const number *p, const number *y, number *J BY_TIME_OF(number)) { \
    (void)t, (void)y;                                                                                        \
    J[0] = -p[0], J[1] = p[0] / p[0];                                                                        \
    EXAMPLE_BY_TIME                                                                                          \
  }                                                                                                          \
  LS_INLINE void form##_factors(number diagonal, const number *J, number *F) {                               \
    F[0] = diagonal - J[0], F[1] = -J[1], F[2] = diagonal;                                                   \
    LU_INVERT(0) LU_SCALE(1, 0) LU_INVERT(2)                                                                 \
  }                                                                                                          \
  LS_INLINE void form##_solve(const number *F, number *x) {                                                  \
    LU_SOLVE(1, 1, 0) LU_DIVIDE(0, 0) LU_DIVIDE(1, 2)                                                        \
  }
EXAMPLE_FUNCTIONS(model, f64)

LS_INLINE void model_complex_factors(f64 diagonal, f64 im, const f64 *J, f64 *F, f64 *V) {
  F[0] = diagonal - J[0], F[1] = -J[1], F[2] = diagonal;
  V[0] = V[2] = im, V[1] = 0;
  COMPLEX_LU_INVERT(0) COMPLEX_LU_SCALE(1, 0) COMPLEX_LU_INVERT(2)
}
LS_INLINE void model_complex_solve(const f64 *F, const f64 *V, f64 *x, f64 *z){
    COMPLEX_LU_SOLVE(1, 1, 0) COMPLEX_LU_DIVIDE(0, 0) COMPLEX_LU_DIVIDE(1, 2)}

#ifdef BY_LANES
LS_INLINE void lanes_rates(reals t, const reals *p, const reals *y, reals *rate) {
  (void)t;
  rate[0] = -p[0] * y[0];
  rate[1] = y[0];
}
EXAMPLE_FUNCTIONS(lanes, reals)
#endif

#ifdef BY_BLOCK
BLOCK_TABLE u32 example_first[] = {0, 1}, example_target[] = {1}, example_with[] = {BLOCK_NO},
                example_from[] = {0, 1}, example_b[] = {1}, example_c[] = {0};
LS_CODE_CALL void block_rates(f64 t, f64 *g, const f64 *y, f64 *rate) {
  if (FIRST_THREAD) g[STATES] = t;
  TILE_SYNC;
  EACH_FROM(k, 1, 0) rate[k] = -g[STATES + 1] * LEAF(k);
  EACH_FROM(k, 1, 1) rate[1 + k] = y[0];
  TILE_SYNC;
}
EXAMPLE_FUNCTIONS(block_of_one, f64)
LS_INLINE void block_jacobian(f64 t, f64 *g, const f64 *y, f64 *J, f64 *by_time) {
  if (FIRST_THREAD) block_of_one_jacobian(t, g + STATES + 1, y, J, by_time);
  TILE_SYNC;
}
LS_INLINE void block_factors(f64 diagonal, const f64 *J, f64 *F) {
  const block_operations all = {1,         example_first, example_target, example_with, example_from,
                                example_b, example_c};
  if (FIRST_THREAD) block_of_one_factors(diagonal, J, F);
  TILE_SYNC;
  block_factor(&all, F);
}
LS_INLINE void block_solve(const f64 *F, f64 *x) {
  const block_operations all = {1,         example_first, example_target, example_with, example_from,
                                example_b, example_c};
  if (FIRST_THREAD) block_of_one_solve(F, x);
  TILE_SYNC;
  block_substitute(&all, F, x);
}
#endif

LS_INLINE void model_truths(f64 t, const f64 *p, const f64 *y, u32 *truth) {
  truth[0] = (u32)(y[0] < p[0]) | (u32)(t >= 1) << 1 | (u32)(y[1] > 1) << 2;
}
LS_INLINE void model_instants(f64 t, const f64 *p, const f64 *y, const u32 *turned, bool again, u32 *truth) {
  model_truths(t, p, y, truth);
  if (!again) truth[0] |= turned[0] & 1;
}
LS_INLINE f64 model_shift(u32 c, f64 t, const f64 *p, const f64 *y) { return c + t + p[0] + y[0]; }
LS_INLINE f64 model_delay(u32 e, f64 t, const f64 *p, const f64 *y) { return e + t + p[0] + y[0]; }
LS_INLINE f64 model_priority(u32 e, f64 t, const f64 *p, const f64 *y) { return e + t + p[0] + y[0]; }
LS_INLINE f64 model_assigned(u32 c, f64 t, const f64 *p, const f64 *y) { return c + t + p[0] + y[0]; }
LS_INLINE void model_assign(u32 c, f64 x, f64 *p, f64 *y) { *(c ? p : y) = x; }
LS_INLINE void model_timed(f64 t, const f64 *p, const f64 *y, u32 *truth) { truth[0] = t > p[0] + y[0]; }

#endif
