/* Triggers that are true only for an instant, such as `time == 4`, `x >= 1 and x <= 1` or
 * `mod(time, 24) == 0`, or false only for an instant, such as `x != 4`. Samples within a step usually miss
 * the instant. So the difference of both sides of each relation in a trigger is watched: if its sign changes
 * without a jump, the difference has a root, where both sides are equal. Functions that round (floor, mod and
 * others), abs and powers are watched too, since a difference that contains them may be zero without changing
 * its sign.
 *
 * At the instant, triggers are evaluated with s->meets set, so that both sides of a relation that has a root
 * there count as equal. A trigger with only one relation that is not an equality is not watched: its truth
 * changes at the root, which samples show. A trigger with several relations may be true for a time shorter
 * than the distance of two samples (`pulses`); methods that choose their steps watch such triggers too. */
#include <float.h>
#include <math.h>

#include "core/mem.h"
#include "ode/parts.h"

/* If the difference of both sides of a relation changes by more than this fraction of its magnitude between
 * two adjacent floating-point times, the change is regarded as a jump, not as a root. */
#define JUMP 1e-6
#define ROUNDED (64 * DBL_EPSILON)
#define AGAIN 1e-10 /* roots with a smaller relative difference of their times are the same root */

typedef struct watch {
  const ls_term *term;
  u32 at;       /* of a relation: it is watched between arguments `at` and `at` + 1 */
  f64 was, now; /* of a relation: the difference of its sides; else an integer that changes where the term is
                   not smooth */
  f64 within;   /* below 0: no root; else the sides are regarded as equal if they differ by at most this */
  f64 last;     /* the time of the last root */
} watch;

struct ode_instants {
  ode_system *s;
  const ls_ode *m;
  watch *watch;
  u32 count, room;
  u8 *seen; /* [m->count]: algebraic variables that were searched for this trigger */
  u32 relations, equalities,
      within; /* how many the current trigger has; within: of <= and >=, which hold at their root */
  bool negated;
  bool short_of_memory;
};

static bool is_equality(ls_op op) { return op == LS_EQ_OP || op == LS_NEAR_OP || op == LS_NEQ_OP; }

/* --- what is watched --------------------------------------------------------------------------------------
 */

static void add(ode_instants *in, const ls_term *t, u32 at) {
  watch *more = ls_grown(in->watch, in->count, &in->room, 16, sizeof *more);
  if (!more) {
    in->short_of_memory = true;
    return;
  }
  in->watch = more;
  in->watch[in->count++] = (watch){.term = t, .at = at, .within = -1, .last = -HUGE_VAL};
}

static bool collect(void *ctx, const ls_term *t) {
  ode_instants *in = ctx;
  const ls_ode *m = in->m;
  if (ls_op_is_relation(t->op)) {
    in->relations += t->count - 1;
    in->equalities += is_equality(t->op);
    if (t->op == LS_LEQ_OP || t->op == LS_GEQ_OP) in->within += t->count - 1;
    for (u32 i = 0; i + 1 < t->count; i++) add(in, t, i);
  }
  switch (t->op) {
  case LS_NOT_OP: in->negated = true; break;
  case LS_FLOOR_OP:
  case LS_CEILING_OP:
  case LS_MODULO_OP:
  case LS_REM_OP:
  case LS_QUOTIENT_OP:
  case LS_ABS_OP:
  case LS_POWER_OP: add(in, t, 0); break;
  case LS_VARIABLE_OP:
    if (m->variables[t->index].role == LS_ALGEBRAIC && !in->seen[t->index]) {
      in->seen[t->index] = 1;
      ls_term_walk(m->variables[t->index].equation, collect, in);
    }
    break;
  default: break;
  }
  return !in->short_of_memory;
}

/* Collects what must be watched for one trigger; nothing if it cannot be true or false for an instant. */
static void collect_trigger(ode_instants *in, const ls_term *trigger, bool pulses) {
  const u32 before = in->count;
  in->relations = in->equalities = in->within = 0;
  in->negated = false;
  for (u32 v = 0; v < in->m->count; v++) in->seen[v] = 0;
  ls_term_walk(trigger, collect, in);
  const bool two = in->relations > 1 && (pulses || in->within > 1 || in->negated);
  if (!two && !in->equalities) in->count = before;
}

static ls_status collect_all(ode_instants *in, bool pulses) {
  const ls_ode *m = in->m;
  if (!(in->seen = ls_calloc(m->count + 1, 1))) return LS_EMEM;
  for (u32 i = 0; i < m->event_count && !in->short_of_memory; i++)
    collect_trigger(in, m->events[i].trigger, pulses);
  return in->short_of_memory ? LS_EMEM : LS_OK;
}

ls_status ode_instants_new(ode_system *s, bool pulses, ode_instants **out) {
  if (!(*out = ls_calloc(1, sizeof **out))) return LS_EMEM;
  (*out)->s = s;
  (*out)->m = s->m;
  return collect_all(*out, pulses);
}

ls_status ls_ode_has_instants(const ls_ode *m, bool *out) {
  ode_instants in = {.m = m};
  ls_status st = collect_all(&in, false);
  *out = in.count > 0;
  ls_free(in.watch);
  ls_free(in.seen);
  return st;
}

void ode_instants_free(ode_instants *in) {
  if (!in) return;
  ls_free(in->watch);
  ls_free(in->seen);
  ls_free(in);
}

/* --- their values -----------------------------------------------------------------------------------------
 */

