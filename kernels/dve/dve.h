/* Computes the steps of a DVE model from one state, in one thread. No lists are stored: the enabled transitions are
 * enumerated again whenever they are needed. The semantics are those of src/model/dve/steps.c, an independent
 * implementation against which this one is tested; code.h has the virtual machine for guards and effects. A state may
 * contain any bits: a process that is in none of its states has no steps, and a buffer that is fuller than its
 * capacity accepts no value. */
#ifndef DVE_H
#define DVE_H

#include "language/kernel.h"
#include "model/dve/flat.h"

enum { DVE_LOCAL = 64 }; /* maximum number of words of a state */

/* --- a 64-bit compare-and-swap in addition to language/atomics.h ------------------------------------------- */

/* Sets *p = x if the entry *p is free (0). Returns whether it did. */
#ifdef __CUDACC__
LS_ATOMIC bool dve_claim(u64 *p, u64 x) { return atomicCAS((unsigned long long *)p, 0ull, (unsigned long long)x) == 0; }
#else
LS_ATOMIC bool dve_claim(u64 *p, u64 x) {
  u64 free = 0;
  return __atomic_compare_exchange_n(p, &free, x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
#endif

typedef struct dve_chosen { /* one step of the system: one transition, or the transitions of a sender and a receiver */
  u32 step, receiver;       /* indices of transitions; DVE_NONE: none */
  bool failed;              /* evaluating a guard failed, which counts as true and leads to the error state */
} dve_chosen;

LS_INLINE dve_chosen dve_choice(u32 step, u32 receiver, bool failed) {
  dve_chosen c;
  c.step = step, c.receiver = receiver, c.failed = failed;
  return c;
}

/* --- states -------------------------------------------------------------------------------------------- */

LS_INLINE bool dve_same(const u32 *a, const u32 *b, u32 words) {
  for (u32 i = 0; i < words; i++)
    if (a[i] != b[i]) return false;
  return true;
}

LS_INLINE u64 dve_mixed(const u32 *state, u32 words) {
  u64 h = words;
  for (u32 i = 0; i < words; i++) {
    h = (h ^ state[i]) * 0x9e3779b97f4a7c15ull;
    h ^= h >> 32;
  }
  h *= 0xd6e8feb86659fd93ull;
  return h ^ h >> 32;
}

/* Which of `ranks` ranks owns a state: determined by the lower half of the hash, because the upper half selects the slot; so
 * each rank's table is filled evenly. */
LS_INLINE u32 dve_owner(const u32 *state, u32 words, u32 ranks) {
  return (u32)((dve_mixed(state, words) & 0xffffffffu) * ranks >> 32);
}

/* The first slot to probe in a table of `slots` slots: determined by the upper half of the hash; the lower half is stored in
 * the entry. */
LS_INLINE u32 dve_slot(u64 hash, u32 slots) { return (u32)((hash >> 32) * slots >> 32); }

/* --- transitions --------------------------------------------------------------------------------------- */

LS_INLINE const dve_step *dve_step_at(const u32 *p, u32 step) { return (const dve_step *)DVE_TABLE(p, STEPS) + step; }

/* The current state of a process, as its index in the tables FLAGS and FIRST_STEP; DVE_NONE: it is in none of its states. */
LS_INLINE u32 dve_place(const u32 *p, u32 process, const u32 *state) {
  const u32 f = DVE_TABLE(p, FIELD)[process], *first = DVE_TABLE(p, FIRST_STATE) + process;
  const u32 at = first[0] + (f == DVE_NONE ? 0 : (u32)dve_get(state, f));
  return at < first[1] ? at : DVE_NONE;
}

/* The transitions from the current state of a process: [*first, *last). */
LS_INLINE void dve_list(const u32 *p, u32 process, const u32 *state, u32 *first, u32 *last) {
  const u32 at = dve_place(p, process, state);
  *first = at == DVE_NONE ? 0 : DVE_TABLE(p, FIRST_STEP)[at];
  *last = at == DVE_NONE ? 0 : DVE_TABLE(p, FIRST_STEP)[at + 1];
}

LS_INLINE bool dve_is_committed(const u32 *p, u32 process, const u32 *state) {
  const u32 at = dve_place(p, process, state);
  return at != DVE_NONE && (DVE_TABLE(p, FLAGS)[at] & DVE_COMMITTED);
}

/* Is a transition enabled? 0: no; 1: yes; 2: evaluating its guard fails, which counts as yes. */
LS_INLINE u32 dve_enabled(const u32 *p, u32 step, const u32 *state) {
  const dve_step *s = dve_step_at(p, step);
  if (s->how == DVE_PUTS || s->how == DVE_TAKES) {
    const u32 filled = (u32)dve_get(state, DVE_TABLE(p, COUNT)[s->channel]);
    if (s->how == DVE_PUTS ? filled >= DVE_TABLE(p, CAPACITY)[s->channel] : filled == 0) return 0;
  }
  i32 x = 1;
  if (s->guard == DVE_NONE) return 1;
  return !dve_run(DVE_TABLE(p, CODE), s->guard, state, (u32 *)state, &x) ? 2 : x != 0; /* a guard writes no state */
}

/* Finds the next enabled transition of the property process, from *step on. false: none is left. */
LS_INLINE bool dve_next_own(const u32 *p, const u32 *state, u32 last, u32 *step, bool *failed) {
  for (; *step < last; ++*step) {
    const u32 how = dve_enabled(p, *step, state);
    *failed = how == 2;
    if (how) return true;
  }
  return false;
}

/* --- the steps of an asynchronous system --------------------------------------------------------------- */

/* An iterator over the choices in canonical order: by process, transition, receiving process, its transition. */
typedef struct dve_walk {
  u32 process, step, last;                        /* transitions [step, last) of the process are still to be tried */
  u32 sender, listener, listeners, receive, stop; /* sender: transition for which receivers are tried; DVE_NONE: none */
  bool committed, failed;                         /* committed: is any process in a committed state? */
} dve_walk;

LS_INLINE dve_walk dve_begin(const u32 *p, const u32 *state) {
  dve_walk w = {DVE_NONE, 0, 0, DVE_NONE, 0, 0, 0, 0, false, false};
  const u32 processes = p[DVE_HEAD_PROCESSES], property = p[DVE_HEAD_PROPERTY];
  for (u32 q = 0; q < processes && !w.committed; q++) w.committed = q != property && dve_is_committed(p, q, state);
  return w;
}

/* May this process move? If any process is in a committed state, only processes in such states may. */
LS_INLINE bool dve_may_move(const u32 *p, const dve_walk *w, u32 process, const u32 *state) {
  return process != p[DVE_HEAD_PROPERTY] && (!w->committed || dve_is_committed(p, process, state));
}

/* Finds the next choice. false: none is left. */
LS_INLINE bool dve_next(const u32 *p, const u32 *state, dve_walk *w, dve_chosen *out) {
  for (;;) {
    u32 step;
    const bool receives = w->sender != DVE_NONE;
    if (receives) { /* find the next transition that can receive from the sender */
      if (w->receive == w->stop) {
        if (w->listener == w->listeners) {
          w->sender = DVE_NONE;
          continue;
        }
        const u32 q = DVE_TABLE(p, LISTENERS)[w->listener++];
        if (q != w->process && dve_may_move(p, w, q, state)) dve_list(p, q, state, &w->receive, &w->stop);
        continue;
      }
      step = w->receive++;
      const dve_step *s = dve_step_at(p, step);
      if (s->how != DVE_RECEIVES || s->channel != dve_step_at(p, w->sender)->channel) continue;
    } else {
      if (w->step == w->last) {
        if (++w->process == p[DVE_HEAD_PROCESSES]) return false;
        if (dve_may_move(p, w, w->process, state)) dve_list(p, w->process, state, &w->step, &w->last);
        continue;
      }
      step = w->step++;
      if (dve_step_at(p, step)->how == DVE_RECEIVES) continue;
    }
    const u32 how = dve_enabled(p, step, state);
    if (!how) continue;
    if (receives) {
      *out = dve_choice(w->sender, step, w->failed || how == 2);
      return true;
    }
    const dve_step *s = dve_step_at(p, step);
    if (s->how != DVE_SENDS) {
      *out = dve_choice(step, DVE_NONE, how == 2);
      return true;
    }
    const u32 *first = DVE_TABLE(p, FIRST_LISTENER) + s->channel;
    w->sender = step, w->failed = how == 2;
    w->listener = first[0], w->listeners = first[1];
    w->receive = w->stop = 0;
  }
}

/* --- the steps of a synchronous system ----------------------------------------------------------------- */

LS_INLINE bool dve_takes_part(const u32 *p, u32 step) {
  const u32 how = dve_step_at(p, step)->how;
  return how != DVE_PUTS && how != DVE_TAKES;
}

/* Returns how many transitions of a process are enabled; sets *out to the number-th of them, if there is one. */
LS_INLINE u32 dve_choices(const u32 *p, u32 process, const u32 *state, u32 number, dve_chosen *out) {
  u32 count = 0, step, last;
  for (dve_list(p, process, state, &step, &last); step < last; step++) {
    const u32 how = dve_takes_part(p, step) ? dve_enabled(p, step, state) : 0;
    if (how && count == number) *out = dve_choice(step, DVE_NONE, how == 2);
    count += how != 0;
  }
  return count;
}

/* The number of combinations of the processes' choices; more than DVE_MOST_STEPS means too many. */
LS_INLINE u32 dve_product(const u32 *p, const u32 *state) {
  const u32 processes = p[DVE_HEAD_PROCESSES], property = p[DVE_HEAD_PROPERTY];
  u64 product = processes > (property != DVE_NONE); /* without any process there is no step */
  dve_chosen unused;
  for (u32 q = 0; q < processes && product; q++) {
    if (q == property) continue;
    product = dve_more_choices(product, dve_choices(p, q, state, DVE_NONE, &unused)); /* a later 0 still makes it 0 */
  }
  return (u32)product;
}

/* --- the number of steps -------------------------------------------------------------------------------- */

/* The number of steps from a state, combined with those of the property process; more than DVE_MOST_STEPS means too many. */
LS_INLINE u32 dve_degree(const u32 *p, const u32 *state) {
  const u32 property = p[DVE_HEAD_PROPERTY];
  u32 with = 1;
  if (dve_all_ones(state, p[DVE_HEAD_WORDS])) return 0;
  if (property != DVE_NONE) {
    u32 step, last;
    bool failed;
    with = 0;
    for (dve_list(p, property, state, &step, &last); dve_next_own(p, state, last, &step, &failed); step++) with++;
    if (!with) return 0;
  }
  u64 moves = 0;
  if (p[DVE_HEAD_SYNCHRONOUS]) {
    moves = dve_product(p, state);
  } else {
    dve_walk w = dve_begin(p, state);
    dve_chosen chosen;
    while (dve_next(p, state, &w, &chosen)) moves++;
  }
  if (!moves && property != DVE_NONE) moves = 1; /* a step of only the property process */
  return moves * with > DVE_MOST_STEPS ? DVE_MOST_STEPS + 1 : (u32)(moves * with);
}

/* --- making a step -------------------------------------------------------------------------------------- */

/* Adds a transition's cost to worth->cost, and raises worth->time to the transition's time if that is greater. false: evaluating
 * an expression failed. */
LS_INLINE bool dve_weigh(const u32 *p, u32 step, const u32 *state, dve_worth *worth) {
  const dve_step *s = dve_step_at(p, step);
  i32 x = 0;
  if (s->cost != DVE_NONE) {
    if (!dve_run(DVE_TABLE(p, CODE), s->cost, state, (u32 *)state, &x)) return false;
    worth->cost += x;
  }
  x = 1;
  if (s->time != DVE_NONE && !dve_run(DVE_TABLE(p, CODE), s->time, state, (u32 *)state, &x)) return false;
  dve_take_time(worth, x);
  return true;
}

LS_INLINE bool dve_effects(const u32 *p, u32 step, const u32 *old, u32 *now) {
  const u32 effects = step == DVE_NONE ? DVE_NONE : dve_step_at(p, step)->effects;
  i32 x = 0;
  return effects == DVE_NONE || dve_run(DVE_TABLE(p, CODE), effects, old, now, &x);
}

/* Executes one transition, or those of a sender and a receiver, which must not write the same bits: first the values are
 * passed, then the receiver's effects are executed, then the sender's. false: an error. */
LS_INLINE bool dve_act(const u32 *p, dve_chosen chosen, const u32 *old, u32 *now) {
  if (chosen.receiver != DVE_NONE) {
    const u32 *code = DVE_TABLE(p, CODE), *masks = DVE_TABLE(p, MASKS), words = p[DVE_HEAD_WORDS];
    const dve_step *s = dve_step_at(p, chosen.step), *r = dve_step_at(p, chosen.receiver);
    i32 x = 0;
    for (u32 i = 0; i < words; i++)
      if (masks[s->writes + i] & masks[r->writes + i]) return false;
    for (u32 i = 0; i < s->item_count; i++)
      if (!dve_run(code, code[s->items + i], old, now, &x) || !dve_run(code, code[r->items + i], old, now, &x))
        return false;
    if (!dve_effects(p, chosen.receiver, old, now)) return false;
  }
  return dve_effects(p, chosen.step, old, now);
}

/* Computes the successor state of a choice, with its cost and time; false: an error. */
LS_INLINE bool dve_make(const u32 *p, dve_chosen chosen, const u32 *old, u32 *now, dve_worth *worth) {
  bool fine = !chosen.failed && dve_act(p, chosen, old, now);
  if (chosen.step != DVE_NONE) fine = dve_weigh(p, chosen.step, old, worth) && fine;
  if (chosen.receiver != DVE_NONE) fine = dve_weigh(p, chosen.receiver, old, worth) && fine;
  return fine;
}

/* Like dve_make, for the number-th combination of choices of a synchronous system: every process sees the old state, and
 * the writes of all processes are merged. The choice of the last process varies fastest. */
LS_INLINE bool dve_make_together(const u32 *p, u32 number, const u32 *old, u32 *now, dve_worth *worth) {
  u32 own[DVE_LOCAL], written[DVE_LOCAL];
  const u32 words = p[DVE_HEAD_WORDS];
  bool fine = true;
  for (u32 i = 0; i < words; i++) written[i] = 0;
  for (u32 q = p[DVE_HEAD_PROCESSES]; q-- > 0;) {
    if (q == p[DVE_HEAD_PROPERTY]) continue;
    dve_chosen chosen = dve_choice(DVE_NONE, DVE_NONE, false);
    const u32 choices = dve_choices(p, q, old, DVE_NONE, &chosen);
    if (choices == 0) return false;
    dve_choices(p, q, old, number % choices, &chosen);
    number /= choices;
    const u32 *mask = DVE_TABLE(p, MASKS) + dve_step_at(p, chosen.step)->writes;
    dve_copy(own, old, words);
    fine = !chosen.failed && dve_effects(p, chosen.step, old, own) && fine;
    for (u32 i = 0; i < words; i++) {
      fine = fine && !(written[i] & mask[i]);
      written[i] |= mask[i];
      now[i] = (now[i] & ~mask[i]) | (own[i] & mask[i]);
    }
    fine = dve_weigh(p, chosen.step, old, worth) && fine;
  }
  return fine;
}

#endif
