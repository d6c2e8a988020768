#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "ode/print_equation.h"
#include "ode/parts.h"

/* --- what the expressions of a model use ------------------------------------------------------------------
 */

typedef struct search {
  u8 has;
  bool (*is)(void *ctx, const ls_term *t);
  void *ctx;
} search;

static bool found_in(const search *s, const ls_term *t) {
  return t && (!s->has || t->has & s->has) && !ls_term_walk(t, s->is, s->ctx);
}

bool ode_uses(const ls_ode *m, u8 has, bool (*is)(void *ctx, const ls_term *t), void *ctx) {
  const search s = {has, is, ctx};
  bool any = false;
  for (u32 i = 0; i < m->count && !any; i++)
    any = found_in(&s, m->variables[i].equation) || found_in(&s, m->variables[i].initial);
  for (u32 i = 0; i < m->event_count && !any; i++) {
    const ls_event *e = &m->events[i];
    any = found_in(&s, e->trigger) || found_in(&s, e->delay) || found_in(&s, e->priority);
    for (u32 k = 0; k < e->count && !any; k++) any = found_in(&s, e->assigns[k].value);
  }
  for (u32 i = 0; i < m->jump_count && !any; i++) any = found_in(&s, m->jumps[i].assign.value);
  return any;
}

static bool still(void *ctx, const ls_term *t) {
  const ls_ode *m = ctx;
  if (t->op != LS_VARIABLE_OP) return t->op != LS_TIME_OP && t->op != LS_DELAY_OP && !ls_op_is_random(t->op);
  return m->variables[t->index].role == LS_PARAMETER || m->variables[t->index].role == LS_CONSTANT;
}

bool ode_is_still(const ls_ode *m, const ls_term *t) { return ls_term_walk(t, still, (void *)(uintptr_t)m); }

/* What expressions use of the past. delayed: for each variable, is it the argument of a DELAY? last: is there
 * a LAST? */
typedef struct past_needs {
  bool *delayed, last;
} past_needs;

static bool note_past(void *ctx, const ls_term *t) {
  past_needs *p = ctx;
  if (t->op == LS_DELAY_OP && t->arg[0]->op == LS_VARIABLE_OP) p->delayed[t->arg[0]->index] = true;
  if (t->op == LS_LAST_OP) p->last = true;
  return true;
}

/* Allocates memory for the past values that the expressions use. */
static ls_status make_past(ode_system *s) {
  ode_history *h = &s->history;
  past_needs p = {ls_calloc(s->m->count, sizeof(bool)), false};
  if (!p.delayed) return LS_EMEM;
  ode_uses(s->m, LS_HAS_PAST, note_past, &p);
  for (u32 i = 0; i < s->m->count; i++) h->count += p.delayed[i];
  h->variable = ls_malloc(h->count * sizeof *h->variable);
  u32 n = 0;
  for (u32 i = 0; i < s->m->count && h->variable; i++)
    if (p.delayed[i]) h->variable[n++] = i;
  ls_free(p.delayed);
  if (p.last) s->last = ls_malloc(s->m->count * sizeof *s->last);
  return h->variable && (s->last || !p.last) ? LS_OK : LS_EMEM;
}

/* --- values -----------------------------------------------------------------------------------------------
 */

/* Computes the initial values of all variables at s->t. `before`: is s->t before the start? */
static void first_values(ode_system *s, bool before) {
  const ls_ode *m = s->m;
  for (u32 i = 0; i < m->count; i++)
    s->value[i] = 0; /* KEEP yields 0 before anything was computed, as in Flint */
  for (u32 i = 0; i < m->count; i++) {
    const u32 v = m->start_order[i];
    const ls_variable *a = &m->variables[v];
    const ls_term *equation = before && a->before ? a->before : a->equation;
    s->value[v] = ode_eval(s, a->role == LS_ALGEBRAIC ? equation : a->initial);
  }
}

static bool no_time(void *ctx, const ls_term *t) { return (void)ctx, t->op != LS_TIME_OP; }

typedef struct reaching {
  const ode_system *s;
  f64 back; /* the sum of all delays */
} reaching;

static bool add_delay(void *ctx, const ls_term *t) {
  reaching *r = ctx;
  const f64 tau = t->op == LS_DELAY_OP ? ode_eval(r->s, t->arg[1]) : 0;
  if (tau > 0 && isfinite(tau)) r->back += tau;
  return true;
}

