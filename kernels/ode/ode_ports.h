/* Computes again the variables that a port takes from an assigned one, one bytecode per thread. */
#include "ode/ode.h"

#define ODE_PORTS_ARGS(A, W) ODE_JUMP_ARGS(A) A(INOUT, f64, x, "vars*cells")
ARGS(ode_ports, ODE_PORTS_ARGS)

VERTEX_BODY(ode_ports) {
  UNUSED_BODY;
  ODE_FIND_IN(a, a->jump_first, ODE_PORTS)
  const ode_target to = {.kind = ODE_FUNCTION, .next = LS_POINTER(a->x)};
  ode_run(&code, &thread, LS_POINTER(a->x), &to);
}
