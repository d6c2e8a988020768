/* Simulations with steps of a fixed length, by the Euler method or the classical method of Runge and Kutta
 * (1901). Jumps are assignments that are made at every step. The order within a step is that of Flint: jumps
 * before the step, new states, time, functions, jumps after the step, events. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "ode/parts.h"

#define MOST_STEPS 0x1p50

typedef struct fixed {
  ode_system *s;
  f64 *y, *k[4], *z; /* [states]: the states before the step, slopes, the states of stages */
  f64 *jumped;       /* [jumps]: the values to assign */
  f64 from, to;      /* begin and end of the last step */
  ode_instants *instants;
} fixed;

static bool names_jump(void *ctx, const ls_term *t) {
  const ode_system *s = ctx;
  return t->op != LS_VARIABLE_OP || !s->m->variables[t->index].jumps;
}

/* Evaluates all jumps, then makes all assignments, then updates the ports whose equation names a variable
 * with a jump. */
static void jump(fixed *f, bool after) {
  ode_system *s = f->s;
  const ls_ode *m = s->m;
  bool any = false;
  for (u32 i = 0; i < m->jump_count; i++)
    if (m->jumps[i].after == after) f->jumped[i] = ode_eval(s, m->jumps[i].assign.value);
  for (u32 i = 0; i < m->jump_count; i++) {
    f64 *x = &s->value[m->jumps[i].assign.variable];
    if (m->jumps[i].after != after || *x == f->jumped[i]) continue;
    *x = f->jumped[i];
    any = true;
  }
  for (u32 i = 0; i < m->order_count && any; i++) {
    const ls_variable *v = &m->variables[m->order[i]];
    if (v->port && !ls_term_walk(v->equation, names_jump, s))
      s->value[m->order[i]] = ode_eval(s, v->equation);
  }
}

/* Moves the system to time t and the states z = y + h k. */
static void between(fixed *f, f64 t, f64 h, const f64 *k) {
  for (u32 i = 0; i < f->s->states; i++) f->z[i] = f->y[i] + h * k[i];
  ode_move(f->s, t, f->z);
}

static void advance(fixed *f, ls_method method, f64 h) {
  ode_system *s = f->s;
  const f64 t = s->t;
  for (u32 i = 0; i < s->states; i++) f->y[i] = s->value[s->state[i]];
  ode_rates(s, f->k[0]);
  if (method == LS_EULER) {
    between(f, t + h, h, f->k[0]);
    return;
  }
  between(f, t + h / 2, h / 2, f->k[0]);
  ode_rates(s, f->k[1]);
  between(f, t + h / 2, h / 2, f->k[1]);
  ode_rates(s, f->k[2]);
  between(f, t + h, h, f->k[2]);
  ode_rates(s, f->k[3]);
  for (u32 i = 0; i < s->states; i++)
    f->z[i] = f->y[i] + h * (f->k[0][i] + 2 * f->k[1][i] + 2 * f->k[2][i] + f->k[3][i]) / 6;
  ode_move(s, t + h, f->z);
}

/* Moves the system to a time within the last step, by linear interpolation of the states. Overwrites k[0]. */
static ls_status place(void *ctx, f64 t) {
  fixed *f = ctx;
  const f64 share = t >= f->to ? 1 : (t - f->from) / (f->to - f->from);
  for (u32 i = 0; i < f->s->states; i++)
    f->k[0][i] = share < 1 ? f->y[i] + share * (f->z[i] - f->y[i]) : f->z[i];
  ode_move(f->s, t, f->k[0]);
  return LS_OK;
}

/* Executes the events of a step, at its end: first those whose trigger changes only for an instant within the
 * step, then those whose trigger holds now. */
static ls_status happen(fixed *f, ode_events *e) {
  ode_system *s = f->s;
  bool any;
  ls_status st = LS_OK;
  if (ode_instants_look(f->instants)) {
    for (u32 i = 0; i < s->states; i++) f->z[i] = s->value[s->state[i]]; /* jumps may have changed them */
    f->to = s->t;
    st = ode_instants_meet(f->instants, f->from, f->to, place, f, &any);
    if (!st && any) st = ode_instants_happen(f->instants, e, &any);
  }
  if (!st) st = ode_events_now(e, &any);
  ode_instants_begin(f->instants);
  return st;
}

