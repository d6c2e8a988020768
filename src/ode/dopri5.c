/* The method of Dormand and Prince (1980), of order 5 with an error estimate of order 4. Within steps, it
 * interpolates by the formula of order 4 of Hairer, Norsett and Wanner (Solving Ordinary Differential
 * Equations I, 1993, II.5 and II.6). */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "ode/parts.h"

enum { STAGES = 7 };

static const f64 nodes[STAGES] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
static const f64 table[STAGES][STAGES - 1] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const f64 errors[STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                   -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
static const f64 middle[STAGES] = {-12715105075.0 / 11282082432,  0,
                                   87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                   701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                   69997945.0 / 29380423};

typedef struct dopri5 {
  ode_stepper p;
  f64 h; /* the length of the next step */
  f64 *y, *z, *k[STAGES], *r[5];
} dopri5;

static f64 scale(const dopri5 *d, u32 i, f64 a, f64 b) {
  return d->p.o->atol * d->p.s->scale[i] + d->p.o->rtol * fmax(fabs(a), fabs(b));
}

/* Stores the slope at (t, y) in k. */
static void slope(dopri5 *d, f64 t, const f64 *y, f64 *k) {
  ode_move(d->p.s, t, y);
  ode_rates(d->p.s, k);
}

/* Chooses the length of the first step so that the states change little compared to the tolerance (II.4). */
static f64 first_step(dopri5 *d) {
  const u32 n = d->p.s->states;
  f64 size = 0, speed = 0, bend = 0;
  for (u32 i = 0; i < n; i++) {
    const f64 w = scale(d, i, d->y[i], d->y[i]);
    size += pow(d->y[i] / w, 2);
    speed += pow(d->k[0][i] / w, 2);
  }
  size = sqrt(size / (n ? n : 1));
  speed = sqrt(speed / (n ? n : 1));
  f64 h = size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
  if (!isfinite(h)) h = 1e-6;
  h = fmin(h, d->p.longest);
  for (u32 i = 0; i < n; i++) d->z[i] = d->y[i] + h * d->k[0][i];
  slope(d, d->p.t1 + h, d->z, d->k[1]);
  for (u32 i = 0; i < n; i++) bend += pow((d->k[1][i] - d->k[0][i]) / scale(d, i, d->y[i], d->y[i]), 2);
  bend = sqrt(bend / (n ? n : 1)) / h;
  const f64 most = fmax(speed, bend), next = most > 1e-15 ? pow(0.01 / most, 0.2) : fmax(1e-6, h * 1e-3);
  h = fmin(100 * h, isfinite(next) ? next : h);
  return fmin(h, d->p.longest);
}

static ls_status begin_steps(ode_stepper *p) {
  dopri5 *d = (dopri5 *)p;
  ode_system *s = p->s;
  p->t0 = p->t1 = s->t;
  for (u32 i = 0; i < s->states; i++) d->y[i] = s->value[s->state[i]];
  slope(d, p->t1, d->y, d->k[0]);
  d->h = first_step(d);
  ode_move(s, p->t1, d->y);
  return LS_OK;
}

/* Computes the states of a stage of the step of length h from y, and the slope there. */
static void evaluate(dopri5 *d, f64 h, int stage) {
  for (u32 i = 0; i < d->p.s->states; i++) {
    f64 sum = 0;
    for (int j = 0; j < stage; j++) sum += table[stage][j] * d->k[j][i];
    d->z[i] = d->y[i] + h * sum;
  }
  slope(d, d->p.t1 + nodes[stage] * h, d->z, d->k[stage]);
}

/* Computes stages 1 to 6 of a step of length h from y. z: the states at its end. Returns the estimated error
 * divided by the tolerance. *worst: the state with the largest error. */
static f64 attempt(dopri5 *d, f64 h, u32 *worst) {
  const u32 n = d->p.s->states;
  for (int stage = 1; stage < STAGES; stage++) evaluate(d, h, stage);
  f64 sum = 0, most = -1;
  *worst = 0;
  for (u32 i = 0; i < n; i++) {
    f64 e = 0;
    for (int j = 0; j < STAGES; j++) e += errors[j] * d->k[j][i];
    e = fabs(h * e / scale(d, i, d->y[i], d->z[i]));
    sum += e * e;
    if (!(e <= most)) most = e, *worst = i;
    if (!isfinite(e)) return HUGE_VAL;
  }
  return n ? sqrt(sum / n) : 0;
}

static void make_dense(dopri5 *d, f64 h) {
  for (u32 i = 0; i < d->p.s->states; i++) {
    const f64 change = d->z[i] - d->y[i], bend = h * d->k[0][i] - change;
    f64 sum = 0;
    for (int j = 0; j < STAGES; j++) sum += middle[j] * d->k[j][i];
    d->r[0][i] = d->y[i];
    d->r[1][i] = change;
    d->r[2][i] = bend;
    d->r[3][i] = change - h * d->k[6][i] - bend;
    d->r[4][i] = h * sum;
  }
}

/* Fails with a message that says why even a very short step fails: a rate is not finite, or the error of
 * state `worst` is too large. */
static ls_status explain(dopri5 *d, f64 h, u32 worst) {
  ode_system *s = d->p.s;
  ls_status st = LS_OK;
  for (int stage = 0; stage < STAGES && !st; stage++) {
    evaluate(d, h, stage);
    st = ode_rates_finite(s, d->k[stage]);
  }
  ode_move(s, d->p.t1, d->y);
  return st ? st : ode_too_small(s, h, worst);
}

static ls_status step(ode_stepper *p, f64 limit) {
  dopri5 *d = (dopri5 *)p;
  const f64 t = p->t1;
  for (bool refused = false;;) {
    const f64 wanted = fmin(d->h, p->longest);
    const bool last = t + wanted >= limit - 1e-12 * fabs(limit);
    const f64 h = last ? limit - t : wanted;
    u32 worst;
    const f64 e = attempt(d, h, &worst);
    if (e <= 1) {
      make_dense(d, h);
      p->t0 = t;
      p->t1 = last ? limit : t + h;
      memcpy(d->y, d->z, p->s->states * sizeof *d->y);
      memcpy(d->k[0], d->k[6], p->s->states * sizeof *d->y);
      const f64 grow = e > 0 ? 0.9 * pow(e, -0.2) : 10;
      const f64 next = h * fmin(refused ? 1 : 10, fmax(0.2, grow));
      d->h = last ? fmax(next, d->h)
                  : next; /* a step cut short at the limit does not show how long the next may be */
      p->steps++;
      return LS_OK;
    }
    refused = true;
    p->refused++;
    d->h = h * (isfinite(e) ? fmax(0.2, 0.9 * pow(e, -0.2)) : 0.1);
    if (d->h <= 4e-16 * fmax(fabs(t), 1e-300) || d->h < 1e-300) return explain(d, h, worst);
  }
}

static ls_status again(ode_stepper *p, f64 limit) {
  dopri5 *d = (dopri5 *)p;
  memcpy(d->y, d->r[0], p->s->states * sizeof *d->y);
  slope(d, p->t0, d->y, d->k[0]);
  p->t1 = p->t0;
  p->steps--;
  p->refused++;
  return step(p, limit);
}

static ls_status dense(ode_stepper *p, f64 t, f64 *y) {
  dopri5 *d = (dopri5 *)p;
  const f64 a = p->t1 > p->t0 ? (t - p->t0) / (p->t1 - p->t0) : 1, b = 1 - a;
  for (u32 i = 0; i < p->s->states; i++)
    y[i] = t >= p->t1 ? d->y[i]
                      : d->r[0][i] + a * (d->r[1][i] + b * (d->r[2][i] + a * (d->r[3][i] + b * d->r[4][i])));
  return LS_OK;
}

static void free_it(ode_stepper *p) {
  ls_free(((dopri5 *)p)->y);
  ls_free(p);
}

ls_status ode_dopri5_new(ode_system *s, const ls_simulation *o, ode_stepper **out) {
  const size_t n = s->states;
  dopri5 *d = ls_calloc(1, sizeof *d);
  f64 *all = ls_malloc((2 + STAGES + 5) * (n + 1) * sizeof *all);
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
  for (int i = 0; i < STAGES; i++) d->k[i] = all + (size_t)(2 + i) * n;
  for (int i = 0; i < 5; i++) d->r[i] = all + (size_t)(2 + STAGES + i) * n;
  *out = &d->p;
  return LS_OK;
}
