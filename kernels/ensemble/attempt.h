/* The row that attempts steps by a method. The method's file defines
 *
 *   STEP_FILE, STEP_ROW          its name, and that of the row
 *   STEP_ORDER                   the order of the error
 *   STEP_FIRST_RATE              the array with the rates at the beginning
 *   STEP_RTOL, STEP_ATOL(k)      the tolerances
 *   DENSE(k)                     state k at the fraction `part` of an accepted step
 *   STEP_REDO                    a statement to run before an accepted step is tried again
 *
 * and is included for each of its parts: STEP_BEGINS declares its arrays and prepares the first attempt of a
 * launch; STEP_TRIES tries a step of length `step` from (t, y) to z and adds to `error` the squares of each
 * state's error relative to its tolerance; if the result is not finite, the step failed and is tried again
 * with `shorter` times its length. STEP_READY runs before DENSE is used, STEP_ACCEPTED prepares the attempt
 * after an accepted step. The text defines STEP_THREADS and STEP_BLOCKS, the launch shape.
 *
 * Events and conditions: the text defines WORDS, the number of words with a bit for each trigger, comparison
 * at an instant and condition of the equations; CALLING of these bits, the first ones, call for events;
 * EVENTS, CONDITIONS and JUMPS: are there such? Triggers and conditions are evaluated at several points of
 * each step, and the time at which one changes is found by bisection. If a condition changes, the step is
 * repeated up to that time and a new one begins there, because the equations are not smooth across it. If an
 * event's trigger changes, the launch leaves the instance at that time, and events.h continues. */
#include "ensemble/form.h"

ARGS_OF(STEP_ROW, ENSEMBLE_STEP_ARGS)
SHAPE(STEP_ROW, STEP_THREADS, STEP_BLOCKS)

#ifdef BY_LANES
#include "ensemble/attempt_lanes.h"
#else

#ifndef ENSEMBLE_ATTEMPT_H
#define ENSEMBLE_ATTEMPT_H

#if JUMPS
#include "ensemble/jump.h"
#endif

#ifdef BY_THREAD
#define STEP_BODY QUEUE_BODY
#define NO_INSTANCE false
#define INSTANCE item
#else
#define STEP_BODY TILE_BODY
#ifdef BY_BLOCK
#define NO_INSTANCE (tile >= a->front[0])
#else
#define NO_INSTANCE (tile >= a->front[0] || NOT_FIRST)
#endif
#define INSTANCE a->front[1 + tile]
#endif

enum { ENSEMBLE_SAMPLES = 10 }; /* number of points in a step at which triggers are evaluated */

/* The bits of word w whose change interrupts an instance for its events. */
#define CALLING_BITS(w)                                                                                      \
  (CALLING >= 32 * (w) + 32 ? 0xffffffffu : CALLING > 32 * (w) ? (1u << (CALLING & 31)) - 1 : 0u)

#endif

