/* Random operators. A draw is a hash of the seed, the operator's stream and the step, so that a run can be
 * repeated, and an engine that computes in another order draws the same. */
#include <math.h>

#include "core/random.h"
#include "reference/ode_parts.h"

typedef struct draws {
  u64 key, number;
} draws;

static f64 uniform(draws *d) { /* 0 < x < 1 */
  return ((f64)(ls_draw(d->key, d->number++) >> 11) + 0.5) * 0x1p-53;
}

static f64 normal(draws *d) { /* Box and Muller 1958 */
  const f64 r = sqrt(-2 * log(uniform(d)));
  return r * cos(6.28318530717958647692 * uniform(d));
}

/* By inversion, in parts whose probabilities do not underflow; a large mean is as good as normal. */
static f64 poisson(draws *d, f64 mean) {
  enum { PART = 500, LARGE = 1 << 20 };
  if (!(mean >= 0)) return NAN;
  if (mean > LARGE) return fmax(0, round(mean + sqrt(mean) * normal(d)));
  f64 k = 0;
  for (; mean > 0; mean -= PART) {
    const f64 part = fmin(mean, PART), u = uniform(d);
    f64 p = exp(-part), sum = p, n = 0;
    while (u > sum && p > 0) {
      n++;
      p *= part / n;
      sum += p;
    }
    k += n;
  }
  return k;
}

static f64 gamma_draw(draws *d, f64 shape) { /* Marsaglia and Tsang 2000 */
  if (!(shape > 0) || isinf(shape)) return NAN;
  const f64 boost = shape < 1 ? pow(uniform(d), 1 / shape) : 1;
  const f64 a = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / sqrt(9 * a);
  for (;;) {
    const f64 x = normal(d), v = pow(1 + c * x, 3);
    if (v > 0 && log(uniform(d)) < 0.5 * x * x + a - a * v + a * log(v)) return boost * a * v;
  }
}

f64 ode_draw(const ode_system *s, const ls_term *t, const f64 *arg) {
  enum { A_STEP = 1024 }; /* draws of a step that do not meet the next one's */
  draws d = {ls_key(s->seed ^ (u64)t->op << 56, t->index), s->step * A_STEP};
  switch (t->op) {
  case LS_WIENER_OP: return normal(&d) / sqrt(s->dt);
  case LS_UNIFORM_OP: return arg[0] + uniform(&d) * (arg[1] - arg[0]);
  case LS_GAUSS_OP: return arg[0] + arg[1] * normal(&d);
  case LS_EXPONENTIAL_OP: return -log(uniform(&d)) / arg[0];
  case LS_POISSON_OP: return poisson(&d, arg[0]);
  case LS_GAMMA_OP: return arg[1] * gamma_draw(&d, arg[0]);
  case LS_LOGNORMAL_OP: return exp(arg[0] + arg[1] * normal(&d));
  case LS_WEIBULL_OP: return arg[0] * pow(-log(uniform(&d)), 1 / arg[1]);
  default: return NAN;
  }
}