/* Has any variable a different equation before the start? */
static bool jumps_at_start(const ls_ode *m) {
  for (u32 i = 0; i < m->count; i++)
    if (m->variables[i].before) return true;
  return false;
}

static ls_status remember_at(ode_system *s, f64 t) {
  s->t = t;
  first_values(s, true);
  return ode_remember(s);
}

/* Stores samples of delayed variables before the start. There, a variable has the value that it would have if
 * the simulation began at that time (SBML), and rateOf is 0. If that value depends on time, samples cover the
 * sum of all delays. If a variable jumps at the start because of rateOf, one more sample is taken just before
 * the start, at a distance that only allows for the rounding error of t - delay. */
static ls_status remember_before(ode_system *s) {
  enum { BEFORE = 2000 };
  const f64 start = s->t, close = 1e-9;
  const bool timed = ode_uses(s->m, 0, no_time, NULL), jumps = jumps_at_start(s->m);
  reaching r = {s, 0};
  ls_status st = LS_OK;
  if (!s->history.count || s->m->nearest_samples || (!timed && !jumps)) return LS_OK;
  ode_uses(s->m, LS_HAS_PAST, add_delay, &r);
  for (int k = 0; timed && k < BEFORE && r.back > 0 && !st; k++)
    st = remember_at(s, start - r.back * (1 - (f64)k / BEFORE));
  if (jumps && !st) st = remember_at(s, fmin(start - close * r.back, nextafter(start, -HUGE_VAL)));
  s->t = start;
  if (s->history.samples) first_values(s, false);
  return st;
}

/* Scales the absolute tolerance of amounts in a small compartment by its size: the tolerance is meant for
 * concentrations. */
static void find_scales(ode_system *s) {
  for (u32 i = 0; i < s->states; i++) {
    const ls_variable *v = &s->m->variables[s->state[i]];
    const f64 size = v->quantity == LS_AMOUNT && v->size != LS_NO_VARIABLE ? fabs(s->value[v->size]) : 1;
    s->scale[i] = size > 0 && size < 1 ? size : 1;
  }
}

void ode_scale_by_values(ode_system *s) { /* the same as in lua/ensemble/ensemble_run.lua */
  f64 least = 1;
  for (u32 i = 0; i < s->states; i++) {
    const f64 x = fabs(s->value[s->state[i]]);
    if (x > 0 && isfinite(x)) least = fmin(least, x);
  }
  for (u32 i = 0; i < s->states; i++) { /* keeps a lower scale, that of an amount in a small compartment */
    const f64 x = fabs(s->value[s->state[i]]);
    s->scale[i] = fmin(s->scale[i], x > 0 && isfinite(x) ? x : least);
  }
}

static ls_status make_tapes(ode_system *s) {
  const ls_ode *m = s->m;
  const u32 most = m->order_count > s->states ? m->order_count : s->states;
  const ls_term **term = ls_malloc(most * sizeof *term);
  f64 **to = ls_malloc(most * sizeof *to);
  s->slope = ls_malloc(s->states * sizeof *s->slope);
  ls_status st = term && to && s->slope ? LS_OK : LS_EMEM;
  for (u32 i = 0; i < m->order_count && !st; i++)
    term[i] = m->variables[m->order[i]].equation, to[i] = &s->value[m->order[i]];
  if (!st) st = ode_tape_new(&s->functions, s, m->order_count, term, to);
  for (u32 i = 0; i < s->states && !st; i++)
    term[i] = m->variables[s->state[i]].equation, to[i] = &s->slope[i];
  if (!st) st = ode_tape_new(&s->slopes, s, s->states, term, to);
  ls_free(term);
  ls_free(to);
  return st;
}

/* Creates the system with its initial values, but without tapes. */
static ls_status open_system(ode_system *s, const ls_ode *m, f64 start, f64 dt, u64 seed) {
  *s = (ode_system){.m = m, .t = start, .dt = dt, .seed = seed};
  s->value = ls_malloc(m->count * sizeof *s->value);
  s->state = ls_malloc(m->count * sizeof *s->state);
  s->scale = ls_malloc(m->count * sizeof *s->scale);
  ls_status st = s->value && s->state && s->scale ? make_past(s) : LS_EMEM;
  if (st) {
    ode_system_free(s);
    return st;
  }
  for (u32 i = 0; i < m->count; i++)
    if (m->variables[i].role == LS_STATE) s->state[s->states++] = i;
  f64 *last = s->last; /* at the start, the values one step ago are the current ones */
  s->last = NULL;
  first_values(s, false);
  st = remember_before(s);
  s->last = last;
  s->last_t = start;
  find_scales(s);
  if (last) memcpy(last, s->value, m->count * sizeof *last);
  if (!st) st = ode_remember(s);
  if (st) ode_system_free(s);
  return st;
}

