/* The forms of the rows that attempt steps. The text defines one of
 *
 *   BY_THREAD  one thread per instance of the queue `front`, for GPUs
 *   BY_TILE    one tile per instance, for CPUs: each thread takes one at a time, so that even a few
 *              instances are spread over all threads; other threads of a tile do nothing
 *   BY_LANES   one tile per LANES instances, one lane of a vector for each (lanes.h)
 *   BY_BLOCK   one block of threads per instance, which share the loops over its states (block.h)
 *
 * and the functions of the model in this form: with the prefix lanes_ or block_ instead of model_. In a
 * block, g has the values that p has otherwise. A method uses
 *
 *   number             the type of a number, or of one number per lane
 *   ARRAY(name, count) declares an array of numbers
 *   FOR_STATES(...)    the statements for each state k; then a barrier if threads share them
 *   FIRST              before a statement: for only one of the instance's threads
 *   SUM(x)             the sum over the instance's threads
 *   RATES(t, y, rate), JACOBIAN(t, y, J), FACTORS(diagonal, J, F), SOLVE(F, x)  functions of the model */
#ifndef ENSEMBLE_FORM_H
#define ENSEMBLE_FORM_H

#include "ensemble/unit.h"
#if defined BY_TILE || defined BY_LANES
#include "ensemble/lanes.h"
#endif

#ifdef BY_LANES
typedef reals number;
#define OF_FORM(function) lanes_##function
#define ABSOLUTE(x) lanes_fabs(x)
#define GREATER(x, y) lanes_fmax(x, y)
#else
typedef f64 number;
#ifndef BY_BLOCK
#define OF_FORM(function) model_##function
#endif
#define ABSOLUTE(x) fabs(x)
#define GREATER(x, y) fmax(x, y)
#endif

#ifdef BY_BLOCK
#define OF_FORM(function) block_##function
#define VALUES g
#define ARRAY(name, count)                                                                                   \
  number *const name = work + taken;                                                                         \
  taken += (count);
#define FOR_STATES(...) EACH_FROM(k, STATES, 0){__VA_ARGS__} TILE_SYNC;
#define FIRST if (FIRST_THREAD)
#define SUM(x) block_sum(x, work)
#else
#define VALUES p
#define ARRAY(name, count) number name[count];
#define FOR_STATES(...) EACH_STATE(__VA_ARGS__)
#define FIRST
#define SUM(x) (x)
#endif

#define RATES(t, y, rate) OF_FORM(rates)(t, VALUES, y, rate)
#define JACOBIAN(t, y, ...) OF_FORM(jacobian)(t, VALUES, y, __VA_ARGS__)
#define FACTORS(diagonal, J, F) OF_FORM(factors)(diagonal, J, F)
#define SOLVE(F, x) OF_FORM(solve)(F, x)

/* The tolerance of state k if the magnitude of its value is `size`. */
#define TOLERATED(k, size) (STEP_ATOL(k) + rtol * (size))
/* Adds the squares of the relative errors of the states. */
#define ADD_ERRORS(of_k)                                                                                     \
  FOR_STATES(const number part = (of_k) / TOLERATED(k, GREATER(ABSOLUTE(y[k]), ABSOLUTE(z[k])));             \
             error += part * part;)

/* The parts of a method's file, which attempt.h includes once for each. */
#define STEP_BEGINS 1
#define STEP_TRIES 2
#define STEP_READY 3
#define STEP_ACCEPTED 4

/* The arguments of the rows. The text lists those that they have in its form as ENSEMBLE_STEP_ARGS. */
#define ENSEMBLE_FRONT_ARGS(A) A(IN, u32, front, "instances+1", vertex_queue, "instances")
#define ENSEMBLE_QUEUE_ARGS(A) A(QIN, u32, front, "instances+1", vertex_queue, "instances")
/* clang-format off */
#define ENSEMBLE_EVERY_STEP_ARGS(A) \
  A(IN, f64, p, "VARIED*instances") A(INOUT, f64, y, "STATES*instances") A(INOUT, f64, t, "instances") \
  A(INOUT, f64, h, "instances") A(INOUT, u32, way, "instances") A(INOUT, u32, doubt, "instances") \
  A(QOUT, u32, front_next, "instances+1", vertex_queue, "instances") A(IN, f64, stop, "1") \
  A(IN, f64, tolerance, "2") A(IN, f64, atol, "STATES") A(VALUE, u32, attempts, "1") \
  A(VALUE, u32, auto_stiff, "1") A(VALUE, u32, instances, "1") A(COUNT, u32, accepted, "1") \
  A(COUNT, u32, rejected, "1") A(COUNT, u32, left, "1") A(COUNT, u32, failed, "1")
#define ENSEMBLE_CALL_ARGS(A) \
  A(IN, u32, truth, "WORDS*instances") A(IN, f64, due, "instances") A(INOUT, u32, called, "instances")
/* clang-format on */
#define ENSEMBLE_WORK_ARGS(A) A(INOUT, f64, work, "WORK*instances")

#endif
