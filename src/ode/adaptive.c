/* Simulations by methods that choose the lengths of their steps. Within each step, conditions (the triggers
 * of events, and relations in equations) are sampled. If one changes, the time of the change is found by
 * bisection, and the method is restarted there, since the equations are not smooth across it. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "ode/print_equation.h"
#include "ode/parts.h"

enum {
  SAMPLES = 10,
  LEAST_STEPS = 100,
  STUCK = 100000,
  LONG = 10,           /* in units of STUCK steps */
  OFTEN = STUCK / 1000 /* changes of one condition within STUCK steps */
};

#define ROUNDING 1e-13
/* A simulation fails if STUCK steps advance it by less than PROGRESS times its time span, because it would
 * then take 10^13 steps. It also fails if LONG * STUCK steps advance it by less than 1000 PROGRESS times its
 * time span (10^11 steps). lua/ode/bytecode_adaptive.lua does the same. */
#define PROGRESS 1e-8
#define NEAR 1e-6    /* relative difference of the sides of a relation that may be at its root */
#define AT_ONCE 1e-3 /* part of a step: a change so early does not make the step inaccurate */

typedef struct adaptive {
  ode_system *s;
  ode_events *e;
  const ls_simulation *o;
  ls_course *c;
  ode_stepper *p;
  const ls_term **condition; /* relations in equations, then the events' triggers */
  u32 conditions, room;
  bool *truth, *now;
  ode_instants *instants;
  u32 changed;  /* index of the condition that changed in the last step; total(a): none */
  u32 *changes; /* [total + 1]: how often each has changed within the last STUCK steps */
  bool looks;   /* are functions needed after each step, for conditions, events or delays? */
  bool shows;   /* are functions needed for rows? */
  f64 *y;
  bool short_of_memory;
} adaptive;

/* --- conditions -------------------------------------------------------------------------------------------
 */

static bool collect(void *ctx, const ls_term *t) {
  adaptive *a = ctx;
  if (!ls_op_is_relation(t->op) || ode_is_still(a->s->m, t)) return true;
  const ls_term **more = ls_grown(a->condition, a->conditions, &a->room, 64, sizeof *more);
  if (!more) {
    a->short_of_memory = true;
    return false;
  }
  a->condition = more;
  a->condition[a->conditions++] = t;
  return true;
}

static ls_status find_conditions(adaptive *a) {
  const ls_ode *m = a->s->m;
  for (u32 i = 0; i < m->count; i++)
    if (m->variables[i].equation) ls_term_walk(m->variables[i].equation, collect, a);
  const u32 total = a->conditions + m->event_count;
  a->truth = ls_malloc(total * sizeof *a->truth);
  a->now = ls_malloc(total * sizeof *a->now);
  a->changes = ls_calloc(total + 1, sizeof *a->changes);
  a->y = ls_malloc(a->s->states * sizeof *a->y);
  return a->truth && a->now && a->changes && a->y && !a->short_of_memory ? LS_OK : LS_EMEM;
}

static u32 total(const adaptive *a) { return a->conditions + a->s->m->event_count; }

static void look(const adaptive *a, bool *out) {
  for (u32 i = 0; i < a->conditions; i++) out[i] = ode_eval(a->s, a->condition[i]) != 0;
  for (u32 i = 0; i < a->s->m->event_count; i++)
    out[a->conditions + i] = ode_eval(a->s, a->s->m->events[i].trigger) != 0;
}

/* Moves the system to a time within the last step. *changed: has a condition changed since the step began? */
static ls_status look_at(adaptive *a, f64 t, bool *changed) {
  ls_status st = a->p->dense(a->p, t, a->y);
  if (st) return st;
  ode_move(a->s, t, a->y);
  look(a, a->now);
  *changed = memcmp(a->now, a->truth, total(a) * sizeof *a->now) != 0;
  for (u32 i = 0; *changed && i < total(a); i++)
    if (a->now[i] != a->truth[i]) a->changed = i;
  if (ode_instants_look(a->instants)) *changed = true;
  return LS_OK;
}

/* Finds the first change of a condition within the last step. *until and *at are adjacent floating-point
 * numbers: the last time before the change, and the first time after it. *at = t1 if there is none. */
