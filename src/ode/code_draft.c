/* Writes the draft: decides which functions are computed, in which phase, and by which thread; then adds the
 * states, the assignments between steps, and the expressions of events. */
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "ode/code_parts.h"

enum { MOST_MERGED = 3 };

/* A function, or a part of a sum: computed in phase `level`, by the thread that begins with function `head`.
 */
typedef struct function {
  u32 variable;
  const ls_term *equation;
  u32 level, head;
  u32 next;  /* the next function of its thread, or NONE */
  u32 last;  /* for a head: the last function of its thread */
  u32 count; /* for a head: number of functions of its thread */
  u32 deps;  /* index in drafting.dep of its first dependency */
} function;
enum { NONE = 0xffffffffu };

typedef struct drafting {
  ls_ode *m;
  const f64 *first;
  const ls_code_options *o;
  ls_terms *terms; /* arena of the rewritten equations */
  u32 parts;       /* parts of sums so far */
  bool *fixed;     /* for each variable: is it constant? */
  u32 functions, room;
  function *f;
  u32 *of; /* for each variable and part of a sum: its function, or NONE */
  u32 of_room;
  u32 *dep; /* dependencies of all functions, one function after the other */
  u32 dep_count, dep_room;
  const ls_term **rate; /* for each variable that is a state: its rewritten equation */
  ls_draft *d;
} drafting;

static ls_status grow(void **p, u32 count, u32 *room, size_t size) {
  void *more = ls_grown(*p, count, room, 256, size);
  if (!more) return LS_EMEM;
  *p = more;
  return LS_OK;
}

/* --- rewriting --------------------------------------------------------------------------------------------
 */

static const ls_term *number_of(void *ctx, const ls_term *t) {
  const drafting *a = ctx;
  f64 x;
  if (t->op == LS_VARIABLE_OP && a->fixed[t->index]) return ls_term_number(a->terms, a->first[t->index]);
  if (t->count && ls_code_folds(t, &x)) return ls_term_number(a->terms, x);
  return t;
}
static bool folds(void *ctx, const ls_term *t) {
  f64 x;
  return (void)ctx, t->op != LS_NUMBER_OP && ls_code_folds(t, &x);
}

static bool is_sum(void *ctx, const ls_term *t) {
  return (void)ctx, t->op == LS_PLUS_OP && t->count >= LS_LONG_SUM;
}

static ls_status add_function(drafting *a, u32 variable, const ls_term *equation);

static const ls_term *split(void *ctx, const ls_term *t);

/* The number of parts of a sum of n terms: the least whole number from sqrt(n) on. One thread adds the parts,
 * so that this many parts make the longest chain of additions, a part's and then that of the parts, shortest.
 */
static u32 parts_of(u32 n) {
  u32 parts = 1;
  while ((u64)parts * parts < n) parts++;
  return parts;
}

/* Replaces a long sum by the sum of its parts, each of which becomes a function. */
static const ls_term *split_sum(drafting *a, const ls_term *t) {
  const u32 parts = parts_of(t->count);
  const ls_term **part = ls_terms_memory(a->terms, parts * sizeof *part);
  const ls_term **arg = ls_terms_memory(a->terms, t->count * sizeof *arg);
  const ls_term_change change = {a->terms, split, is_sum, a};
  if (!part || !arg) return NULL;
  for (u32 i = 0; i < t->count; i++)
    if (!(arg[i] = ls_term_replace(&change, t->arg[i]))) return NULL;
  for (u32 k = 0, from = 0; k < parts; k++) {
    const u32 count = t->count / parts + (k < t->count % parts);
    const ls_term *sum = ls_term_new(a->terms, LS_PLUS_OP, count, arg + from);
    const u32 variable = a->m->count + a->parts++;
    if (!sum || add_function(a, variable, sum)) return NULL;
    if (!(part[k] = ls_term_leaf(a->terms, LS_VARIABLE_OP, variable))) return NULL;
    from += count;
  }
  return ls_term_new(a->terms, LS_PLUS_OP, parts, part);
}
static const ls_term *split(void *ctx, const ls_term *t) { return is_sum(ctx, t) ? split_sum(ctx, t) : t; }

static ls_status rewrite(drafting *a, const ls_term *t, const ls_term **out) {
  *out = t;
  if (a->o->fold) {
    const ls_term_change values = {a->terms, number_of, NULL, a}, numbers = {a->terms, number_of, folds, a};
    if (!(*out = ls_term_replace(&values, *out))) return ls_terms_status(a->terms);
    if (!(*out = ls_term_replace(&numbers, *out))) return ls_terms_status(a->terms);
  }
  if (a->o->sum && (*out)->has & LS_HAS_LONG_SUM) {
    const ls_term_change sums = {a->terms, split, is_sum, a};
    if (!(*out = ls_term_replace(&sums, *out))) return ls_terms_status(a->terms);
  }
  return LS_OK;
}

