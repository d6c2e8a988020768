/* Finds the state that made the steps of a failed instance too short, by one Euler step of about the least
 * length: a state whose rate is not finite after it; else the one whose rate changes most relative to its
 * tolerance; else the one with the largest rate. */
#include "ensemble/unit.h"

/* clang-format off */
#define ENSEMBLE_BLAME_ARGS(A, W) \
  A(IN, f64, p, "VARIED*instances") A(IN, f64, y, "STATES*instances") A(IN, f64, t, "instances") \
  A(IN, u32, way, "instances") A(IN, f64, tolerance, "2") A(IN, f64, atol, "STATES") \
  A(INOUT, u32, blamed, "instances") A(VALUE, u32, instances, "1")
/* clang-format on */
ARGS_OF(ENSEMBLE_ROW(blame), ENSEMBLE_BLAME_ARGS)

VERTEX_BODY(ENSEMBLE_ROW(blame)) {
  UNUSED_BODY;
  const u32 i = v;
  if (a->way[i] != ENSEMBLE_FAILED) return;
  f64 y[STATES], z[STATES], p[VARIED], rate[STATES], later[STATES];
  const f64 t = a->t[i], step = fmax(1e-13 * fabs(t), 1e-300);
  LOAD_INSTANCE
  model_rates(t, p, y, rate);
  for (u32 s = 0; s < STATES; s++) z[s] = y[s] + step * rate[s];
  model_rates(t + step, p, z, later);
  u32 reason = ENSEMBLE_TOO_FAST, worst = 0, quickest = 0;
  f64 most = 0, speed = 0;
  for (u32 s = 0; s < STATES; s++) {
    if (later[s] != later[s]) {
      reason = ENSEMBLE_NO_NUMBER;
      worst = s;
      break;
    }
    const f64 tolerated = a->atol[s] + a->tolerance[0] * fabs(y[s]);
    const f64 change = fabs(later[s] - rate[s]) / tolerated, own = fabs(rate[s]) / tolerated;
    if (change > most) most = change, worst = s;
    if (own > speed) speed = own, quickest = s;
  }
  if (reason == ENSEMBLE_TOO_FAST && !(most > 0)) worst = quickest;
  a->blamed[i] = reason | worst << ENSEMBLE_REASON_BITS;
}