static ls_status find_change(adaptive *a, f64 *at, f64 *until, bool *found) {
  const f64 from = a->p->t0, to = a->p->t1;
  f64 before = from;
  a->changed = total(a);
  *found = false;
  *at = to;
  for (int k = 1; k <= SAMPLES && total(a); k++) {
    const f64 t = k == SAMPLES ? to : from + (to - from) * k / SAMPLES;
    ls_status st = look_at(a, t, found);
    if (st) return st;
    if (!*found) {
      ode_instants_pass(a->instants);
      before = t;
      continue;
    }
    f64 after = t;
    while (before < after) {
      const f64 middle = before + (after - before) / 2;
      bool changed;
      if (middle <= before || middle >= after) break;
      if ((st = look_at(a, middle, &changed))) return st;
      *(changed ? &after : &before) = middle;
    }
    *at = after;
    *until = before;
    return LS_OK;
  }
  return LS_OK;
}

/* Has a relation in an equation changed at time t of the last step, and not only the trigger of an event? */
static ls_status equations_change(adaptive *a, f64 t, bool *out) {
  ls_status st = look_at(a, t, out);
  *out = memcmp(a->now, a->truth, a->conditions * sizeof *a->now) != 0;
  return st;
}

/* Makes one step, and finds the first change of a condition in it. Stages of the step after the change were
 * computed with other equations, so that the step is inaccurate even before the change, whatever its error
 * estimate is. So it is repeated up to the change, unless the change is at its very beginning. */
static ls_status step_to_change(adaptive *a, f64 limit, f64 *at, bool *found) {
  f64 until = 0;
  bool again = false;
  ls_status st = a->p->step(a->p, limit);
  if (!st) st = find_change(a, at, &until, found);
  if (st || !*found || !a->p->again || until - a->p->t0 <= AT_ONCE * (a->p->t1 - a->p->t0)) return st;
  if ((st = equations_change(a, *at, &again)) || !again) return st;
  const f64 change = *at;
  if ((st = a->p->again(a->p, until)) || (st = find_change(a, at, &until, found))) return st;
  if (*found || a->p->t1 < until) return LS_OK;
  /* The step ended just before the change: evaluate the conditions at the time of the change, in the states
   * at the end of the step. */
  if (!(st = look_at(a, change, found)) && *found) *at = change;
  return st;
}

/* --- the run ----------------------------------------------------------------------------------------------
 */

static f64 row_time(const adaptive *a, u64 row) {
  const ls_simulation *o = a->o;
  return row == o->intervals ? o->stop : o->start + (o->stop - o->start) * ((f64)row / (f64)o->intervals);
}

static bool is_function(const ls_ode *m, u32 v) {
  return v != LS_NO_VARIABLE && m->variables[v].role == LS_ALGEBRAIC;
}

static bool shows_functions(const adaptive *a) {
  const ls_ode *m = a->s->m;
  bool any = false;
  for (u32 k = 0; k < a->o->columns && !any; k++) {
    const u32 v = a->o->column[k].variable;
    any = is_function(m, v) || is_function(m, m->variables[v].size);
  }
  return any;
}

/* Moves the system to a time within the last step. functions: computes the functions too. */
static void move(adaptive *a, f64 t, bool functions) {
  if (functions)
    ode_move(a->s, t, a->y);
  else
    ode_place(a->s, t, a->y);
}

/* Writes the rows before t, interpolated within the last step. Rows that are nearer to t than the relative
 * difference `slack` are left for write_now: events that are due at the time of a row, up to rounding, are
 * executed before the row is written. */
static ls_status write_before(adaptive *a, f64 t, f64 slack) {
  for (;;) {
    const f64 wanted = row_time(a, a->c->rows);
    if (a->c->rows > a->o->intervals || wanted >= t - slack * fabs(t)) return LS_OK;
    ls_status st = a->p->dense(a->p, wanted, a->y);
    if (st) return st;
    move(a, wanted, a->shows);
    ode_write_row(a->s, a->o, a->c);
  }
}