static f64 value_of(const ode_system *s, const watch *w) {
  const ls_term *t = w->term;
  const f64 x = ode_eval(s, t->arg[w->at]), y = t->count > 1 ? ode_eval(s, t->arg[w->at + 1]) : 0;
  switch (t->op) {
  case LS_FLOOR_OP: return floor(x);
  case LS_CEILING_OP: return ceil(x);
  case LS_MODULO_OP: return floor(x / y);
  case LS_REM_OP: return round((x - fmod(x, y)) / y);
  case LS_QUOTIENT_OP: return trunc(x / y);
  case LS_ABS_OP:
  case LS_POWER_OP: return x > 0;
  default: return x - y;
  }
}

static bool crossed(const watch *w) {
  if (!ls_op_is_relation(w->term->op)) return w->now != w->was;
  return (w->was < 0 && w->now >= 0) || (w->was > 0 && w->now <= 0);
}

void ode_instants_begin(ode_instants *in) {
  for (u32 k = 0; k < in->count; k++) in->watch[k].was = in->watch[k].now = value_of(in->s, &in->watch[k]);
}

bool ode_instants_look(ode_instants *in) {
  bool any = false;
  for (u32 k = 0; k < in->count; k++) {
    watch *w = &in->watch[k];
    w->now = value_of(in->s, w);
    any = any || crossed(w);
  }
  return any;
}

void ode_instants_pass(ode_instants *in) {
  for (u32 k = 0; k < in->count;
       k++) { /* keep the value of the greatest magnitude, for comparison with a jump */
    watch *w = &in->watch[k];
    if (ls_op_is_relation(w->term->op) && fabs(w->now) > fabs(w->was)) w->was = w->now;
  }
}

/* --- roots ------------------------------------------------------------------------------------------------
 */

typedef struct measuring {
  const ode_system *s;
  f64 most;
} measuring;

static bool measure(void *ctx, const ls_term *t) {
  measuring *m = ctx;
  if (t->op == LS_PIECEWISE_OP || ls_op_is_relation(t->op)) return true;
  const f64 x = fabs(ode_eval(m->s, t));
  if (isfinite(x) && x > m->most) m->most = x;
  if (t->op == LS_VARIABLE_OP && m->s->m->variables[t->index].role == LS_ALGEBRAIC)
    ls_term_walk(m->s->m->variables[t->index].equation, measure, ctx);
  return true;
}

/* The greatest magnitude in the two sides of a relation, to which the rounding error of their difference is
 * proportional. */
static f64 size_of(const ode_system *s, const watch *w) {
  measuring m = {s, 0};
  ls_term_walk(w->term->arg[w->at], measure, &m);
  ls_term_walk(w->term->arg[w->at + 1], measure, &m);
  return m.most;
}

/* Records a root at t, unless it is the previous root, found again: near a root, rounding may change the sign
 * of a difference several times. */
static bool note(watch *w, f64 off, f64 t) {
  if (t - w->last <= AGAIN * fabs(t)) return false;
  w->within = off;
  w->last = t;
  return true;
}

ls_status ode_instants_meet(ode_instants *in, f64 from, f64 to, ls_status (*place)(void *ctx, f64 t),
                            void *ctx, bool *any) {
  ls_status st = LS_OK;
  *any = false;
  for (u32 k = 0; k < in->count; k++) in->watch[k].within = -1;
  if ((st = place(ctx, to)) || !ode_instants_look(in)) return st;
  for (u32 k = 0; k < in->count && !st; k++) {
    watch *w = &in->watch[k];
    f64 before = from, after = to;
    if ((st = place(ctx, to)) || (w->now = value_of(in->s, w), !crossed(w))) continue;
    while (!st) {
      const f64 middle = before + (after - before) / 2;
      if (middle <= before || middle >= after || (st = place(ctx, middle))) break;
      w->now = value_of(in->s, w);
      *(crossed(w) ? &after : &before) = middle;
    }
    if (st || (st = place(ctx, before))) break;
    const f64 last = value_of(in->s, w);
    if ((st = place(ctx, after))) break;
    w->now = value_of(in->s, w);
    if (ls_op_is_relation(w->term->op) && fabs(w->now - last) <= JUMP * fmax(fabs(w->was), size_of(in->s, w)))
      *any |= note(w, fabs(w->now), after);
    for (u32 i = 0; i < in->count; i++) { /* relations that jump to a root, or touch it, at this time */
      watch *other = &in->watch[i];
      if (!ls_op_is_relation(other->term->op) || other->within >= 0) continue;
      const f64 off = fabs(value_of(in->s, other));
      if (off <= ROUNDED * size_of(in->s, other)) *any |= note(other, off, after);
    }
  }
  if (!st) st = place(ctx, to);
  for (u32 k = 0; k < in->count && !st; k++) /* steps of a fixed length end after the root, not at it */
    if (in->watch[k].within >= 0)
      in->watch[k].within = fmax(in->watch[k].within, fabs(value_of(in->s, &in->watch[k])));
  return st;
}

static bool meets(const ode_instants *in, const ls_term *t, u32 at, f64 x, f64 y) {
  for (u32 k = 0; k < in->count; k++)
    if (in->watch[k].term == t && in->watch[k].at == at) return fabs(x - y) <= in->watch[k].within;
  return false;
}

ls_status ode_instants_happen(ode_instants *in, ode_events *e, bool *any) {
  in->s->instants = in;
  in->s->meets = meets;
  ode_functions(in->s);
  ls_status st = ode_events_now(e, any);
  in->s->meets = NULL;
  ode_functions(in->s);
  return st;
}
