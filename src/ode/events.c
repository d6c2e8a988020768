/* Events of SBML, level 3 version 2, sections 3.4.9 and 4.11: an event is triggered when its trigger becomes
 * true, and executed after its delay. Of several events that are due at the same time, the one with the
 * highest priority is executed first, and all triggers are evaluated again after each. Of events with the
 * same priority, one is drawn at random. Events without a priority come last, in the order in which they were
 * triggered; if triggered at the same time, in the order of the file.
 *
 * kernels/ode/ode_events.h does the same for bytecode and many cells. The two share no code, so that each
 * checks the other (tests/lua/ode/bytecode_events_spec.lua). */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "ode/parts.h"

enum { MOST_AT_A_TIME = 10000 };

ls_status ode_events_new(ode_events *e, ode_system *s) {
  const ls_ode *m = s->m;
  u32 most = 1;
  *e = (ode_events){.s = s};
  for (u32 i = 0; i < m->event_count; i++)
    if (m->events[i].count > most) most = m->events[i].count;
  e->truth = ls_malloc(m->event_count * sizeof *e->truth);
  e->scratch = ls_malloc(most * sizeof *e->scratch);
  for (u32 i = 0; i < m->event_count && e->truth; i++) e->truth[i] = m->events[i].initial_value;
  if (e->truth && e->scratch) return LS_OK;
  ode_events_free(e);
  return LS_EMEM;
}

void ode_events_free(ode_events *e) {
  for (u32 i = 0; i < e->count; i++) ls_free(e->pending[i].values);
  ls_free(e->pending);
  ls_free(e->truth);
  ls_free(e->scratch);
  *e = (ode_events){0};
}

static void forget(ode_events *e, u32 i) {
  ls_free(e->pending[i].values);
  memmove(&e->pending[i], &e->pending[i + 1], (--e->count - i) * sizeof *e->pending);
}

static void compute(const ode_system *s, const ls_event *a, f64 *out) {
  for (u32 k = 0; k < a->count; k++) out[k] = ode_eval(s, a->assigns[k].value);
}

static ls_status trigger(ode_events *e, u32 i) {
  const ls_event *a = &e->s->m->events[i];
  const f64 delay = a->delay ? ode_eval(e->s, a->delay) : 0;
  if (!(delay >= 0))
    return ls_ode_fail(e->s->m, a->line, "at time %g the delay of event %s is %g", e->s->t, a->name, delay);
  ode_pending *more = ls_grown(e->pending, e->count, &e->room, 16, sizeof *more);
  if (!more) return LS_EMEM;
  e->pending = more;
  ode_pending *p = &e->pending[e->count];
  *p = (ode_pending){.event = i, .time = e->s->t + delay};
  if (a->from_trigger_time) {
    if (!(p->values = ls_malloc((a->count + 1) * sizeof *p->values))) return LS_EMEM;
    compute(e->s, a, p->values);
  }
  e->count++;
  return LS_OK;
}

/* Triggers the events whose trigger has become true. Cancels pending events whose trigger has become false,
 * if they are not persistent. */
static ls_status look(ode_events *e) {
  const ls_ode *m = e->s->m;
  for (u32 i = 0; i < m->event_count; i++) {
    const bool now = ode_eval(e->s, m->events[i].trigger) != 0;
    if (now && !e->truth[i]) {
      ls_status st = trigger(e, i);
      if (st) return st;
    }
    if (!now && e->truth[i] && !m->events[i].persistent)
      for (u32 k = e->count; k-- > 0;)
        if (e->pending[k].event == i) forget(e, k);
    e->truth[i] = now;
  }
  return LS_OK;
}

/* Chooses the pending event to execute next, among those that are due, up to rounding. -1: none is due. */
static i64 choose(ode_events *e) {
  i64 best = -1;
  f64 highest = 0;
  u64 ties = 1;
  const f64 now = e->s->t + 1e-13 * fabs(e->s->t);
  for (u32 i = 0; i < e->count; i++) {
    if (e->pending[i].time > now) continue;
    const ls_term *priority = e->s->m->events[e->pending[i].event].priority;
    const f64 p = priority ? ode_eval(e->s, priority) : -HUGE_VAL;
    if (best >= 0 && p == highest && priority) { /* each with the same probability */
      if (ls_below(ls_draw(ls_key(e->s->seed, LS_TERM_OPS_COUNT), e->draws++), ++ties)) continue;
    } else if (best >= 0 && !(p > highest)) {
      continue;
    } else {
      ties = 1;
    }
    best = i;
    highest = p;
  }
  return best;
}

static void execute(ode_events *e, u32 i) {
  ode_system *s = e->s;
  const ls_event *a = &s->m->events[e->pending[i].event];
  if (!e->pending[i].values) compute(s, a, e->scratch);
  const f64 *x = e->pending[i].values ? e->pending[i].values : e->scratch;
  for (u32 k = 0; k < a->count; k++) s->value[a->assigns[k].variable] = x[k];
  ode_functions(s);
  forget(e, i);
  e->executed++;
}

ls_status ode_events_now(ode_events *e, bool *any) {
  *any = false;
  if (!e->s->m->event_count) return LS_OK;
  for (int n = 0;; n++) {
    ls_status st = look(e);
    if (st) return st;
    const i64 next = choose(e);
    if (next < 0) return LS_OK;
    const ls_event *a = &e->s->m->events[e->pending[next].event];
    if (n == MOST_AT_A_TIME)
      return ls_ode_fail(e->s->m, a->line,
                         "at time %.17g events trigger each other without end, among them %s", e->s->t,
                         a->name);
    execute(e, (u32)next);
    *any = true;
  }
}

f64 ode_events_next(const ode_events *e) {
  f64 t = HUGE_VAL;
  for (u32 i = 0; i < e->count; i++)
    if (e->pending[i].time < t) t = e->pending[i].time;
  return t;
}
