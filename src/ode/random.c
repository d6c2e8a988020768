/* Random operators. Each draw is a hash of the seed, the operator, its index and the number of the step, so
 * that a simulation can be repeated, and an engine that computes in another order makes the same draws. */
#include <math.h>

#include "core/counter_random.h"
#include "ode/parts.h"

f64 ode_draw(const ode_system *s, const ls_term *t, const f64 *arg) {
  enum { A_STEP = 1024 }; /* numbers that are reserved for the draws of one step */
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
