/* Computes the values that are assigned before a step, or after it, one bytecode per thread: the last phase of Okuyama 2013, section
 * 5.6.2. They go to x_next, because other threads still read x; ode_jumped copies them. */
#include "ode/ode.h"

#define ODE_JUMPS_ARGS(A, W) \
  ODE_JUMP_ARGS(A) A(IN, f64, x, "vars*cells") A(INOUT, f64, x_next, "vars*cells") A(VALUE, u32, order, "1")
ARGS(ode_jumps, ODE_JUMPS_ARGS)

VERTEX_BODY(ode_jumps) {
  UNUSED_BODY;
  const u32 order = a->order > 0;
  ODE_FIND_IN(a, a->jump_first, order)
  ode_code now = code;
  now.moment.late = order; /* the clock already counts this step, but its sample is not stored yet */
  const ode_target to = {.kind = ODE_FUNCTION, .next = LS_POINTER(a->x_next)};
  ode_run(&now, &thread, LS_POINTER(a->x), &to);
}
