/* Makes the end of an accepted step the beginning of the next one, including the rates there. One thread per state and cell. */
#include "ode/ode.h"

#define ODE_ACCEPT_ARGS(A, W) \
  A(IN, f64, x, "vars*cells") A(INOUT, f64, begin, "vars*cells") A(INOUT, f64, slopes, "7*vars*cells") ODE_STATE_ARGS(A)
ARGS(ode_accept, ODE_ACCEPT_ARGS)

VERTEX_BODY(ode_accept) {
  UNUSED_BODY;
  const u64 at = ODE_STATE_AT(a, v);
  a->begin[at] = a->x[at];
  a->slopes[at] = a->slopes[6 * (u64)a->vars * a->cells + at];
}
