#include "model/dve/steps.h"

#include <string.h>

#include "core/mem.h"

typedef struct making {
  const dve_program *p;
  const u32 *old;
  dve_steps *out;
  u32 *at_fault;
  const u32 *property; /* the property's enabled transitions: pairs (transition, did its guard fail?). Without
                          a property there is one pair, with DVE_NONE */
  u32 property_count;  /* number of pairs */
  bool moved;          /* the system without the property has a step */
  ls_status st;
} making;

void dve_steps_free(dve_steps *s) {
  ls_free(s->states);
  ls_free(s->cost);
  ls_free(s->time);
  ls_free(s->moves);
  ls_free(s->scratch);
  *s = (dve_steps){0};
}

static bool grow(void **array, u64 size) {
  void *p = ls_realloc(*array, size);
  if (p) *array = p;
  return p != NULL;
}

static ls_status reserve(const dve_program *p, dve_steps *o, u64 more) {
  if (o->room - o->count >= more && o->states) return LS_OK;
  u64 room = 2 * o->room + 64;
  if (room < o->count + more) room = o->count + more;
  if (!o->width) o->width = p->synchronous ? p->processes : 3;
  const bool fine = grow((void **)&o->states, room * p->words * sizeof *o->states) &&
                    (!p->costs || grow((void **)&o->cost, room * sizeof *o->cost)) &&
                    (!p->times || grow((void **)&o->time, room * sizeof *o->time)) &&
                    (!o->want_moves || grow((void **)&o->moves, room * o->width * sizeof *o->moves));
  if (fine) o->room = room;
  return fine ? LS_OK : LS_EMEM;
}

static bool make_room(making *m, u64 more) {
  const ls_status st = reserve(m->p, m->out, more);
  if (st) m->st = st;
  return !st;
}

/* --- transitions --------------------------------------------------------------------------- */

/* Adds a transition's cost to *cost. Sets *time to the transition's time if that is greater than *time. False
 * if an expression fails. */
static bool weigh(making *m, u32 step, i64 *cost, i32 *time) {
  const dve_program *p = m->p;
  const dve_step *s = &p->steps[step];
  i32 x = 0;
  u32 *old = (u32 *)m->old; /* these expressions store nothing */
  if (s->cost != DVE_NONE) {
    if (!dve_run(p->code, s->cost, old, old, &x)) return false;
    *cost += x;
  }
  x = 1;
  if (s->time != DVE_NONE && !dve_run(p->code, s->time, old, old, &x)) return false;
  if (x < 0 && !m->st) {
    *m->at_fault = step;
    m->st = ls_fail(LS_EINPUT, "a time of %d is less than 0", x);
  }
  if (x > *time) *time = x;
  return true;
}

/* 0: not enabled; 1: enabled; 2: evaluating its guard fails, which counts as enabled. */
static int enabled(const making *m, const dve_step *s) {
  const dve_program *p = m->p;
  u32 *old = (u32 *)m->old; /* guards store nothing */
  if (s->how == DVE_PUTS && (u32)dve_get(old, p->count[s->channel]) == p->capacity[s->channel]) return 0;
  if (s->how == DVE_TAKES && dve_get(old, p->count[s->channel]) == 0) return 0;
  i32 x = 1;
  if (s->guard == DVE_NONE) return 1;
  return !dve_run(p->code, s->guard, old, old, &x) ? 2 : x != 0;
}

/* Returns the place of the next successor, a copy of the old state, with room for one successor for each
 * enabled transition of the property; NULL if there is no memory. */
static u32 *begin_step(making *m, u64 steps) {
  m->moved = true;
  if (m->st || !make_room(m, steps * m->property_count)) return NULL;
  return memcpy(m->out->states + m->out->count * m->p->words, m->old, m->p->words * sizeof(u32));
}

/* Appends the successor that begin_step has begun, once for each enabled transition of the property. `moves`:
 * the other transitions that have made it, [out->width]; none: only the property moves. */
