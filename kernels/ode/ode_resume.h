/* Copies the states and the time at which the next step begins to x, so that the functions can be computed when the method
 * starts or restarts. One thread per state and cell. */
#include "ode/ode.h"

#define ODE_RESUME_ARGS(A, W) \
  A(IN, f64, begin, "vars*cells") A(INOUT, f64, x, "vars*cells") A(IN, f64, pace, "9") ODE_STATE_ARGS(A)
ARGS(ode_resume, ODE_RESUME_ARGS)

VERTEX_BODY(ode_resume) {
  UNUSED_BODY;
  const u64 at = ODE_STATE_AT(a, v);
  a->x[at] = a->begin[at];
  if (v < a->cells) a->x[(u64)(a->vars - 1) * a->cells + v] = a->pace[ODE_PACE_TIME];
}
