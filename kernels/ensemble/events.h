/* Triggers and executes the events of an ensemble's instances, as kernels/ode/ode_events.h does for bytecode:
 * SBML level 3 version 2, sections 3.4.9 and 4.11. The text defines
 *
 *   EVENTS                 the number of events
 *   WORDS                  the number of words with a bit for each trigger, comparison and condition
 *   SLOTS, WIDE, WAITING   how many events may wait, how many numbers each has, and SLOTS * WIDE
 *   EVENT_FLAGS            the flags of each event
 *   EVENT_FIRST            the first assignment of each event, and the number of assignments
 *   model_truths(t, p, y, truth)                          computes the bits
 *   model_delay(e, t, p, y), model_priority(e, t, p, y)   of event e
 *   model_assigned(c, t, p, y), model_assign(c, x, p, y)  compute and execute assignment c
 *
 * and with INSTANTS, if triggers may be true only at an instant, model_instants: as model_truths, at the
 * instant itself. */
#include "ensemble/unit.h"

/* clang-format off */
#define ENSEMBLE_EVENTS_ARGS(A, W) \
  A(INOUT, f64, p, "VARIED*instances") A(INOUT, f64, y, "STATES*instances") A(IN, f64, t, "instances") \
  A(INOUT, f64, h, "instances") A(INOUT, u32, way, "instances") A(INOUT, u32, truth, "WORDS*instances") \
  A(INOUT, f64, due, "instances") A(INOUT, u32, called, "instances") \
  A(INOUT, f64, pending, "WAITING*instances") A(INOUT, u32, tally, "3*instances") \
  A(INOUT, f64, moment, "instances") A(INOUT, u32, fault, "instances") A(VALUE, u32, instances, "1") \
  A(VALUE, u32, first_instance, "1") A(COUNT, u32, executed, "1") A(COUNT, u32, failed, "1")
/* clang-format on */
ARGS_OF(ENSEMBLE_ROW(events), ENSEMBLE_EVENTS_ARGS)

enum {
  ENSEMBLE_AT_A_TIME = 10000, /* the most events that an instance executes without advancing its time */
  ENSEMBLE_STILL = 1000, /* the most consecutive stops of an instance for events without progress in time */
};

/* Pending events: slot s has the event's number, its time and its values. */
#define SLOT(s, c) OF_INSTANCE(a->pending, (u64)(s)*WIDE + (c))