static void end_step(making *m, const u32 *moves, bool failed) {
  const dve_program *p = m->p;
  dve_steps *o = m->out;
  const size_t bytes = p->words * sizeof(u32);
  const u32 own_move = p->synchronous ? p->property : 2;
  u32 *first = o->states + o->count * p->words, of = DVE_NONE;
  i64 cost = 0;
  i32 time = 0;
  for (u32 i = 0; i < o->width; i++) {
    if (moves[i] == DVE_NONE) continue;
    if (p->costs || p->times) failed = !weigh(m, moves[i], &cost, &time) || failed;
    if (of == DVE_NONE || p->synchronous) of = moves[i];
  }
  if (of == DVE_NONE) time = 1;
  for (u32 i = m->property_count; i-- > 1;) memcpy(first + i * p->words, first, bytes);
  for (u32 i = 0; i < m->property_count; i++, o->count++) {
    u32 *now = first + i * p->words;
    const u32 own = m->property[2 * i];
    bool error = failed || m->property[2 * i + 1];
    i32 x = 0;
    if (!error && own != DVE_NONE && p->steps[own].effects != DVE_NONE)
      error = !dve_run(p->code, p->steps[own].effects, m->old, now, &x);
    if (error) memset(now, 0xff, bytes);
    if (o->want_moves) {
      u32 *to = memcpy(o->moves + o->count * o->width, moves, o->width * sizeof *moves);
      if (own != DVE_NONE) to[own_move] = own;
    }
    if (p->costs && (cost < INT32_MIN || cost > INT32_MAX) && !m->st) {
      *m->at_fault = of == DVE_NONE ? own : of;
      m->st = ls_fail(LS_EINPUT, "a cost of %lld does not fit 32 bits", (long long)cost);
    }
    if (p->costs) o->cost[o->count] = (i32)cost;
    if (p->times) o->time[o->count] = time;
  }
}

/* --- asynchronous systems ------------------------------------------------------------------------------ */

/* Applies a transition, or a rendezvous of sender and receiver, to `now`; receiver: DVE_NONE if there is
 * none. False on an error of the model. */
static bool act(const making *m, u32 *now, u32 step, u32 receiver) {
  const dve_program *p = m->p;
  const dve_step *s = &p->steps[step], *r = receiver == DVE_NONE ? NULL : &p->steps[receiver];
  i32 x = 0;
  if (r) {
    if (dve_conflict(p, s, r)) return false;
    for (u32 i = 0; i < s->item_count; i++)
      if (!dve_run(p->code, p->code[s->items + i], m->old, now, &x) ||
          !dve_run(p->code, p->code[r->items + i], m->old, now, &x))
        return false;
    if (r->effects != DVE_NONE && !dve_run(p->code, r->effects, m->old, now, &x)) return false;
  }
  return s->effects == DVE_NONE || dve_run(p->code, s->effects, m->old, now, &x);
}

/* Appends a step of the system: a transition, or a sender and a receiver. */
static void emit(making *m, u32 step, u32 receiver, bool failed) {
  u32 *now = begin_step(m, 1);
  if (now) end_step(m, (const u32[]){step, receiver, DVE_NONE}, failed || !act(m, now, step, receiver));
}

static void meet(making *m, u32 step, bool failed, bool committed) {
  const dve_program *p = m->p;
  const u32 channel = p->steps[step].channel;
  for (u32 l = p->first_listener[channel]; l < p->first_listener[channel + 1]; l++) {
    const u32 q = p->listeners[l];
    if (q == p->steps[step].process || q == p->property) continue;
    const u32 at = dve_at(p, q, m->old);
    if (committed && !(p->flags[at] & DVE_COMMITTED)) continue;
    for (u32 r = p->first_step[at]; r < p->first_step[at + 1]; r++) {
      const dve_step *s = &p->steps[r];
      if (s->how != DVE_RECEIVES || s->channel != channel) continue;
      const int how = enabled(m, s);
      if (how) emit(m, step, r, failed || how == 2);
    }
  }
}

static void asynchronous(making *m) {
  const dve_program *p = m->p;
  bool committed = false;
  for (u32 q = 0; q < p->processes && !committed; q++)
    committed = q != p->property && p->flags[dve_at(p, q, m->old)] & DVE_COMMITTED;
  for (u32 q = 0; q < p->processes && !m->st; q++) {
    if (q == p->property) continue;
    const u32 at = dve_at(p, q, m->old);
    if (committed && !(p->flags[at] & DVE_COMMITTED)) continue;
    for (u32 s = p->first_step[at]; s < p->first_step[at + 1]; s++) {
      if (p->steps[s].how == DVE_RECEIVES) continue;
      const int how = enabled(m, &p->steps[s]);
      if (how && p->steps[s].how == DVE_SENDS)
        meet(m, s, how == 2, committed);
      else if (how)
        emit(m, s, DVE_NONE, how == 2);
    }
  }
  if (!m->moved && p->property != DVE_NONE && begin_step(m, 1))
    end_step(m, (const u32[]){DVE_NONE, DVE_NONE, DVE_NONE}, false);
}

/* --- synchronous systems ------------------------------------------------------------------------------- */

/* Appends a successor for each combination of one enabled transition per process. All transitions read the
 * old state, and the bits that they assign are combined. For each enabled transition, `alone` has `stride`
 * words: the old state after only this transition, the transition's number, and whether it fails. */
