/* One of the four stages of a step by the classical method of Runge and Kutta (1901), one bytecode per thread. The stage
 * evaluates x; `begin` holds the states at the start of the step, `rate` the weighted sum of the rates. `rate` has a larger
 * tolerance, because a rate is a sum of terms that cancel, which amplifies errors in the last bits of an exponential. */
#include "ode/ode.h"

#define ODE_STATES_RK4_ARGS(A, W)                                                                           \
  ODE_CODE_ARGS(A) A(IN, f64, x, "vars*cells") A(INOUT, f64, x_next, "vars*cells")                          \
  A(INOUT, f64, begin, "vars*cells") A(INOUT, f64, rate, "vars*cells", WITHIN(1e-9, 1e-12))                 \
  A(IN, f64, dt, "1") A(VALUE, u32, stage, "1") A(COUNT, u32, lost, "1")
ARGS(ode_states_rk4, ODE_STATES_RK4_ARGS)

VERTEX_BODY(ode_states_rk4) {
  UNUSED_BODY;
  ODE_FIND(a, a->phases)
  const ode_target to = {.kind = ODE_RK4,
                         .stage = a->stage,
                         .h = a->dt[0],
                         .next = LS_POINTER(a->x_next),
                         .begin = LS_POINTER(a->begin),
                         .rate = LS_POINTER(a->rate),
                         .time = (u64)(a->vars - 1) * a->cells,
                         .lost = &count->lost};
  ode_run(&code, &thread, LS_POINTER(a->x), &to);
}