static void write_now(adaptive *a, f64 slack) {
  const f64 t = a->s->t;
  if (a->shows && !a->looks && a->c->rows <= a->o->intervals &&
      row_time(a, a->c->rows) <= t + slack * fabs(t))
    ode_functions(a->s);
  while (a->c->rows <= a->o->intervals && row_time(a, a->c->rows) <= t + slack * fabs(t)) {
    a->s->t = row_time(a, a->c->rows);
    ode_write_row(a->s, a->o, a->c);
  }
  a->s->t = t;
}

/* Stores samples of the delayed variables from the last step, up to t. */
static ls_status remember(adaptive *a, f64 t) {
  if (!a->s->history.count) return LS_OK;
  for (int k = 1; k <= SAMPLES; k++) {
    const f64 at = k == SAMPLES ? t : a->p->t0 + (t - a->p->t0) * k / SAMPLES;
    ls_status st = a->p->dense(a->p, at, a->y);
    if (st) return st;
    ode_move(a->s, at, a->y);
    if ((st = ode_remember(a->s))) return st;
  }
  return LS_OK;
}

static ls_status begin_steps(adaptive *a) {
  look(a, a->truth);
  ode_instants_begin(a->instants);
  return a->p->begin(a->p);
}

static ls_status place(void *ctx, f64 t) {
  adaptive *a = ctx;
  ls_status st = a->p->dense(a->p, t, a->y);
  if (!st) ode_move(a->s, t, a->y);
  return st;
}

/* Executes the events of the current time: first those whose trigger changes only for this instant, where a
 * relation has a root, then those whose trigger holds after it. */
static ls_status happen(adaptive *a, bool found, bool *any) {
  bool meet = false, at_once = false;
  ls_status st = found ? ode_instants_meet(a->instants, a->p->t0, a->s->t, place, a, &meet) : LS_OK;
  if (!st && meet) st = ode_instants_happen(a->instants, a->e, &at_once);
  if (!st) st = ode_events_now(a->e, any);
  *any = *any || at_once;
  return st;
}

static bool is_other(void *ctx, const ls_term *t) { return t != ctx; }

/* Finds the relation in an equation that is nearest to its root. total(a) if none is nearer than NEAR. */
static u32 nearest(const adaptive *a) {
  u32 best = total(a);
  f64 least = NEAR;
  for (u32 i = 0; i < a->conditions; i++) {
    const ls_term *t = a->condition[i];
    const f64 x = t->count == 2 ? ode_eval(a->s, t->arg[0]) : HUGE_VAL,
              y = t->count == 2 ? ode_eval(a->s, t->arg[1]) : 0;
    const f64 off = fabs(x - y) / (1 + fabs(x) + fabs(y));
    if (off < least) least = off, best = i;
  }
  return best;
}

/* Fails with a message that names the condition that changes without end: the one that has changed most
 * often; if no change was seen, because the changes are within steps, the relation that is at its root. */
static ls_status stands_still(adaptive *a) {
  const ls_ode *m = a->s->m;
  const f64 t = a->s->t;
  u32 most = total(a);
  for (u32 i = 0; i < total(a); i++)
    if (a->changes[i] >= OFTEN && (most == total(a) || a->changes[i] > a->changes[most])) most = i;
  if (most >= total(a)) most = nearest(a);
  if (most >= total(a))
    return ls_fail(
        LS_EOVERFLOW,
        "%s: at time %.17g the simulation cannot go on: its steps are so short that it would take more than 10^11 "
        "of them; try another method, or larger tolerances",
        m->path, t);
  if (most >= a->conditions) {
    const ls_event *e = &m->events[most - a->conditions];
    return ls_fail(LS_EOVERFLOW,
                   "%s:%u: at time %.17g the simulation cannot go on: the trigger of %s changes without end",
                   m->path, e->line, t, e->name);
  }
  void *condition = (void *)(uintptr_t)a->condition[most];
  u32 v = 0;
  while (!m->variables[v].equation || ls_term_walk(m->variables[v].equation, is_other, condition)) v++;
  char equation[400];
  ls_ode_equation_text(m, v, equation, sizeof equation);
  return ls_fail(LS_EOVERFLOW,
                 "%s:%u: at time %.17g the simulation cannot go on: a condition changes without end in %s",
                 ls_ode_path(m, v), m->variables[v].line, t, equation);
}