static void synchronous(making *m) {
  const dve_program *p = m->p;
  const u32 stride = p->words + 2;
  const u64 need = (u64)p->step_count * stride + 4ull * p->processes;
  if (m->out->scratch_room < need) {
    if (!grow((void **)&m->out->scratch, need * sizeof(u32))) {
      m->st = LS_EMEM;
      return;
    }
    m->out->scratch_room = need;
  }
  u32 *first = m->out->scratch, *bound = first + p->processes, *chosen = bound + p->processes;
  u32 *moves = chosen + p->processes, *alone = moves + p->processes;
  u64 product = 1;
  u32 count = 0;
  for (u32 q = 0; q < p->processes; q++) {
    const u32 at = dve_at(p, q, m->old);
    first[q] = count, chosen[q] = 0, moves[q] = DVE_NONE;
    for (u32 s = p->first_step[at]; q != p->property && s < p->first_step[at + 1]; s++) {
      const dve_step *step = &p->steps[s];
      if (step->how == DVE_PUTS || step->how == DVE_TAKES) continue;
      const int how = enabled(m, step);
      if (!how) continue;
      u32 *now = alone + (u64)count++ * stride;
      i32 x = 0;
      memcpy(now, m->old, p->words * sizeof *now);
      now[p->words] = s;
      now[p->words + 1] =
          how == 2 || (step->effects != DVE_NONE && !dve_run(p->code, step->effects, m->old, now, &x));
    }
    if (q == p->property) continue;
    bound[q] = count - first[q];
    product = dve_more_choices(product, bound[q]);
  }
  if (product == 0 || p->processes == (p->property != DVE_NONE)) {
    if (p->property != DVE_NONE && begin_step(m, 1)) end_step(m, moves, false);
    return;
  }
  if (product * m->property_count > DVE_MOST_STEPS) {
    m->st = ls_fail(LS_EOVERFLOW, "a state has more than %d steps", DVE_MOST_STEPS);
    return;
  }
  for (u64 k = 0; k < product; k++) {
    u32 *now = begin_step(m, product - k);
    if (!now) return;
    bool error = false;
    for (u32 q = 0; q < p->processes; q++) {
      if (q == p->property) continue;
      const u32 *own = alone + (u64)(first[q] + chosen[q]) * stride;
      const u32 *mask = p->masks + p->steps[own[p->words]].writes;
      moves[q] = own[p->words];
      error = error || own[p->words + 1];
      for (u32 i = 0; i < p->words; i++) now[i] = (now[i] & ~mask[i]) | (own[i] & mask[i]);
      for (u32 other = 0; other < q && !error; other++)
        error = other != p->property && dve_conflict(p, &p->steps[moves[q]], &p->steps[moves[other]]);
    }
    end_step(m, moves, error);
    for (u32 q = p->processes; q-- > 0;) {
      if (q == p->property) continue;
      if (++chosen[q] < bound[q]) break;
      chosen[q] = 0;
    }
  }
}

/* --- both -------------------------------------------------------------------------------------------------
 */

static void find_property_steps(making *m, u32 *list) {
  const dve_program *p = m->p;
  const u32 at = dve_at(p, p->property, m->old);
  for (u32 s = p->first_step[at]; s < p->first_step[at + 1]; s++) {
    const int how = enabled(m, &p->steps[s]);
    if (!how) continue;
    list[2 * m->property_count] = s;
    list[2 * m->property_count++ + 1] = how == 2;
  }
  m->property = list;
}

ls_status dve_steps_from(const dve_program *p, const u32 *state, dve_steps *out, u32 *at_fault) {
  static const u32 none[] = {DVE_NONE, false};
  making m = {.p = p, .old = state, .out = out, .at_fault = at_fault, .property = none, .property_count = 1};
  *at_fault = DVE_NONE;
  if (dve_is_error(p, state)) return LS_OK;
  u32 few[64], *list = few;
  if (p->property != DVE_NONE) {
    const u32 at = dve_at(p, p->property, state), most = p->first_step[at + 1] - p->first_step[at];
    if (2 * most > sizeof few / sizeof *few && !(list = ls_malloc(2 * most * sizeof *list))) return LS_EMEM;
    m.property_count = 0;
    find_property_steps(&m, list);
  }
  if (m.property_count && p->synchronous) synchronous(&m);
  if (m.property_count && !p->synchronous) asynchronous(&m);
  if (list != few) ls_free(list);
  return m.st;
}

ls_status dve_steps_by(ls_dve_maker *make, const dve_program *p, const u32 *state, dve_steps *out) {
  ls_status st = reserve(p, out, 1);
  while (!st) {
    dve_sink sink = {out->states, out->cost, out->time, out->room, out->count, 0, 0};
    make(state, &sink);
    if (sink.wrong) return LS_EINPUT;
    if (sink.at <= out->room) {
      out->count = sink.at;
      return LS_OK;
    }
    st = reserve(p, out, sink.at - out->count); /* then try again */
  }
  return st;
}