STEP_BODY(STEP_ROW) {
  if (NO_INSTANCE) return;
  const u32 i = INSTANCE;
  if (i >= a->instances) return;
#if EVENTS
  if (a->way[i] > ENSEMBLE_STIFF) return;
#endif
#ifdef BY_BLOCK
#if STEP_SHARED
  SHARED_ARRAY(work, STEP_NUMBERS);
#else
  f64 *const work = (f64 *)LS_POINTER(a->work) + (u64)tile * STEP_NUMBERS;
#endif
  u32 taken = BLOCK_SUMS;
  ARRAY(y, STATES)
  ARRAY(z, STATES)
  f64 *const g = work + taken - STATES; /* its first STATES places are not stored: these are the states */
  taken += BLOCK_VALUES - STATES;
  (void)z;
#else
  f64 y[STATES], z[STATES], p[VARIED];
#endif
  f64 t = a->t[i], h = a->h[i], shorter = 0.1;
#if EVENTS
  const f64 stop = fmin(a->stop[0], a->due[i]), rtol = STEP_RTOL;
#else
  const f64 stop = a->stop[0], rtol = STEP_RTOL;
#endif
  bool refused = false, over = !(t < stop); /* over: nothing is left for this method in this interval */
  u32 doubt = a->doubt[i];
  f64 goal = stop;     /* the end of a step that is retried */
  bool again = false;  /* is this one? */
#if WORDS
  bool called = false; /* must the events be handled? */
  u32 truth[WORDS], quick = 0;
#endif
#if CONDITIONS
  f64 edge = stop; /* where a condition changes after a step that is retried */
#endif
#if JUMPS
  u32 turned[WORDS];
#endif
  FOR_STATES(y[k] = OF_INSTANCE(a->y, k);)
#ifdef BY_BLOCK
  EACH_FROM(k, VARIED, 0) { g[STATES + 1 + k] = OF_INSTANCE(a->p, k); }
  TILE_SYNC;
#else
  EACH_VARIED(p[k] = OF_INSTANCE(a->p, k);)
#endif
#if WORDS
  model_truths(t, p, y, truth);
#if EVENTS
  EACH_WORD(truth[k] = (truth[k] & ~CALLING_BITS(k)) | (OF_INSTANCE(a->truth, k) & CALLING_BITS(k));)
#endif
#endif
#define STEP_PART STEP_BEGINS
#include STEP_FILE
#undef STEP_PART
  if (!(h > 0)) { /* the first step, as in Hairer, Norsett and Wanner 1993, II.4 */
    f64 size = 0, speed = 0;
    FOR_STATES(const f64 tolerated = TOLERATED(k, fabs(y[k])); size += y[k] * y[k] / (tolerated * tolerated);
               speed += STEP_FIRST_RATE[k] * STEP_FIRST_RATE[k] / (tolerated * tolerated);)
    size = sqrt(SUM(size) / STATES), speed = sqrt(SUM(speed) / STATES);
    h = size < 1e-5 || speed < 1e-5 ? 1e-6 * (stop - t) : 0.01 * size / speed;
    h = fmax(h, 1e-14 * fabs(t));
    if (!(h < stop - t)) h = stop - t;
  }
  for (u32 attempt = 0; attempt < a->attempts && !over; attempt++) {
    const f64 left = goal - t;
#if EVENTS
    if (!(left > 1e-14 * fabs(t))) { /* the last attempt ended here for an event */
      t = stop;
      h = 0;
      over = true;
      called = !(a->due[i] > t + 1e-13 * fabs(t));
      break;
    }
#endif
#if WORDS
    h = fmin(h, a->tolerance[1]); /* so that no event is stepped over */
#endif
    const bool last = h * (1 + 1e-9) >= left;
    const f64 step = last ? left : h;
    f64 error = 0;
    if (!(step > 4e-16 * fabs(t) && step > 1e-300)) {
      FIRST a->way[i] = ENSEMBLE_FAILED;
      FIRST count->failed++;
      over = true;
      break;
    }
#define STEP_PART STEP_TRIES
#include STEP_FILE
#undef STEP_PART
    error = sqrt(SUM(error) / STATES);
    if (!(error <= 1)) { /* also true for NaN */
      FIRST count->rejected++;
      refused = true;
      again = false, goal = stop;
      h = step * (error - error == 0 ? fmax(0.2, 0.9 * pow(error, -1.0 / STEP_ORDER)) : shorter);
      continue;
    }
    FIRST count->accepted++;
    const f64 longer =
        step * fmin(refused ? 1.0 : 5.0, error > 0 ? 0.9 * pow(error, -1.0 / STEP_ORDER) : 5.0);
    h = last && longer < h ? h : longer;
    refused = false;
    over = last && !again;
    const f64 end = last ? goal : t + step;
#define STEP_PART STEP_READY
#include STEP_FILE
#undef STEP_PART
#if WORDS
    bool found = false; /* does a trigger or a condition change within the step? */
    f64 reached = end, until = t;
    u32 looks = 1, then[WORDS];
    for (f64 at; looks <= ENSEMBLE_SAMPLES || found; looks++) {
      if (found) {
        at = until + (reached - until) / 2;
        if (!(at > until && at < reached)) break;
      } else
        at = looks < ENSEMBLE_SAMPLES ? t + step * looks / ENSEMBLE_SAMPLES : end;
      const f64 part = (at - t) / step;
      f64 x[STATES];
      u32 now[WORDS];
      EACH_WATCHED(x[k] = DENSE(k);)
      model_truths(at, p, x, now);
      bool changed = false;
      for (u32 word = 0; word < WORDS; word++) changed |= now[word] != truth[word];
      if (changed) {
        found = true;
        reached = at;
        for (u32 word = 0; word < WORDS; word++) then[word] = now[word];
      } else
        until = at;
    }
#if CONDITIONS
    /* If a condition changes within a step, later stages use other equations, so the step is inaccurate even
     * before the change, whatever its error estimate says. Such a step is tried again, up to the change, in
     * the same launch; not if the change is at the very beginning of the step. */
    if (again) {
      if (!found && last) { /* does the change expected at `edge` happen with these states? */
        model_truths(edge, p, z, then);
        for (u32 word = 0; word < WORDS; word++) found |= then[word] != truth[word];
        if (found) reached = edge;
      }
      again = false, goal = stop;
    } else if (found && until - t > 0.01 * a->tolerance[0] * step && until - t > 1e-12 * fabs(t)) {
      EACH_WORD(again |= ((then[k] ^ truth[k]) & ~CALLING_BITS(k)) != 0;)
      if (again) {
        goal = until, edge = reached;
        over = false;
        count->accepted--;
        count->rejected++;
        attempt--; /* this does not count as a new attempt */
        STEP_REDO;
        continue;
      }
    }
#endif
    if (found) {
#if EVENTS
      EACH_WORD(called |= ((then[k] ^ truth[k]) & CALLING_BITS(k)) != 0;)
#endif
      quick = reached - t < 1e-3 * step ? quick + 1 : 0;
      if (quick > 8 && !called) { /* a condition that keeps changing: only the error estimate limits steps */
        found = false;
        reached = end;
        model_truths(end, p, z, then);
      }
#if JUMPS
      EACH_WORD(turned[k] = (then[k] ^ truth[k]) & ~CALLING_BITS(k);)
#endif
      EACH_WORD(truth[k] = (truth[k] & CALLING_BITS(k)) | (then[k] & ~CALLING_BITS(k));)
    }
    if (found) {
#if JUMPS
      f64 u[STATES]; /* just before */
      {
        const f64 part = (until - t) / step;
        EACH_STATE(u[k] = DENSE(k);)
      }
#endif
      const f64 part = (reached - t) / step;
      (void)part;
      EACH_STATE(z[k] = DENSE(k);)
#if JUMPS
      model_jump(until, u, reached, p, z, turned);
#endif
      over = called || !(reached < stop);
    }
#if EVENTS
    called |= over && !(a->due[i] > end + 1e-13 * fabs(end)); /* due, up to rounding */
#endif
    t = reached;
#else
    const bool found = false;
    t = end;
#endif
    (void)found;
#define STEP_PART STEP_ACCEPTED
#include STEP_FILE
#undef STEP_PART
  }
  FOR_STATES(OF_INSTANCE(a->y, k) = y[k];)
  FIRST a->t[i] = t;
  FIRST a->h[i] = h;
  FIRST a->doubt[i] = doubt;
#if EVENTS
  if (called) a->called[i] = 1;
  if (over && !(called && t < a->stop[0])) return;
#else
  if (over) return;
#endif
  FIRST count->left++;
  FIRST PUSH(front_next, i);
}
#endif

#undef STEP_FILE
#undef STEP_ROW
#undef STEP_ORDER
#undef STEP_FIRST_RATE
#undef STEP_RTOL
#undef STEP_ATOL
#undef STEP_REDO
#undef STEP_THREADS
#undef STEP_BLOCKS
#undef STEP_NUMBERS
#undef STEP_SHARED
#undef DENSE
