/* One Euler step of all states, one bytecode per thread: the kernel update_odes_euler of Okuyama 2013, figure 5.7. The new
 * states go to x_next, because other threads still read x. */
#include "ode/ode.h"

#define ODE_STATES_EULER_ARGS(A, W)                                                                         \
  ODE_CODE_ARGS(A) A(IN, f64, x, "vars*cells") A(INOUT, f64, x_next, "vars*cells") A(IN, f64, dt, "1")      \
  A(COUNT, u32, lost, "1")
ARGS(ode_states_euler, ODE_STATES_EULER_ARGS)

VERTEX_BODY(ode_states_euler) {
  UNUSED_BODY;
  ODE_FIND(a, a->phases)
  const ode_target to = {.kind = ODE_EULER, .h = a->dt[0], .next = LS_POINTER(a->x_next), .lost = &count->lost};
  ode_run(&code, &thread, LS_POINTER(a->x), &to);
}
