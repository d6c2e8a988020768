/* Sums the squares of the states' errors: part i sums the states i, i + parts, i + 2*parts, ..., in this order on every
 * processor. */
#include "ode/ode.h"

#define ODE_ERROR_SUMS_ARGS(A, W) \
  A(IN, f64, error, "vars*cells") A(INOUT, f64, sums, "3*parts") A(VALUE, u32, parts, "1") ODE_STATE_ARGS(A)
ARGS(ode_error_sums, ODE_ERROR_SUMS_ARGS)

VERTEX_BODY(ode_error_sums) {
  UNUSED_BODY;
  const u64 all = (u64)a->states * a->cells;
  f64 sum = 0;
  for (u64 i = v; i < all; i += a->parts) sum += a->error[ODE_STATE_AT(a, i)];
  a->sums[v] = sum;
}