/* --- dependencies -----------------------------------------------------------------------------------------
 */

static bool needs(void *ctx, const ls_term *t) {
  drafting *a = ctx;
  const u32 from = a->f[a->functions].deps;
  if (t->op != LS_VARIABLE_OP || t->index >= a->of_room || a->of[t->index] == NONE) return true;
  for (u32 i = from; i < a->dep_count; i++)
    if (a->dep[i] == a->of[t->index]) return true;
  if (grow((void **)&a->dep, a->dep_count, &a->dep_room, sizeof *a->dep)) return false;
  a->dep[a->dep_count++] = a->of[t->index];
  return true;
}

/* Adds a function after those that it depends on. Its level is the earliest possible phase (level
 * scheduling). */
static ls_status add_function(drafting *a, u32 variable, const ls_term *equation) {
  ls_status st = grow((void **)&a->f, a->functions, &a->room, sizeof *a->f);
  if (st) return st;
  while (variable >= a->of_room && !st) {
    const u32 before = a->of_room;
    st = grow((void **)&a->of, a->of_room, &a->of_room, sizeof *a->of);
    for (u32 i = before; i < a->of_room && !st; i++) a->of[i] = NONE;
  }
  if (st) return st;
  const u32 i = a->functions;
  a->f[i] = (function){.variable = variable,
                       .equation = equation,
                       .head = i,
                       .next = NONE,
                       .last = i,
                       .count = 1,
                       .deps = a->dep_count};
  if (!ls_term_walk(equation, needs, a)) return LS_EMEM;
  for (u32 k = a->f[i].deps; k < a->dep_count; k++)
    if (a->f[a->dep[k]].level >= a->f[i].level) a->f[i].level = a->f[a->dep[k]].level + 1;
  a->of[variable] = i;
  a->functions++;
  return LS_OK;
}

static bool stays(void *ctx, const ls_term *t) {
  const drafting *a = ctx;
  switch (t->op) {
  case LS_NUMBER_OP: return true;
  case LS_VARIABLE_OP: return a->fixed[t->index];
  default:
    return t->count > 0 && t->op != LS_DELAY_OP && t->op != LS_LAST_OP && t->op != LS_SERIES_OP &&
           t->op != LS_KEEP_OP && !ls_op_is_random((ls_op)t->op);
  }
}

static ls_status collect(drafting *a) {
  const ls_ode *m = a->m;
  for (u32 i = 0; i < m->count; i++)
    a->fixed[i] = a->o->fold && !m->variables[i].jumps &&
                  (m->variables[i].role == LS_PARAMETER || m->variables[i].role == LS_CONSTANT);
  for (u32 i = 0; i < m->order_count; i++) {
    const ls_variable *v = &m->variables[m->order[i]];
    const ls_term *equation;
    if (a->o->fold && !v->jumps && ls_term_walk(v->equation, stays, a)) {
      a->fixed[m->order[i]] = true;
      continue;
    }
    ls_status st = rewrite(a, v->equation, &equation);
    if (!st) st = add_function(a, m->order[i], equation);
    if (st) return st;
  }
  for (u32 i = 0; i < m->count; i++) {
    if (m->variables[i].role != LS_STATE) continue;
    ls_status st = rewrite(a, m->variables[i].equation, &a->rate[i]);
    if (st) return st;
  }
  return LS_OK;
}

/* --- merging ----------------------------------------------------------------------------------------------
 */

static u32 *by_level(const drafting *a, u32 *levels) {
  u32 *order = ls_malloc(a->functions * sizeof *order), *at;
  *levels = 0;
  for (u32 i = 0; i < a->functions; i++)
    if (a->f[i].level >= *levels) *levels = a->f[i].level + 1;
  at = ls_calloc((size_t)*levels + 1, sizeof *at);
  if (order && at) { /* sorted by level, then by variable */
    for (u32 i = 0; i < a->functions; i++) at[a->f[i].level + 1]++;
    for (u32 l = 0; l < *levels; l++) at[l + 1] += at[l];
    for (u32 v = 0; v < a->of_room; v++)
      if (a->of[v] != NONE) order[at[a->f[a->of[v]].level]++] = a->of[v];
  } else {
    ls_free(order);
    order = NULL;
  }
  ls_free(at);
  return order;
}

/* Moves functions to earlier phases. Let p be the latest phase that function f depends on. If f depends on
 * only one function g of p, the thread of g computes f too, after g and the functions added before;
 * otherwise, or if that thread already has MOST_MERGED functions, f is computed in the phase after p. */
