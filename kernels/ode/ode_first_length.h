/* Chooses the length of the first step so that its error is small compared to the tolerance (Hairer, Norsett and Wanner 1993,
 * II.4). Pass 0 uses the states and their rates; pass 1 the change of the rates over a step of that length. One thread. */
#include "ode/ode.h"

#define ODE_FIRST_LENGTH_ARGS(A, W)                                                                         \
  A(IN, f64, sums, "3*parts") A(INOUT, f64, pace, "9") A(INOUT, u32, progress, "6") A(VALUE, u32, pass, "1") \
  A(VALUE, u32, parts, "1") A(VALUE, u32, states, "1") A(VALUE, u32, cells, "1")
ARGS(ode_first_length, ODE_FIRST_LENGTH_ARGS)

VERTEX_BODY(ode_first_length) {
  UNUSED_BODY;
  if (v) return;
  const f64 n = (f64)a->states * a->cells, longest = a->pace[ODE_PACE_LONGEST];
  f64 size = 0, speed = 0, bend = 0, h = a->pace[ODE_PACE_LENGTH];
  for (u32 i = 0; i < a->parts; i++) {
    size += a->sums[i];
    speed += a->sums[a->parts + i];
    bend += a->sums[2 * a->parts + i];
  }
  size = sqrt(size / n), speed = sqrt(speed / n), bend = sqrt(bend / n) / h;
  if (a->pass == 0) {
    h = ls_dopri5_guess(size, speed);
  } else {
    h = ls_dopri5_first(h, fmax(speed, bend));
    a->progress[ODE_FRESH] = 0;
    a->progress[ODE_REJECTED] = 0;
  }
  a->pace[ODE_PACE_LENGTH] = fmin(h, longest);
}
