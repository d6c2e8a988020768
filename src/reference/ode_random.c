/* Random operators. A draw is a hash of the seed, the operator's stream and the step, so that a run can be
 * repeated, and an engine that computes in another order draws the same. */
#include <math.h>

#include "core/draws.h"
#include "reference/ode_parts.h"

f64 ode_draw(const ode_system *s, const ls_term *t, const f64 *arg) {
  enum { A_STEP = 1024 }; /* draws of a step that do not meet the next one's */
  ls_draws d = {ls_key(s->seed ^ (u64)t->op << 56, t->index), s->step * A_STEP};
  switch (t->op) {
  case LS_WIENER_OP: return ls_draw_normal(&d) / sqrt(s->dt);
  case LS_UNIFORM_OP: return arg[0] + ls_draw_uniform(&d) * (arg[1] - arg[0]);
  case LS_GAUSS_OP: return arg[0] + arg[1] * ls_draw_normal(&d);
  case LS_EXPONENTIAL_OP: return -log(ls_draw_uniform(&d)) / arg[0];
  case LS_POISSON_OP: return ls_draw_poisson(&d, arg[0]);
  case LS_GAMMA_OP: return arg[1] * ls_draw_gamma(&d, arg[0]);
  case LS_LOGNORMAL_OP: return exp(arg[0] + arg[1] * ls_draw_normal(&d));
  case LS_WEIBULL_OP: return arg[0] * pow(-log(ls_draw_uniform(&d)), 1 / arg[1]);
  default: return NAN;
  }
}
