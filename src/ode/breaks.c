/* Finds the times at which conditions that depend only on time, such as the condition of a stimulus, become
 * true or false. A method that chooses its steps by an error estimate may step over a short stimulus, so it
 * needs these times in advance. */
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "ode/parts.h"

/* The conditions are sampled MOST_SAMPLES times. If they are long expressions, fewer times, so that about
 * TERMS nodes of expressions are evaluated, but at least LEAST_SAMPLES times. LOOKS: the maximum number of
 * changes between two samples, and the number of samples between two checks for an interrupt. */
enum { MOST_SAMPLES = 100000, LEAST_SAMPLES = 2000, TERMS = 20000000, LOOKS = 1024 };

typedef struct finding {
  ode_system s;
  bool *timed;  /* for each variable: does its value depend only on time? */
  bool *needed; /* for each variable: does a condition use it? */
  const ls_term **condition;
  u32 conditions, room;
  u32 functions;
  u32 *function; /* [functions]: the algebraic variables that are needed, in the order of computation */
  bool *truth, *now;
  u64 terms; /* nodes of expressions that one sample evaluates */
  ls_breaks *out;
  u64 breaks; /* allocated length of the arrays in out */
  bool any, short_of_memory;
} finding;

/* --- conditions that depend only on time ------------------------------------------------------------------
 */

static u64 size_of(const ls_term *t) { return t->depth > 1 ? t->size : 1; }

static bool timed(void *ctx, const ls_term *t) {
  if (t->op == LS_VARIABLE_OP) return ((finding *)ctx)->timed[t->index];
  return t->op != LS_DELAY_OP && t->op != LS_LAST_OP && t->op != LS_KEEP_OP && !ls_op_is_random(t->op);
}

static bool need(void *ctx, const ls_term *t) {
  if (t->op == LS_VARIABLE_OP) ((finding *)ctx)->needed[t->index] = true;
  return true;
}

static bool collect(void *ctx, const ls_term *t) {
  finding *f = ctx;
  if (!ls_op_is_relation(t->op) || ode_is_still(f->s.m, t)) return true;
  f->any = true;
  if (!ls_term_walk(t, timed, f)) return true;
  const ls_term **more = ls_grown(f->condition, f->conditions, &f->room, 64, sizeof *more);
  if (!more) return f->short_of_memory = true, false;
  f->condition = more;
  f->condition[f->conditions++] = t;
  f->terms += size_of(t);
  ls_term_walk(t, need, f);
  return true;
}

static ls_status prepare(finding *f) {
  const ls_ode *m = f->s.m;
  f->timed = ls_calloc(m->count, sizeof *f->timed);
  f->needed = ls_calloc(m->count, sizeof *f->needed);
  f->function = ls_malloc((m->order_count + 1) * sizeof *f->function);
  if (!f->timed || !f->needed || !f->function) return LS_EMEM;
  for (u32 i = 0; i < m->count; i++) {
    const ls_variable *v = &m->variables[i];
    f->timed[i] = (v->role == LS_PARAMETER || v->role == LS_CONSTANT) && !v->jumps;
  }
  for (u32 i = 0; i < m->order_count; i++) {
    const u32 v = m->order[i];
    f->timed[v] = ls_term_walk(m->variables[v].equation, timed, f);
  }
  for (u32 i = 0; i < m->count; i++)
    if (m->variables[i].equation) ls_term_walk(m->variables[i].equation, collect, f);
  for (u32 i = m->order_count; i-- > 0;) {
    const u32 v = m->order[i];
    if (f->needed[v]) ls_term_walk(m->variables[v].equation, need, f);
  }
  for (u32 i = 0; i < m->order_count; i++) {
    if (!f->needed[m->order[i]]) continue;
    f->function[f->functions++] = m->order[i];
    f->terms += size_of(m->variables[m->order[i]].equation);
  }
  f->truth = ls_malloc(f->conditions + 1);
  f->now = ls_malloc(f->conditions + 1);
  return f->truth && f->now && !f->short_of_memory ? LS_OK : LS_EMEM;
}

/* --- the times of their changes ---------------------------------------------------------------------------
 */

/* Evaluates the conditions at time t into `now`. Does any differ from `truth`? */
static bool look(finding *f, f64 t) {
  f->s.t = t;
  for (u32 i = 0; i < f->functions; i++) {
    const u32 v = f->function[i];
    f->s.value[v] = ode_eval(&f->s, f->s.m->variables[v].equation);
  }
  for (u32 i = 0; i < f->conditions; i++) f->now[i] = ode_eval(&f->s, f->condition[i]) != 0;
  return memcmp(f->now, f->truth, f->conditions * sizeof *f->now) != 0;
}

static ls_status add(finding *f, f64 before, f64 after) {
  ls_breaks *b = f->out;
  if (b->count == f->breaks) {
    const u64 room = f->breaks ? 2 * f->breaks : 16;
    f64 *more = ls_realloc(b->before, room * sizeof *more);
    if (!more) return LS_EMEM;
    b->before = more;
    if (!(more = ls_realloc(b->after, room * sizeof *more))) return LS_EMEM;
    b->after = more;
    f->breaks = room;
  }
  b->before[b->count] = before;
  b->after[b->count++] = after;
  return LS_OK;
}

/* Finds all changes between `from`, where `truth` is known, and `to`. */
static ls_status find_between(finding *f, f64 from, f64 to) {
  for (u32 n = 0; n < LOOKS && look(f, to); n++) {
    f64 before = from, after = to;
    while (before < after) {
      const f64 middle = before + (after - before) / 2;
      if (middle <= before || middle >= after) break;
      *(look(f, middle) ? &after : &before) = middle;
    }
    look(f, after);
    memcpy(f->truth, f->now, f->conditions * sizeof *f->now);
    ls_status st = add(f, before, after);
    if (st) return st;
    from = after;
  }
  memcpy(f->truth, f->now, f->conditions * sizeof *f->now);
  return LS_OK;
}

static ls_status find(finding *f, f64 start, f64 stop) {
  u64 samples = TERMS / (f->terms + 1);
  if (samples > MOST_SAMPLES) samples = MOST_SAMPLES;
  if (samples < LEAST_SAMPLES) samples = LEAST_SAMPLES;
  look(f, start);
  memcpy(f->truth, f->now, f->conditions * sizeof *f->now);
  f64 from = start;
  ls_status st = LS_OK;
  for (u64 k = 1; k <= samples && !st; k++) {
    const f64 to = k == samples ? stop : start + (stop - start) * ((f64)k / (f64)samples);
    st = find_between(f, from, to);
    from = to;
    if (!st && k % LOOKS == 0 && ls_interrupted()) st = ls_fail(LS_EINTERRUPTED, "interrupted");
  }
  return st;
}

ls_status ls_ode_breaks(ls_ode *m, f64 start, f64 stop, ls_breaks *out) {
  finding f = {.out = out};
  *out = (ls_breaks){0};
  ls_status st = m->order ? LS_OK : ls_ode_arrange(m);
  if (!st) st = ode_system_new(&f.s, m, start, 1, m->seed);
  if (!st) {
    st = prepare(&f);
    if (!st && f.conditions) st = find(&f, start, stop);
    out->conditions = f.any;
    ode_system_free(&f.s);
  }
  ls_free(f.timed);
  ls_free(f.needed);
  ls_free(f.condition);
  ls_free(f.function);
  ls_free(f.truth);
  ls_free(f.now);
  return st;
}

void ls_breaks_free(ls_breaks *b) {
  ls_free(b->before);
  ls_free(b->after);
  *b = (ls_breaks){0};
}
