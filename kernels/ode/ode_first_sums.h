/* Sums the squares of the states, of their rates, and of the change of the rates over an Euler step, each divided by the
 * tolerance: part i sums the states i, i + parts, i + 2*parts, ..., in this order on every processor. */
#include "ode/ode.h"

#define ODE_FIRST_SUMS_ARGS(A, W)                                                                           \
  A(IN, f64, begin, "vars*cells") A(IN, f64, slopes, "7*vars*cells") A(IN, f64, scale, "vars*cells")        \
  A(IN, f64, pace, "9") A(INOUT, f64, sums, "3*parts") A(VALUE, u32, parts, "1") ODE_STATE_ARGS(A)
ARGS(ode_first_sums, ODE_FIRST_SUMS_ARGS)

VERTEX_BODY(ode_first_sums) {
  UNUSED_BODY;
  const u64 all = (u64)a->states * a->cells, apart = (u64)a->vars * a->cells;
  f64 size = 0, speed = 0, bend = 0;
  for (u64 i = v; i < all; i += a->parts) {
    const u64 at = ODE_STATE_AT(a, i);
    const f64 y = a->begin[at], w = ode_allowed(LS_POINTER(a->pace), a->scale[at], y, y);
    const f64 first = a->slopes[at], change = (a->slopes[apart + at] - first) / w;
    size += y / w * (y / w);
    speed += first / w * (first / w);
    bend += change * change;
  }
  a->sums[v] = size;
  a->sums[a->parts + v] = speed;
  a->sums[2 * a->parts + v] = bend;
}
