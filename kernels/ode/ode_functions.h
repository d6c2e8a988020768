/* Computes one phase of functions, one bytecode per thread: the kernel update_funcs of Okuyama 2013, figure 5.7. */
#include "ode/ode.h"

#define ODE_FUNCTIONS_ARGS(A, W) ODE_CODE_ARGS(A) A(INOUT, f64, x, "vars*cells") A(VALUE, u32, phase, "1", index, "phases")
ARGS(ode_functions, ODE_FUNCTIONS_ARGS)

VERTEX_BODY(ode_functions) {
  UNUSED_BODY;
  ODE_FIND(a, a->phase)
  const ode_target to = {.kind = ODE_FUNCTION, .next = LS_POINTER(a->x)};
  ode_run(&code, &thread, LS_POINTER(a->x), &to);
}