static ls_status go(adaptive *a) {
  ode_system *s = a->s;
  u32 steps = 0;
  f64 since = s->t, long_since = s->t;
  bool any, found;
  ls_status st = ode_events_now(a->e, &any);
  if (!st) st = ode_remember(s);
  write_now(a, 0);
  if (!st) st = begin_steps(a);
  while (!st && s->t < a->o->stop) {
    const f64 due = ode_events_next(a->e),
              limit = fmin(a->o->stop, fmax(due, s->t + DBL_EPSILON * fabs(s->t)));
    f64 at;
    if ((st = step_to_change(a, limit, &at, &found)) || (st = write_before(a, at, found ? 0 : ROUNDING)) ||
        (st = remember(a, at)) || (st = a->p->dense(a->p, at, a->y)))
      break;
    move(a, at, a->looks);
    if ((st = happen(a, found, &any))) break;
    if (any && (st = ode_remember(s))) break;
    write_now(a, found ? 0 : ROUNDING);
    if ((found || any) && s->t < a->o->stop) st = begin_steps(a);
    if (found) a->changes[a->changed]++;
    if (!st && ++steps % STUCK == 0) {
      const f64 span = a->o->stop - a->o->start;
      const bool is_long = steps % (LONG * STUCK) == 0;
      if (at - since < PROGRESS * span || (is_long && at - long_since < 1000 * PROGRESS * span))
        st = stands_still(a);
      since = at;
      if (is_long) long_since = at;
      memset(a->changes, 0, total(a) * sizeof *a->changes);
    }
    ls_progress("simulate: rows", a->c->rows, a->o->intervals + 1);
    if (!st) st = a->c->failed;
    if (!st && ls_interrupted()) st = ls_fail(LS_EINTERRUPTED, "interrupted at time %g", s->t);
  }
  a->c->steps = a->p->steps;
  a->c->refused = a->p->refused;
  return st;
}

static bool no_noise(void *ctx, const ls_term *t) {
  return (void)ctx, !ls_op_is_random(t->op) && t->op != LS_LAST_OP;
}

static bool shortest_delay(void *ctx, const ls_term *t) {
  const ode_system *s = ((adaptive *)ctx)->s;
  if (t->op != LS_DELAY_OP) return true;
  const f64 tau = ode_eval(s, t->arg[1]);
  ode_stepper *p = ((adaptive *)ctx)->p;
  if (tau > 0 && tau < p->longest) p->longest = tau;
  return true;
}

ls_status ode_run_adaptive(ode_system *s, ode_events *e, const ls_simulation *o, ls_course *c) {
  adaptive a = {.s = s, .e = e, .o = o, .c = c};
  if (s->m->jump_count)
    return ls_ode_fail(s->m, s->m->jumps[0].line,
                       "%s is assigned at every step, which needs steps of equal length: use "
                       "method = \"euler\" or \"rk4\"",
                       s->m->variables[s->m->jumps[0].assign.variable].name);
  if (ode_uses(s->m, 0, no_noise, NULL))
    return ls_ode_fail(s->m, 0,
                       "random numbers and values one step ago need steps of equal length: use method = "
                       "\"euler\" or \"rk4\"");
  ls_status st = find_conditions(&a);
  if (!st) st = ode_instants_new(s, true, &a.instants);
  if (!st) st = o->method == LS_CVODE && s->states ? ode_cvode_new(s, o, &a.p) : ode_dopri5_new(s, o, &a.p);
  if (!st) {
    a.looks = total(&a) || s->history.count;
    a.shows = shows_functions(&a);
    if (total(&a) || s->history.count) a.p->longest = (o->stop - o->start) / LEAST_STEPS;
    ode_uses(s->m, LS_HAS_PAST, shortest_delay, &a);
    st = go(&a);
    a.p->free(a.p);
  }
  ode_instants_free(a.instants);
  ls_free(a.condition);
  ls_free(a.truth);
  ls_free(a.now);
  ls_free(a.changes);
  ls_free(a.y);
  return st;
}