VERTEX_BODY(ENSEMBLE_ROW(events)) {
  (void)push;
  const u32 i = v;
  if (!a->called[i] || a->way[i] > ENSEMBLE_STIFF) return;
  a->called[i] = 0;
  const u32 first[] = EVENT_FIRST;
  const u32 flags[] = EVENT_FLAGS;
  f64 y[STATES], p[VARIED];
  u32 truth[WORDS], now[WORDS];
  const f64 t = a->t[i];
  u32 waiting = a->tally[i], draws = a->tally[(u64)a->instances + i], made = 0, fault = 0, culprit = 0;
  LOAD_INSTANCE
  for (u32 w = 0; w < WORDS; w++) truth[w] = OF_INSTANCE(a->truth, w);
  /* counts consecutive calls at nearly the same time: too many are an endless chain of events */
  const u32 still = t - a->moment[i] <= 1e-12 * fabs(t) ? OF_INSTANCE(a->tally, 2) + 1 : 0;
  OF_INSTANCE(a->tally, 2) = still;
#if INSTANTS /* events are first triggered by what holds at the instant, then by what holds after it */
  const bool begun = a->moment[i] > -INFINITY;
  u32 turned[WORDS];
  bool meets = false; /* turned: the bits that the step to this time changed; 0 at the start */
  model_truths(t, p, y, now);
  for (u32 w = 0; w < WORDS; w++) {
    turned[w] = begun ? now[w] ^ truth[w] : 0;
    meets |= turned[w] != 0;
  }
#endif
  a->moment[i] = t;
  for (; !fault; made++) {
#if INSTANTS
    if (meets)
      model_instants(t, p, y, turned, still > 0, now);
    else
#endif
      model_truths(t, p, y, now);
    for (u32 e = 0; e < EVENTS && !fault; e++) {
      const bool is = now[e / 32] >> e % 32 & 1, was = truth[e / 32] >> e % 32 & 1;
      if (is && !was) {
        const f64 delay = model_delay(e, t, p, y);
        culprit = e;
        if (!(delay >= 0))
          fault = ENSEMBLE_NEGATIVE_DELAY;
        else if (waiting >= SLOTS)
          fault = ENSEMBLE_MANY_WAIT;
        else {
          SLOT(waiting, 0) = e;
          SLOT(waiting, 1) = t + delay;
          if (flags[e] & LS_CODE_AT_TRIGGER)
            for (u32 c = first[e]; c < first[e + 1]; c++)
              SLOT(waiting, 2 + c - first[e]) = model_assigned(c, t, p, y);
          waiting++;
        }
      }
      if (!is && was && !(flags[e] & LS_CODE_PERSISTENT)) {
        u32 kept = 0;
        for (u32 s = 0; s < waiting; s++) {
          if ((u32)SLOT(s, 0) == e) continue;
          for (u32 c = 0; c < WIDE && kept < s; c++) SLOT(kept, c) = SLOT(s, c);
          kept++;
        }
        waiting = kept;
      }
    }
    for (u32 w = 0; w < WORDS; w++) truth[w] = now[w];
    /* the next event: one of highest priority; among equal priorities a random one if the model has
     * priorities, else the first */
    u32 best = waiting, ties = 1;
    f64 highest = 0;
    for (u32 s = 0; s < waiting && !fault; s++) {
      if (SLOT(s, 1) > t + 1e-13 * fabs(t)) continue;
      const u32 e = (u32)SLOT(s, 0);
      const f64 priority = model_priority(e, t, p, y);
      if (best < waiting && priority == highest && flags[e] & ENSEMBLE_BY_PRIORITY) {
        if (ode_below(ls_draw(ls_mix((u64)a->first_instance + i + 1), draws++), ++ties)) continue;
      } else if (best < waiting && !(priority > highest)) {
        continue;
      } else
        ties = 1;
      best = s;
      highest = priority;
    }
#if INSTANTS
    if (!fault && best == waiting && meets) {
      meets = false;
      made--; /* no event was executed */
      continue;
    }
#endif
    if (fault || (best == waiting && still <= ENSEMBLE_STILL)) break;
    if (best < waiting) culprit = (u32)SLOT(best, 0);
    if (made == ENSEMBLE_AT_A_TIME || still > ENSEMBLE_STILL) {
      fault = ENSEMBLE_WITHOUT_END;
      break;
    }
    const u32 e = culprit;
    if (!(flags[e] & LS_CODE_AT_TRIGGER))
      for (u32 c = first[e]; c < first[e + 1]; c++) SLOT(best, 2 + c - first[e]) = model_assigned(c, t, p, y);
    for (u32 c = first[e]; c < first[e + 1]; c++) model_assign(c, SLOT(best, 2 + c - first[e]), p, y);
    waiting--;
    for (u32 s = best; s < waiting; s++)
      for (u32 c = 0; c < WIDE; c++) SLOT(s, c) = SLOT(s + 1, c);
    count->executed++;
  }
  if (made > 0) a->h[i] = 0; /* the next step chooses its length like a first one */
  f64 due = INFINITY;
  for (u32 s = 0; s < waiting; s++) due = fmin(due, SLOT(s, 1));
  a->due[i] = due;
  a->tally[i] = waiting;
  a->tally[(u64)a->instances + i] = draws;
  for (u32 w = 0; w < WORDS; w++) OF_INSTANCE(a->truth, w) = truth[w];
  EACH_STATE(OF_INSTANCE(a->y, k) = y[k];)
  EACH_VARIED(OF_INSTANCE(a->p, k) = p[k];)
  if (!fault) return;
  a->way[i] = ENSEMBLE_FAILED;
  a->fault[i] = fault | culprit << ENSEMBLE_REASON_BITS;
  count->failed++;
}