static bool all_finite(const f64 *x, u32 count) {
  for (u32 i = 0; i < count; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

/* Checks that the states are finite. If not, the cause is searched for at the first stage of the step whose
 * slope is not finite, or at the beginning of the step. */
static ls_status states_finite(fixed *f, ls_method method, f64 h) {
  const ode_system *s = f->s;
  const f64 *where = f->y;
  bool fine = true;
  for (u32 i = 0; i < s->states && fine; i++) fine = isfinite(s->value[s->state[i]]);
  if (fine) return LS_OK;
  for (int k = 1; k < 4 && method == LS_RK4 && where == f->y && all_finite(f->k[k - 1], s->states); k++) {
    if (all_finite(f->k[k], s->states)) continue;
    for (u32 i = 0; i < s->states; i++) f->z[i] = f->y[i] + (k < 3 ? h / 2 : h) * f->k[k - 1][i];
    where = f->z;
  }
  return ode_finite(f->s, f->y, where);
}

/* Fails with the current message and advice on what to try. */
static ls_status too_long(ls_status st, ls_method method, f64 h) {
  char message[700];
  snprintf(message, sizeof message, "%s", ls_error());
  return ls_fail(st, "%s (%s with steps of %g: try a smaller dt, or method = \"cvode\")", message,
                 method == LS_EULER ? "euler" : "rk4", h);
}

static ls_status run(fixed *f, ode_events *e, const ls_simulation *o, ls_course *c) {
  ode_system *s = f->s;
  const f64 interval = (o->stop - o->start) / (f64)o->intervals;
  const f64 ratio = interval / o->dt, whole = round(ratio);
  if (!(ratio < MOST_STEPS / (f64)o->intervals))
    return ls_fail(LS_EARG, "simulate: %.3g steps of dt = %g are too many, expected fewer than 2^50",
                   ratio * (f64)o->intervals, o->dt);
  const bool divides = whole >= 1 && fabs(ratio - whole) < 1e-9 * whole;
  const u64 steps = divides ? (u64)whole : (u64)ceil(ratio);
  const f64 h = divides ? o->dt : interval / (f64)steps;
  bool any;
  s->dt = c->dt = h;
  ls_status st = ode_events_now(e, &any);
  ode_instants_begin(f->instants);
  if (!st) ode_write_row(s, o, c);
  for (u64 row = 1; row <= o->intervals && !st; row++) {
    for (u64 k = 0; k < steps && !st; k++) {
      f64 *last = s->last;
      if (s->m->jump_count) jump(f, false);
      if (last) { /* for functions in this step, "one step ago" is the beginning of the step */
        memcpy(last, s->value, s->m->count * sizeof *last);
        s->last_t = s->t;
      }
      f->from = s->t;
      advance(f, o->method, h);
      s->step++;
      c->steps++;
      if (s->m->jump_count) jump(f, true);
      if ((st = states_finite(f, o->method, h)))
        st = too_long(st, o->method, h);
      else
        st = happen(f, e);
      if (!st) st = ode_remember(s);
      if (!st && (c->steps & 255) == 0) {
        ls_progress("simulate: steps", c->steps, steps * o->intervals);
        if (ls_interrupted()) st = ls_fail(LS_EINTERRUPTED, "interrupted at time %g", s->t);
      }
    }
    if (!st) ode_write_row(s, o, c);
    if (!st) st = c->failed;
  }
  return st;
}

ls_status ode_run_fixed(ode_system *s, ode_events *e, const ls_simulation *o, ls_course *c) {
  fixed f = {.s = s};
  const size_t n = s->states;
  f64 *all = ls_malloc((6 * n + s->m->jump_count) * sizeof *all);
  if (!all) return LS_EMEM;
  f.y = all;
  f.z = all + n;
  for (int i = 0; i < 4; i++) f.k[i] = all + (size_t)(2 + i) * n;
  f.jumped = all + 6 * n;
  ls_status st = ode_instants_new(s, false, &f.instants);
  if (!st) st = run(&f, e, o, c);
  ode_instants_free(f.instants);
  ls_free(all);
  return st;
}
