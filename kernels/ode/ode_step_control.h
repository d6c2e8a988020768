/* Accepts or rejects the attempted step, and chooses the length of the next one. One thread. */
#include "ode/ode.h"

#define ODE_STEP_CONTROL_ARGS(A, W)                                                                         \
  A(IN, f64, sums, "3*parts") A(INOUT, f64, pace, "9") A(INOUT, u32, progress, "6") A(VALUE, u32, parts, "1") \
  A(VALUE, u32, states, "1") A(VALUE, u32, cells, "1") A(COUNT, u32, accepted, "1") A(COUNT, u32, rejected, "1") \
  A(COUNT, u32, left, "1") A(COUNT, u32, failed, "1")
ARGS(ode_step_control, ODE_STEP_CONTROL_ARGS)

VERTEX_BODY(ode_step_control) {
  (void)push;
  if (v) return;
  bool last;
  f64 *pace = LS_POINTER(a->pace);
  const f64 t = pace[ODE_PACE_TIME], h = ode_length(pace, &last);
  f64 sum = 0;
  for (u32 i = 0; i < a->parts; i++) sum += a->sums[i];
  const f64 e = sqrt(sum / ((f64)a->states * a->cells));
  if (e <= 1) {
    const f64 longer = ls_dopri5_longer(h, e, a->progress[ODE_REJECTED] != 0);
    pace[ODE_PACE_BEFORE] = t;
    pace[ODE_PACE_TIME] = last ? pace[ODE_PACE_LIMIT] : t + h;
    /* a step cut short at the limit does not show how long the next may be */
    if (!last || longer > pace[ODE_PACE_LENGTH]) pace[ODE_PACE_LENGTH] = longer;
    a->progress[ODE_REJECTED] = 0;
    count->accepted++;
    if (!last) count->left++;
    return;
  }
  count->rejected++;
  a->progress[ODE_REJECTED] = 1;
  pace[ODE_PACE_LENGTH] = ls_dopri5_shorter(h, e);
  if (ls_dopri5_is_too_short(pace[ODE_PACE_LENGTH], t)) {
    a->progress[ODE_FAILED] = 1;
    count->failed++;
    return;
  }
  count->left++;
}
