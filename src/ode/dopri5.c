/* Simulation by the method of Dormand and Prince; ode/dopri5.h has its formulas. */
#include "ode/dopri5.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "ode/parts.h"

enum { STAGES = 7, DENSE = 5 };

typedef struct dopri5 {
  ode_stepper p;
  f64 h;              /* the length of the next step */
  f64 *y, *z, *k, *r; /* [states], [states], [STAGES][states], [states][DENSE]: the interpolant */
} dopri5;

static f64 scale(const dopri5 *d, u32 i, f64 a, f64 b) {
  return d->p.o->atol * d->p.s->scale[i] + d->p.o->rtol * fmax(fabs(a), fabs(b));
}

/* Stores the slope at (t, y) as that of a stage. */
static void slope(dopri5 *d, f64 t, const f64 *y, u32 stage) {
  ode_move(d->p.s, t, y);
  ode_rates(d->p.s, d->k + stage * d->p.s->states);
}

/* Chooses the length of the first step from the states and their rates (II.4). */
static f64 first_step(dopri5 *d) {
  const u32 n = d->p.s->states;
  f64 size = 0, speed = 0, bend = 0;
  for (u32 i = 0; i < n; i++) {
    const f64 w = scale(d, i, d->y[i], d->y[i]);
    size += pow(d->y[i] / w, 2);
    speed += pow(d->k[i] / w, 2);
  }
  size = sqrt(size / (n ? n : 1));
  speed = sqrt(speed / (n ? n : 1));
  const f64 h = fmin(ls_dopri5_guess(size, speed), d->p.longest);
  for (u32 i = 0; i < n; i++) d->z[i] = d->y[i] + h * d->k[i];
  slope(d, d->p.t1 + h, d->z, 1);
  for (u32 i = 0; i < n; i++) bend += pow((d->k[n + i] - d->k[i]) / scale(d, i, d->y[i], d->y[i]), 2);
  bend = sqrt(bend / (n ? n : 1)) / h;
  return fmin(ls_dopri5_first(h, fmax(speed, bend)), d->p.longest);
}

static ls_status begin_steps(ode_stepper *p) {
  dopri5 *d = (dopri5 *)p;
  ode_system *s = p->s;
  p->t0 = p->t1 = s->t;
  for (u32 i = 0; i < s->states; i++) d->y[i] = s->value[s->state[i]];
  slope(d, p->t1, d->y, 0);
  d->h = first_step(d);
  ode_move(s, p->t1, d->y);
  return LS_OK;
}

/* Computes the states of a stage, from 1 on, of the step of length h from y, and the slope there. */
static void evaluate(dopri5 *d, f64 h, u32 stage) {
  const u32 n = d->p.s->states;
  for (u32 i = 0; i < n; i++)
    d->z[i] = d->y[i] + h * ls_dopri5_mean(stage - 1, d->k + i, n, d->k[(stage - 1) * n + i]);
  slope(d, d->p.t1 + ls_dopri5_node(stage - 1) * h, d->z, stage);
}

/* Computes stages 1 to 6 of a step of length h from y. z: the states at its end. Returns the estimated error
 * divided by the tolerance. *worst: the state with the largest error. */
static f64 attempt(dopri5 *d, f64 h, u32 *worst) {
  const u32 n = d->p.s->states;
  for (u32 stage = 1; stage < STAGES; stage++) evaluate(d, h, stage);
  f64 sum = 0, most = -1;
  *worst = 0;
  for (u32 i = 0; i < n; i++) {
    const f64 e = fabs(h * ls_dopri5_error(d->k + i, n, d->k[6 * n + i]) / scale(d, i, d->y[i], d->z[i]));
    sum += e * e;
    if (!(e <= most)) most = e, *worst = i;
    if (!isfinite(e)) return HUGE_VAL;
  }
  return n ? sqrt(sum / n) : 0;
}

/* Fails with a message that says why even a very short step fails: a rate is not finite, or the error of
 * state `worst` is too large. */
static ls_status explain(dopri5 *d, f64 h, u32 worst) {
  ode_system *s = d->p.s;
  ls_status st = LS_OK;
  for (u32 stage = 0; stage < STAGES && !st; stage++) {
    if (stage)
      evaluate(d, h, stage);
    else
      slope(d, d->p.t1, d->y, 0);
    st = ode_rates_finite(s, d->k + stage * s->states);
  }
  ode_move(s, d->p.t1, d->y);
  return st ? st : ode_too_small(s, h, worst);
}

static ls_status step(ode_stepper *p, f64 limit) {
  dopri5 *d = (dopri5 *)p;
  const f64 t = p->t1;
  const size_t n = p->s->states;
  for (bool refused = false;;) {
    const f64 wanted = fmin(d->h, p->longest);
    const bool last = t + wanted >= limit - 1e-12 * fabs(limit);
    const f64 h = last ? limit - t : wanted;
    u32 worst;
    const f64 e = attempt(d, h, &worst);
    if (e <= 1) {
      for (u32 i = 0; i < n; i++) ls_dopri5_dense(d->y[i], d->z[i], d->k + i, n, h, d->r + DENSE * i);
      p->t0 = t;
      p->t1 = last ? limit : t + h;
      memcpy(d->y, d->z, n * sizeof *d->y);
      memcpy(d->k, d->k + 6 * n, n * sizeof *d->k);
      const f64 next = ls_dopri5_longer(h, e, refused);
      d->h = last ? fmax(next, d->h)
                  : next; /* a step cut short at the limit does not show how long the next may be */
      p->steps++;
      return LS_OK;
    }
    refused = true;
    p->refused++;
    d->h = ls_dopri5_shorter(h, e);
    if (ls_dopri5_is_too_short(d->h, t)) return explain(d, h, worst);
  }
}

static ls_status again(ode_stepper *p, f64 limit) {
  dopri5 *d = (dopri5 *)p;
  for (u32 i = 0; i < p->s->states; i++) d->y[i] = d->r[DENSE * i];
  slope(d, p->t0, d->y, 0);
  p->t1 = p->t0;
  p->steps--;
  p->refused++;
  return step(p, limit);
}

static ls_status dense(ode_stepper *p, f64 t, f64 *y) {
  dopri5 *d = (dopri5 *)p;
  const f64 share = p->t1 > p->t0 ? (t - p->t0) / (p->t1 - p->t0) : 1;
  for (u32 i = 0; i < p->s->states; i++)
    y[i] = t >= p->t1 ? d->y[i] : ls_dopri5_between(d->r + DENSE * i, share);
  return LS_OK;
}

static void free_it(ode_stepper *p) {
  ls_free(((dopri5 *)p)->y);
  ls_free(p);
}

ls_status ode_dopri5_new(ode_system *s, const ls_simulation *o, ode_stepper **out) {
  const size_t n = s->states;
  dopri5 *d = ls_calloc(1, sizeof *d);
  f64 *all = ls_malloc((2 + STAGES + DENSE) * n * sizeof *all);
  if (!d || !all) {
    ls_free(d);
    ls_free(all);
    return LS_EMEM;
  }
  d->p = (ode_stepper){.s = s,
                       .o = o,
                       .longest = HUGE_VAL,
                       .begin = begin_steps,
                       .step = step,
                       .again = again,
                       .dense = dense,
                       .free = free_it};
  d->y = all;
  d->z = all + n;
  d->k = all + 2 * n;
  d->r = d->k + STAGES * n;
  *out = &d->p;
  return LS_OK;
}