ls_status ode_system_new(ode_system *s, const ls_ode *m, f64 start, f64 dt, u64 seed) {
  ls_status st = open_system(s, m, start, dt, seed);
  if (!st && (st = make_tapes(s))) ode_system_free(s);
  return st;
}

void ode_system_free(ode_system *s) {
  ls_free(s->value);
  ls_free(s->last);
  ls_free(s->state);
  ls_free(s->scale);
  ls_free(s->slope);
  ode_tape_free(&s->functions);
  ode_tape_free(&s->slopes);
  ls_free(s->history.variable);
  ls_free(s->history.t);
  ls_free(s->history.x);
  *s = (ode_system){0};
}

ls_status ls_ode_begin(ls_ode *m, f64 start, f64 dt, u64 seed, ls_beginning *b) {
  ode_system s;
  *b = (ls_beginning){0};
  ls_status st = m->order ? LS_OK : ls_ode_arrange(m);
  if (!st) st = open_system(&s, m, start, dt, seed);
  if (st) return st;
  ode_history *h = &s.history;
  *b = (ls_beginning){s.value, h->count, h->variable, h->samples, h->t, h->x};
  s.value = NULL;
  *h = (ode_history){0};
  ode_system_free(&s);
  return LS_OK;
}

void ls_beginning_free(ls_beginning *b) {
  ls_free(b->value);
  ls_free(b->variable);
  ls_free(b->t);
  ls_free(b->x);
  *b = (ls_beginning){0};
}

ls_status ls_ode_first_values(ls_ode *m, f64 start, f64 *value) {
  ode_system s;
  ls_status st = m->order ? LS_OK : ls_ode_arrange(m);
  if (!st) st = open_system(&s, m, start, 1, m->seed);
  if (st) return st;
  memcpy(value, s.value, m->count * sizeof *value);
  ode_system_free(&s);
  return LS_OK;
}

void ode_functions(ode_system *s) {
  if (!s->meets) {
    ode_tape_run(&s->functions, s);
    return;
  }
  for (u32 i = 0; i < s->m->order_count; i++)
    s->value[s->m->order[i]] = ode_eval(s, s->m->variables[s->m->order[i]].equation);
}

void ode_rates(const ode_system *s, f64 *rate) {
  ode_tape_run(&s->slopes, s);
  memcpy(rate, s->slope, s->states * sizeof *rate);
}

void ode_place(ode_system *s, f64 t, const f64 *y) {
  s->t = t;
  for (u32 i = 0; i < s->states; i++) s->value[s->state[i]] = y[i];
}

void ode_move(ode_system *s, f64 t, const f64 *y) {
  ode_place(s, t, y);
  ode_functions(s);
}

ls_status ode_remember(ode_system *s) {
  ode_history *h = &s->history;
  if (!h->count) return LS_OK;
  if (h->samples && h->t[h->samples - 1] == s->t)
    h->samples--; /* an event has changed values: replace the sample */
  if (h->samples == h->room) {
    const u64 room = h->room ? 2 * h->room : 1024;
    f64 *t = ls_realloc(h->t, room * sizeof *t);
    if (!t) return LS_EMEM;
    h->t = t;
    f64 *x = ls_realloc(h->x, room * h->count * sizeof *x);
    if (!x) return LS_EMEM;
    h->x = x;
    h->room = room;
  }
  for (u32 i = 0; i < h->count; i++) h->x[h->samples * h->count + i] = s->value[h->variable[i]];
  h->t[h->samples++] = s->t;
  return LS_OK;
}

/* --- error messages ---------------------------------------------------------------------------------------
 */

/* Writes "V = ... (file:line)", with a long equation cut off. */
static void describe(const ode_system *s, u32 v, char *out, size_t bytes) {
  const ls_variable *a = &s->m->variables[v];
  char equation[400];
  ls_ode_equation_text(s->m, v, equation, sizeof equation);
  snprintf(out, bytes, "%s (%s:%u)", equation, ls_ode_path(s->m, v), a->line);
}

