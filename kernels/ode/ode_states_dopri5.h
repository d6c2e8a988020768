/* One of the seven stages of a step by the method of Dormand and Prince, one bytecode per thread. The stage evaluates x and
 * writes x_next, which the next stage evaluates. */
#include "ode/ode.h"

#define ODE_STATES_DOPRI5_ARGS(A, W) ODE_CODE_ARGS(A) A(IN, f64, x, "vars*cells") ODE_DOPRI5_ARGS(A)
ARGS(ode_states_dopri5, ODE_STATES_DOPRI5_ARGS)

VERTEX_BODY(ode_states_dopri5) {
  UNUSED_BODY;
  ODE_FIND(a, a->phases)
  const ode_target to = ODE_TO_DOPRI5(a);
  ode_run(&code, &thread, LS_POINTER(a->x), &to);
}
