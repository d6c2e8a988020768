/* The events of SBML, level 3 version 2, sections 3.4.9 and 4.11, one thread per cell: finds events whose trigger became true,
 * lets them wait for their delay, and executes those that are due, one after another. Events due at the same time are executed
 * in the order of their priorities, and triggers are evaluated again after each; among equal priorities the choice is random. */
#include "ode/ode.h"

/* pending: `slots` numbers per cell, `wide` numbers per waiting event: its index, its time, its values. tally: for each cell, how
 * many events wait, then how many random draws were made. fault: an error code, the event, the time, the delay. */
#define ODE_EVENTS_ARGS(A, W)                                                                               \
  ODE_CODE_ARGS(A) A(INOUT, f64, x, "vars*cells") A(INOUT, f64, x_next, "vars*cells")                       \
  A(IN, u32, event, "6*events") A(IN, u32, assign, "2*assigns") A(VALUE, u32, events, "1")                  \
  A(VALUE, u32, assigns, "1") A(VALUE, u32, slots, "1") A(VALUE, u32, wide, "1")                            \
  A(INOUT, u32, truth, "events*cells") A(INOUT, f64, pending, "slots*cells") A(INOUT, u64, tally, "2*cells") \
  A(INOUT, f64, fault, "4") A(COUNT, u32, executed, "1") A(COUNT, u32, faults, "1")
ARGS(ode_events, ODE_EVENTS_ARGS)

enum { ODE_MOST_AT_A_TIME = 10000 };
enum { ODE_NEGATIVE_DELAY = 1, ODE_WITHOUT_END, ODE_TOO_MANY };

/* The events of one cell; consecutive numbers of its pending events are `cells` elements apart. */
typedef struct ode_cell {
  ode_code code;
  const u32 *index, *lane, *event, *assign;
  u32 functions; /* number of threads in all phases of functions */
  u32 events, assigns, wide, most, cell;
  f64 *x, *x_next, *pending;
  u32 *truth;
  u64 *waiting, *draws;
  f64 *fault, t;
} ode_cell;

LS_CODE_CALL f64 ode_value(const ode_cell *s, u32 pc) {
  f64 value = 0;
  const ode_target to = {.kind = ODE_VALUE, .next = &value};
  const ode_thread thread = {pc, 0, s->cell};
  ode_run(&s->code, &thread, s->x, &to);
  return value;
}

LS_CODE_CALL void ode_refresh(const ode_cell *s) {
  const ode_target to = {.kind = ODE_FUNCTION, .next = s->x};
  for (u32 t = 0; t < s->functions; t++) {
    if (s->index[t] & LS_CODE_MUTE) continue;
    const ode_thread thread = {s->index[t], s->lane[t], s->cell};
    ode_run(&s->code, &thread, s->x, &to);
  }
}

LS_INLINE f64 *ode_slot(const ode_cell *s, u64 i, u32 k) { return s->pending + (i * s->wide + k) * s->code.cells; }
LS_INLINE const u32 *ode_event(const ode_cell *s, u64 i) {
  return s->event + (i < s->events ? i : s->events - 1) * LS_CODE_EVENT_WORDS;
}
LS_INLINE u32 ode_assigned(const ode_cell *s, const u32 *e) {
  const u32 n = e[LS_CODE_COUNT], most = s->wide - 2;
  return e[LS_CODE_ASSIGNS] > s->assigns || n > s->assigns - e[LS_CODE_ASSIGNS] ? 0 : n < most ? n : most;
}

LS_CODE_CALL void ode_compute(const ode_cell *s, const u32 *e, u64 slot) {
  for (u32 k = 0; k < ode_assigned(s, e); k++)
    *ode_slot(s, slot, 2 + k) = ode_value(s, s->assign[2 * (e[LS_CODE_ASSIGNS] + k)]);
}

/* Records the first error. Returns false. */
LS_INLINE bool ode_fail(const ode_cell *s, f64 what, f64 event, f64 x) {
  if (s->fault[0] == 0) s->fault[0] = what, s->fault[1] = event, s->fault[2] = s->t, s->fault[3] = x;
  return false;
}

LS_CODE_CALL bool ode_trigger(const ode_cell *s, u32 i) {
  const u32 *e = ode_event(s, i);
  const f64 delay = e[LS_CODE_AFTER] == LS_CODE_NONE ? 0 : ode_value(s, e[LS_CODE_AFTER]);
  if (!(delay >= 0)) return ode_fail(s, ODE_NEGATIVE_DELAY, i, delay);
  if (*s->waiting >= s->most) return ode_fail(s, ODE_TOO_MANY, i, s->most);
  const u64 slot = (*s->waiting)++;
  *ode_slot(s, slot, 0) = i;
  *ode_slot(s, slot, 1) = s->t + delay;
  if (e[LS_CODE_FLAGS] & LS_CODE_AT_TRIGGER) ode_compute(s, e, slot);
  return true;
}