typedef struct blame {
  const ode_system *s;
  bool fine;
} blame;

static bool finite_in(void *ctx, const ls_term *t) {
  blame *b = ctx;
  if (t->op == LS_VARIABLE_OP && !isfinite(b->s->value[t->index])) b->fine = false;
  return b->fine;
}

/* Finds the first algebraic variable that is not finite although all variables in its equation are.
 * LS_NO_VARIABLE if there is none. */
static u32 origin(const ode_system *s) {
  for (u32 i = 0; i < s->m->order_count; i++) {
    const u32 v = s->m->order[i];
    blame b = {s, true};
    if (isfinite(s->value[v])) continue;
    ls_term_walk(s->m->variables[v].equation, finite_in, &b);
    if (b.fine) return v;
  }
  return LS_NO_VARIABLE;
}

/* Are all variables in the equation of a state finite? */
static bool is_fed(const ode_system *s, u32 state) {
  blame b = {s, true};
  ls_term_walk(s->m->variables[s->state[state]].equation, finite_in, &b);
  return b.fine;
}

ls_status ode_finite(ode_system *s, const f64 *before, const f64 *where) {
  for (u32 i = 0; i < s->states; i++) {
    const u32 v = s->state[i];
    if (isfinite(s->value[v]) || !isfinite(before[i])) continue;
    char text[600], cause[600] = "";
    const bool none = isnan(s->value[v]);
    ode_move(s, s->t, where); /* finite states again, so that the cause can be found */
    const u32 o = origin(s);
    ode_tape_run(&s->slopes, s);
    u32 first = LS_NO_VARIABLE; /* the first state whose own equation is the cause */
    for (u32 k = 0; k < s->states && first == LS_NO_VARIABLE; k++)
      if (!isfinite(s->slope[k]) && (o != LS_NO_VARIABLE || is_fed(s, k))) first = k;
    describe(s, v, text, sizeof text);
    const u32 cause_of = o != LS_NO_VARIABLE ? o : first != LS_NO_VARIABLE ? s->state[first] : v;
    if (cause_of != v) {
      char because[500];
      describe(s, cause_of, because, sizeof because);
      snprintf(cause, sizeof cause, "; the first such value is in %s", because);
    }
    return ls_fail(LS_EOVERFLOW, "at time %.10g, with %s = %.10g before this step: %s is %s: %s%s", s->t,
                   s->m->variables[v].name, before[i], s->m->variables[v].name,
                   none ? "not a number" : "beyond the largest number", text, cause);
  }
  return LS_OK;
}

ls_status ode_rates_finite(const ode_system *s, const f64 *rate) {
  u32 first = LS_NO_VARIABLE, own = LS_NO_VARIABLE;
  for (u32 i = 0; i < s->states; i++) {
    if (!isfinite(s->value[s->state[i]])) return LS_OK; /* the rates are not the cause */
    if (isfinite(rate[i])) continue;
    if (first == LS_NO_VARIABLE) first = i;
    if (own == LS_NO_VARIABLE && is_fed(s, i)) own = i;
  }
  if (first == LS_NO_VARIABLE) return LS_OK;
  const u32 i = own != LS_NO_VARIABLE ? own : first, v = s->state[i],
            o = own != LS_NO_VARIABLE ? LS_NO_VARIABLE : origin(s);
  char text[600], because[500] = "";
  describe(s, v, text, sizeof text);
  if (o != LS_NO_VARIABLE) describe(s, o, because, sizeof because);
  return ls_fail(LS_EOVERFLOW, "at time %.10g, with %s = %.10g: the rate of %s is %s: %s%s%s", s->t,
                 s->m->variables[v].name, s->value[v], s->m->variables[v].name,
                 isnan(rate[i]) ? "not a number" : "beyond the largest number", text,
                 *because ? "; the first such value is in " : "", because);
}

ls_status ode_too_small(const ode_system *s, f64 h, u32 state) {
  char text[600];
  const u32 v = s->state[state];
  describe(s, v, text, sizeof text);
  return ls_fail(LS_EOVERFLOW,
                 "at time %.10g: a step of %g is still too long for the tolerance, because of %s = %g: %s; "
                 "try method = \"cvode\", larger tolerances, or look at this equation",
                 s->t, h, s->m->variables[v].name, s->value[v], text);
}