static void shift(drafting *a, const u32 *order) {
  for (u32 k = 0; k < a->functions; k++) {
    function *f = &a->f[order[k]];
    const u32 i = order[k], last = i + 1 < a->functions ? a->f[i + 1].deps : a->dep_count;
    u32 latest = 0, one = NONE, many = 0;
    if (f->deps == last) continue;
    for (u32 d = f->deps; d < last; d++) {
      const u32 level = a->f[a->dep[d]].level;
      if (level > latest || many == 0)
        latest = level, one = a->dep[d], many = 1;
      else if (level == latest)
        many++;
    }
    function *head = &a->f[a->f[one].head];
    f->level = latest + 1;
    if (many > 1 || head->count == MOST_MERGED) continue;
    f->level = latest;
    f->head = a->f[one].head;
    a->f[head->last].next = i;
    head->last = i;
    head->count++;
  }
}

/* --- the draft --------------------------------------------------------------------------------------------
 */

static ls_status begin_thread(ls_draft *d, u32 phase, u32 *room) {
  ls_status st = grow((void **)&d->thread, d->threads, room, sizeof *d->thread);
  if (st) return st;
  d->thread[d->threads++] = (ls_draft_thread){.phase = phase, .at = d->words};
  return LS_OK;
}

static ls_status end_thread(ls_draft *d) {
  ls_status st = ls_code_end(d);
  ls_draft_thread *t = &d->thread[d->threads - 1];
  t->length = d->words - t->at;
  return st;
}

static ls_status write_functions(drafting *a, const u32 *order, u32 *room) {
  ls_draft *d = a->d;
  u32 phase = 0, level = 0;
  ls_status st = LS_OK;
  for (u32 k = 0; k < a->functions && !st; k++) {
    const function *head = &a->f[order[k]];
    if (head->head != order[k]) continue;
    if (head->level != level) level = head->level, phase++; /* levels may have become empty */
    st = begin_thread(d, phase, room);
    for (u32 i = order[k]; i != NONE && !st; i = a->f[i].next) {
      st = ls_code_emit(d, a->f[i].equation, a->f[i].variable);
      if (st) st = ls_ode_at_variable(a->m, a->f[i].variable, st);
    }
    if (!st) st = end_thread(d);
  }
  d->phases = a->functions ? phase + 1 : 0;
  return st;
}

static ls_status write_states(drafting *a, u32 *room) {
  ls_draft *d = a->d;
  const ls_ode *m = a->m;
  ls_status st = LS_OK;
  for (u32 i = 0; i < m->count && !st; i++) {
    if (m->variables[i].role != LS_STATE) continue;
    st = begin_thread(d, d->phases, room);
    if (!st && (st = ls_code_emit(d, a->rate[i], i))) st = ls_ode_at_variable(m, i, st);
    if (!st) st = end_thread(d);
  }
  if (st) return st;
  const ls_term *one = ls_term_number(a->terms, 1); /* the rate of time */
  st = one ? begin_thread(d, d->phases, room) : LS_EMEM;
  if (!st) st = ls_code_emit(d, one, d->vars - 1);
  return st ? st : end_thread(d);
}

/* --- assignments between steps ----------------------------------------------------------------------------
 */

static const ls_term *present(void *ctx, const ls_term *t) {
  return (void)ctx, t->op == LS_KEEP_OP ? t->arg[0] : t;
}
static bool keeps(void *ctx, const ls_term *t) { return (void)ctx, t->op == LS_KEEP_OP; }

static ls_status write_jump(drafting *a, u32 jump, u32 *room) {
  const ls_term_change change = {a->terms, present, keeps, NULL};
  const ls_jump *j = &a->m->jumps[jump];
  ls_draft *d = a->d;
  const ls_term *value = ls_term_replace(&change, j->assign.value);
  if (!value) return ls_terms_status(a->terms);
  ls_status st = begin_thread(d, d->phases + (j->after ? LS_JUMPS_AFTER : LS_JUMPS_BEFORE), room);
  if (!st && (st = ls_code_emit(d, value, j->assign.variable))) st = ls_ode_at(a->m, j->line, st);
  d->jump[d->assigned++] = jump;
  return st ? st : end_thread(d);
}

static bool names_jump(void *ctx, const ls_term *t) {
  const ls_ode *m = ctx;
  return t->op != LS_VARIABLE_OP || !m->variables[t->index].jumps;
}
static bool names_new(void *ctx, const ls_term *t) {
  const bool *new = ctx;
  return t->op != LS_VARIABLE_OP || !new[t->index];
}

/* Adds threads for the variables that a port takes from an assigned one. They are computed at the same time,
 * after the assignments. new: zeros, one for each variable; set for those that have a thread. */