LS_CODE_CALL void ode_forget(const ode_cell *s, u64 i) {
  for (--*s->waiting; i < *s->waiting; i++)
    for (u32 k = 0; k < s->wide; k++) *ode_slot(s, i, k) = *ode_slot(s, i + 1, k);
}

/* Triggers events whose condition became true. Cancels waiting events whose condition became false, unless they are persistent. */
LS_CODE_CALL bool ode_look(const ode_cell *s) {
  for (u32 i = 0; i < s->events; i++) {
    const u32 *e = ode_event(s, i);
    u32 *truth = &s->truth[(u64)i * s->code.cells];
    const bool now = ode_value(s, e[LS_CODE_TRIGGER]) != 0;
    if (now && !*truth && !ode_trigger(s, i)) return false;
    if (!now && *truth && !(e[LS_CODE_FLAGS] & LS_CODE_PERSISTENT))
      for (u64 k = *s->waiting; k-- > 0;)
        if (*ode_slot(s, k, 0) == i) ode_forget(s, k);
    *truth = now;
  }
  return true;
}

/* The index of the pending event to execute next; *waiting if none is due. An event that is early by a rounding error is due. */
LS_CODE_CALL u64 ode_choose(const ode_cell *s) {
  const f64 now = s->t + 1e-13 * fabs(s->t);
  u64 best = *s->waiting;
  f64 highest = 0;
  u32 ties = 1;
  bool any = false;
  for (u64 i = 0; i < *s->waiting; i++) {
    if (*ode_slot(s, i, 1) > now) continue;
    const u32 priority = ode_event(s, (u64)*ode_slot(s, i, 0))[LS_CODE_PRIORITY];
    const f64 p = priority != LS_CODE_NONE ? ode_value(s, priority) : -INFINITY;
    if (any && p == highest && priority != LS_CODE_NONE) {
      if (ode_below(ls_draw(s->code.moment.clock[LS_CLOCK_TIES] + s->cell, (*s->draws)++), ++ties)) continue;
    } else if (any && !(p > highest)) {
      continue;
    } else {
      ties = 1;
    }
    best = i;
    highest = p;
    any = true;
  }
  return best;
}

LS_CODE_CALL void ode_execute(const ode_cell *s, u64 slot) {
  const u32 *e = ode_event(s, (u64)*ode_slot(s, slot, 0));
  if (!(e[LS_CODE_FLAGS] & LS_CODE_AT_TRIGGER)) ode_compute(s, e, slot);
  for (u32 k = 0; k < ode_assigned(s, e); k++) {
    const u32 place = s->assign[2 * (e[LS_CODE_ASSIGNS] + k) + 1];
    const u64 at = (u64)ODE_CLAMP(place, s->code.vars) * s->code.cells + s->cell;
    s->x[at] = s->x_next[at] = *ode_slot(s, slot, 2 + k); /* both, because steps do not copy parameters */
  }
  ode_refresh(s);
  ode_forget(s, slot);
}

VERTEX_BODY(ode_events) {
  (void)push;
  const ode_code code = ODE_CODE(a);
  if (!code.constants || !code.operands || !code.vars || !a->events || a->wide < 2) return;
  ode_cell s = {.code = code,
                .index = LS_POINTER(a->index),
                .lane = LS_POINTER(a->lane),
                .event = LS_POINTER(a->event),
                .assign = LS_POINTER(a->assign),
                .functions = a->first[a->phases] < a->threads ? a->first[a->phases] : a->threads,
                .events = a->events,
                .assigns = a->assigns,
                .wide = a->wide,
                .most = a->slots / a->wide,
                .cell = v,
                .x = LS_POINTER(a->x),
                .x_next = LS_POINTER(a->x_next),
                .pending = LS_POINTER(a->pending) + v,
                .truth = LS_POINTER(a->truth) + v,
                .waiting = LS_POINTER(a->tally) + v,
                .draws = LS_POINTER(a->tally) + a->cells + v,
                .fault = LS_POINTER(a->fault)};
  s.t = s.x[(u64)(code.vars - 1) * code.cells + v];
  s.code.moment.late = code.moment.clock[LS_CLOCK_STEP] > 0; /* the sample of this step is taken after its events */
  if (*s.waiting > s.most) return;
  for (u32 n = 0;; n++) {
    if (!ode_look(&s)) {
      count->faults++;
      return;
    }
    const u64 next = ode_choose(&s);
    if (next >= *s.waiting) return;
    if (n == ODE_MOST_AT_A_TIME) {
      ode_fail(&s, ODE_WITHOUT_END, *ode_slot(&s, next, 0), 0);
      count->faults++;
      return;
    }
    ode_execute(&s, next);
    count->executed++;
  }
}
