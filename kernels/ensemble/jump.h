/* The jump of derivatives at a change of conditions, for equations with sensitivities: the first half of the
 * states are those of the model, the second half their derivatives in a direction of the parameters. The time
 * at which a condition changes depends on the parameters; there the derivatives jump by the jump of the rates
 * times the derivative of that time (Rozenvasser 1967). model_shift(c, t, p, y) is the derivative of the time
 * at which condition c changes. */
#include "ensemble/unit.h"

/* before and u: the time and the values just before the change; t and y: just after it; turned: the bits that
 * changed. */
LS_CODE_CALL void model_jump(f64 before, const f64 *u, f64 t, const f64 *p, f64 *y, const u32 *turned) {
  f64 rate[STATES], next[STATES], shift = 0;
  model_rates(before, p, u, rate);
  model_rates(t, p, y, next);
  for (u32 c = 0; c < CONDITIONS && shift == 0; c++) {
    const u32 at = CALLING + c;
    if (turned[at / 32] >> at % 32 & 1) shift = model_shift(c, before, p, u);
  }
  if (!(shift - shift == 0))
    return; /* not finite: the trajectory only touches the change, or reaches it with speed 0 */
  for (u32 s = 0; s < STATES / 2; s++) y[STATES / 2 + s] += (rate[s] - next[s]) * shift;
}