static ls_status write_ports(drafting *a, bool *new, u32 *room) {
  const ls_ode *m = a->m;
  ls_draft *d = a->d;
  ls_status st = LS_OK;
  for (u32 i = 0; i < m->order_count && !st; i++) {
    const u32 v = m->order[i];
    const ls_variable *x = &m->variables[v];
    if (!x->port || ls_term_walk(x->equation, names_jump, (void *)(uintptr_t)m)) continue;
    if (x->jumps || !ls_term_walk(x->equation, names_new, new))
      return ls_ode_fail_at(m, v,
                            "the bytecode has no assignments between steps that reach %s in two ways: use "
                            "engine = \"reference\"",
                            x->name);
    new[v] = true;
    st = begin_thread(d, d->phases + LS_JUMPS_PORTS, room);
    if (!st && (st = ls_code_emit(d, x->equation, v))) st = ls_ode_at_variable(m, v, st);
    if (!st) st = end_thread(d);
  }
  return st;
}

/* Adds the assignments before a step, those after it, and the ports. Of several assignments of one order to a
 * variable the last one counts, because all values are computed before any is assigned. */
static ls_status write_jumps(drafting *a, u32 *room) {
  const ls_ode *m = a->m;
  ls_draft *d = a->d;
  ls_status st = LS_OK;
  if (!m->jump_count) return LS_OK;
  u32 *last = ls_malloc(2 * (size_t)m->count * sizeof *last); /* for each order and variable: its last jump */
  bool *new = ls_calloc(m->count, sizeof *new);
  d->jump = ls_malloc(m->jump_count * sizeof *d->jump);
  if (!last || !new || !d->jump) st = LS_EMEM;
  for (u32 i = 0; i < m->jump_count && !st; i++)
    last[m->jumps[i].after * m->count + m->jumps[i].assign.variable] = i;
  for (int after = 0; after < 2; after++) {
    if (after) d->early = d->assigned;
    for (u32 i = 0; i < m->jump_count && !st; i++) {
      const ls_jump *j = &m->jumps[i];
      if (j->after == after && last[after * m->count + j->assign.variable] == i) st = write_jump(a, i, room);
    }
  }
  if (!st) st = write_ports(a, new, room);
  ls_free(last);
  ls_free(new);
  return st;
}

/* --- events -----------------------------------------------------------------------------------------------
 */

/* Adds a thread, after those of all phases, that computes an expression of an event. The thread's variable is
 * not used. */
static ls_status write_value(drafting *a, const ls_term *t, u32 line, u32 *room) {
  ls_draft *d = a->d;
  if (!t) return LS_OK;
  ls_status st = begin_thread(d, d->phases + LS_JUMP_PHASES + 1, room);
  if (!st && (st = ls_code_emit(d, t, d->vars - 1))) st = ls_ode_at(a->m, line, st);
  d->values++;
  return st ? st : end_thread(d);
}

static ls_status write_events(drafting *a, u32 *room) {
  ls_status st = LS_OK;
  for (u32 i = 0; i < a->m->event_count && !st; i++) {
    const ls_event *e = &a->m->events[i];
    st = write_value(a, e->trigger, e->line, room);
    if (!st) st = write_value(a, e->delay, e->line, room);
    if (!st) st = write_value(a, e->priority, e->line, room);
    for (u32 k = 0; k < e->count && !st; k++) st = write_value(a, e->assigns[k].value, e->line, room);
  }
  return st;
}

static ls_status draft(drafting *a) {
  u32 levels, room = 0;
  ls_status st = collect(a);
  if (st) return st;
  a->d->vars = a->m->count + a->parts + 1;
  u32 *order = by_level(a, &levels);
  if (order && a->o->merge) {
    shift(a, order);
    ls_free(order);
    order = by_level(a, &levels);
  }
  if (!order) return LS_EMEM;
  st = write_functions(a, order, &room);
  ls_free(order);
  if (!st) st = write_states(a, &room);
  if (!st) st = write_jumps(a, &room);
  return st ? st : write_events(a, &room);
}

ls_status ls_code_draft(ls_ode *m, const f64 *first, const ls_code_options *o, ls_draft *out) {
  drafting a = {.m = m, .first = first, .o = o, .d = out};
  *out = (ls_draft){0};
  ls_status st = m->order ? LS_OK : ls_ode_arrange(m);
  if (st) return st;
  a.terms = ls_terms_new();
  a.fixed = ls_calloc(m->count, sizeof *a.fixed);
  a.rate = ls_calloc(m->count, sizeof *a.rate);
  st = a.terms && a.fixed && a.rate ? draft(&a) : LS_EMEM;
  ls_terms_free(a.terms);
  ls_free(a.fixed);
  ls_free(a.rate);
  ls_free(a.f);
  ls_free(a.of);
  ls_free(a.dep);
  return st;
}

void ls_draft_free(ls_draft *d) {
  ls_free(d->thread);
  ls_free(d->codes);
  ls_free(d->numbers);
  ls_free(d->past);
  ls_free(d->jump);
  *d = (ls_draft){0};
}
