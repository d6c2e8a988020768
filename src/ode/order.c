/* Finishes a model that has been read: checks that nothing is missing, replaces rateOf by equations, and
 * finds the order in which values are computed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "ode/model.h"

/* --- completeness ----------------------------------------------------------------------------------------
 */

static ls_status check(const ls_ode *m) {
  for (u32 i = 0; i < m->count; i++) {
    const ls_variable *v = &m->variables[i];
    const char *lacks = NULL;
    if ((v->role == LS_STATE || v->role == LS_ALGEBRAIC) && !v->equation) lacks = "equation";
    if (v->role != LS_ALGEBRAIC && !v->initial) lacks = v->role == LS_STATE ? "initial value" : "value";
    if (lacks) return ls_ode_fail_at(m, i, "%s has no %s: give it one", v->name, lacks);
  }
  return LS_OK;
}

/* --- rateOf ----------------------------------------------------------------------------------------------
 */

typedef struct rates {
  ls_ode *m;
  u8 *seen; /* for each variable: 1 while its equation is being rewritten, 2 afterwards */
  ls_term_change change;
} rates;

static const ls_term *rewrite(rates *r, const ls_term *t) { return ls_term_replace(&r->change, t); }
static bool is_rate(void *ctx, const ls_term *t) { return (void)ctx, t->op == LS_RATE_OP; }
static bool no_rate(void *ctx, const ls_term *t) { return (void)ctx, t->op != LS_RATE_OP; }

/* The rate of a variable: its equation, in which rateOf is replaced. */
static const ls_term *rate_of_variable(rates *r, u32 index) {
  ls_variable *v = &r->m->variables[index];
  if (v->role == LS_PARAMETER || v->role == LS_CONSTANT) return ls_term_number(r->m->terms, 0);
  if (v->role == LS_ALGEBRAIC) {
    ls_ode_fail(r->m, v->line,
                "rateOf of %s, which has no differential equation: use a variable that has one", v->name);
    return NULL;
  }
  if (r->seen[index] == 1) {
    ls_ode_fail(r->m, v->line, "the rate of %s needs itself through rateOf", v->name);
    return NULL;
  }
  if (!r->seen[index]) {
    r->seen[index] = 1;
    const ls_term *new = rewrite(r, v->equation);
    if (!new) return NULL;
    v->equation = new;
    r->seen[index] = 2;
  }
  return v->equation;
}

/* Replaces rateOf of a variable, or of a product or quotient of two variables: the name of a species may have
 * been converted to one of these. */
static const ls_term *rate(void *ctx, const ls_term *t) {
  rates *r = ctx;
  ls_terms *a = r->m->terms;
  if (t->op != LS_RATE_OP) return t;
  const ls_term *x = t->arg[0];
  if (x->op == LS_VARIABLE_OP) return rate_of_variable(r, x->index);
  const bool two = x->count == 2 && x->arg[0]->op == LS_VARIABLE_OP && x->arg[1]->op == LS_VARIABLE_OP;
  if (!two || (x->op != LS_TIMES_OP && x->op != LS_DIVIDE_OP)) {
    ls_fail(LS_EINPUT, "rateOf takes the name of a variable");
    return NULL;
  }
  const ls_term *p = x->arg[0], *q = x->arg[1];
  const ls_term *dp = rate_of_variable(r, p->index), *dq = dp ? rate_of_variable(r, q->index) : NULL;
  if (x->op == LS_TIMES_OP)
    return ls_term_2(a, LS_PLUS_OP, ls_term_2(a, LS_TIMES_OP, dp, q), ls_term_2(a, LS_TIMES_OP, p, dq));
  if (dq && dq->op == LS_NUMBER_OP && dq->number == 0) return ls_term_2(a, LS_DIVIDE_OP, dp, q);
  return ls_term_2(a, LS_DIVIDE_OP, ls_term_2(a, LS_MINUS_OP, dp, ls_term_2(a, LS_TIMES_OP, x, dq)), q);
}

static ls_status replace_in(void *ctx, const ls_term **t, u32 line) {
  rates *r = ctx;
  if (!*t || ls_term_walk(*t, no_rate, NULL)) return LS_OK;
  const ls_term *new = rewrite(r, *t);
  if (!new) return ls_ode_at(r->m, line, ls_terms_status(r->m->terms));
  *t = new;
  return LS_OK;
}

/* Calls change(ctx, &term, line) for all expressions of events and jumps. */
static ls_status in_events(ls_ode *m, ls_status (*change)(void *ctx, const ls_term **t, u32 line),
                           void *ctx) {
  ls_status st = LS_OK;
  for (u32 i = 0; i < m->event_count && !st; i++) {
    ls_event *e = &m->events[i];
    const ls_term **parts[] = {&e->trigger, &e->delay, &e->priority};
    for (int k = 0; k < 3 && !st; k++) st = change(ctx, parts[k], e->line);
    for (u32 k = 0; k < e->count && !st; k++) st = change(ctx, &e->assigns[k].value, e->line);
  }
  for (u32 i = 0; i < m->jump_count && !st; i++)
    st = change(ctx, &m->jumps[i].assign.value, m->jumps[i].line);
  return st;
}

static const ls_term *no_change(void *ctx, const ls_term *t) {
  const rates *r = ctx;
  return t->op == LS_RATE_OP ? ls_term_number(r->m->terms, 0) : t;
}

/* Adds an equation for times before the start. In it rateOf is 0, because nothing changes before the start.
 */
static ls_status keep_before(rates *r, ls_variable *v) {
  const ls_term_change still = {r->m->terms, no_change, is_rate, r};
  if (v->role != LS_ALGEBRAIC || ls_term_walk(v->equation, no_rate, NULL)) return LS_OK;
  v->before = ls_term_replace(&still, v->equation);
  return v->before ? LS_OK : ls_ode_at(r->m, v->line, ls_terms_status(r->m->terms));
}

static ls_status replace_rates(ls_ode *m) {
  rates r = {.m = m, .seen = ls_calloc(m->count, 1)};
  r.change = (ls_term_change){m->terms, rate, is_rate, &r};
  ls_status st = r.seen ? LS_OK : LS_EMEM;
  for (u32 i = 0; i < m->count && !st; i++) {
    ls_variable *v = &m->variables[i];
    st = keep_before(&r, v);
    if (!st && !r.seen[i]) {
      r.seen[i] = 1;
      st = replace_in(&r, &v->equation, v->line);
      r.seen[i] = 2;
    }
    if (!st) st = replace_in(&r, &v->initial, v->line);
  }
  if (!st) st = in_events(m, replace_in, &r);
  ls_free(r.seen);
  return st;
}

/* --- delays ----------------------------------------------------------------------------------------------
 */

static bool no_delayed_term(void *ctx, const ls_term *t) {
  return (void)ctx, t->op != LS_DELAY_OP || t->arg[0]->op == LS_VARIABLE_OP;
}

/* Only the past of variables is stored. So every delayed expression becomes a variable, the innermost first.
 */
static const ls_term *name_delayed(ls_ode *m, const ls_term *t, u32 line) {
  const ls_term **arg = ls_terms_memory(m->terms, (t->count + 1) * sizeof *arg);
  if (!arg) return NULL;
  for (u32 i = 0; i < t->count; i++)
    if (!(arg[i] =
              ls_term_walk(t->arg[i], no_delayed_term, NULL) ? t->arg[i] : name_delayed(m, t->arg[i], line)))
      return NULL;
  if (t->op == LS_DELAY_OP && arg[0]->op != LS_VARIABLE_OP) {
    char name[32];
    u32 v;
    snprintf(name, sizeof name, "delayed %u", m->count);
    if (ls_ode_add(m, name, NULL, LS_ALGEBRAIC, line, &v)) return NULL;
    m->variables[v].equation = arg[0];
    arg[0] = ls_term_leaf(m->terms, LS_VARIABLE_OP, v);
  }
  return ls_term_indexed(m->terms, t->op, t->index, t->count, arg);
}

static ls_status name_in(void *ctx, const ls_term **t, u32 line) {
  ls_ode *m = ctx;
  if (!*t || ls_term_walk(*t, no_delayed_term, NULL)) return LS_OK;
  const ls_term *new = name_delayed(m, *t, line);
  if (!new) return ls_ode_at(m, line, ls_terms_status(m->terms));
  *t = new;
  return LS_OK;
}

static ls_status name_delays(ls_ode *m) {
  ls_status st = LS_OK;
  for (u32 i = 0; i < m->count && !st; i++) { /* name_in may move m->variables */
    const ls_term *equation = m->variables[i].equation, *initial = m->variables[i].initial;
    if (!(st = name_in(m, &equation, m->variables[i].line))) st = name_in(m, &initial, m->variables[i].line);
    m->variables[i].equation = equation;
    m->variables[i].initial = initial;
  }
  return st ? st : in_events(m, name_in, m);
}

/* --- dependencies ----------------------------------------------------------------------------------------
 */

typedef struct needing {
  bool start, delays;
  u32 *to; /* NULL: dependencies are only counted */
  u64 count;
  u32 *last; /* for each variable: 1 + the last variable that was found to depend on it */
  u32 who;
} needing;

static void need(needing *n, const ls_term *t) {
  if (t->op == LS_VARIABLE_OP) {
    if (n->last[t->index] == n->who + 1) return;
    n->last[t->index] = n->who + 1;
    if (n->to) n->to[n->count] = t->index;
    n->count++;
    return;
  }
  if (t->op == LS_KEEP_OP || (t->op == LS_LAST_OP && !n->start)) return;
  const u32 from = t->op == LS_DELAY_OP && !n->start && !n->delays;
  for (u32 i = from; i < t->count; i++) need(n, t->arg[i]);
}

static int ascending(const void *a, const void *b) {
  const u32 x = *(const u32 *)a, y = *(const u32 *)b;
  return (x > y) - (x < y);
}

ls_status ls_ode_needs(const ls_ode *m, bool start, bool delays, u32 **off, u32 **to) {
  needing n = {.start = start, .delays = delays};
  *off = ls_malloc(((size_t)m->count + 1) * sizeof **off);
  *to = NULL;
  if (!*off) return LS_EMEM;
  for (int pass = 0; pass < 2; pass++) {
    ls_free(n.last);
    if (!(n.last = ls_calloc(m->count, sizeof *n.last))) goto failed;
    n.count = 0;
    for (u32 v = 0; v < m->count; v++) {
      const ls_variable *a = &m->variables[v];
      const ls_term *t = start && a->role != LS_ALGEBRAIC ? a->initial : a->equation;
      (*off)[v] = (u32)n.count;
      n.who = v;
      if (t) need(&n, t);
      if (n.to) qsort(n.to + (*off)[v], n.count - (*off)[v], sizeof **to, ascending);
    }
    (*off)[m->count] = (u32)n.count;
    if (pass == 0 && !(n.to = *to = ls_malloc(n.count * sizeof **to))) goto failed;
  }
  ls_free(n.last);
  return LS_OK;
failed:
  ls_free(n.last);
  ls_free(*off);
  ls_free(*to);
  *off = *to = NULL;
  return LS_EMEM;
}

/* --- the order -------------------------------------------------------------------------------------------
 */

/* A depth-first search without recursion, because chains may be long. */
typedef struct searching {
  const ls_ode *m;
  const u32 *off, *to;
  bool all; /* variables of every role are ordered; false: only algebraic ones */
  u8 *seen; /* 1: on the path, 2: placed in the order */
  u32 *next, *path, *order;
  u32 length, placed;
} searching;

static ls_status loop_found(const searching *s, u32 back) {
  enum { SHOWN = 8 };
  char text[700] = "";
  u32 from = 0;
  while (s->path[from] != back) from++;
  size_t used = 0;
  for (u32 i = from; i <= s->length && used < sizeof text; i++) {
    const ls_variable *v = &s->m->variables[i < s->length ? s->path[i] : back];
    if (i - from == SHOWN && i < s->length) {
      used += (size_t)snprintf(text + used, sizeof text - used, "... (%u variables) -> ", s->length - from);
      i = s->length - 1;
      continue;
    }
    used += (size_t)snprintf(text + used, sizeof text - used, i < s->length ? "%.60s (line %u) -> " : "%.60s",
                             v->name, v->line);
  }
  return ls_ode_fail_at(
      s->m, back, "algebraic loop%s: %s; each needs the next: make one of them a state, or solve for it",
      s->all ? " in the values at the start" : "", text);
}

static bool computed(const searching *s, u32 v) { return s->all || s->m->variables[v].role == LS_ALGEBRAIC; }

static ls_status search_from(searching *s, u32 root) {
  s->path[s->length++] = root;
  s->seen[root] = 1;
  while (s->length) {
    const u32 v = s->path[s->length - 1];
    if (s->next[v] == s->off[v + 1]) {
      s->seen[v] = 2;
      s->order[s->placed++] = v;
      s->length--;
      continue;
    }
    const u32 w = s->to[s->next[v]++];
    if (!computed(s, w) || s->seen[w] == 2) continue;
    if (s->seen[w] == 1) return loop_found(s, w);
    s->seen[w] = 1;
    s->path[s->length++] = w;
  }
  return LS_OK;
}

static ls_status find_order(const ls_ode *m, bool all, bool delays, u32 **order, u32 *count) {
  const size_t bytes = m->count * sizeof(u32);
  u32 *off = NULL, *to = NULL;
  searching s = {.m = m, .all = all};
  ls_status st = ls_ode_needs(m, all, delays, &off, &to);
  if (st) return st;
  s.off = off;
  s.to = to;
  s.seen = ls_calloc(m->count, 1);
  s.next = ls_malloc(bytes);
  s.path = ls_malloc(bytes);
  s.order = ls_malloc(bytes);
  if (!s.seen || !s.next || !s.path || !s.order) st = LS_EMEM;
  if (!st) memcpy(s.next, off, bytes);
  for (u32 v = 0; v < m->count && !st; v++)
    if (computed(&s, v) && !s.seen[v]) st = search_from(&s, v);
  ls_free(off);
  ls_free(to);
  ls_free(s.seen);
  ls_free(s.next);
  ls_free(s.path);
  if (st) {
    ls_free(s.order);
    return st;
  }
  ls_free(*order);
  *order = s.order;
  *count = s.placed;
  return LS_OK;
}

ls_status ls_ode_complete(ls_ode *m) {
  ls_status st = check(m);
  if (!st) st = name_delays(m); /* first, so that a delayed rateOf becomes a variable, whose past is stored */
  return st ? st : replace_rates(m);
}

ls_status ls_ode_arrange(ls_ode *m) {
  u32 all;
  /* A delay of 0 needs the present value, so delayed variables are computed first, unless that makes a loop.
   */
  ls_status st = find_order(m, false, true, &m->order, &m->order_count);
  if (st == LS_EINPUT) st = find_order(m, false, false, &m->order, &m->order_count);
  if (!st) st = find_order(m, true, true, &m->start_order, &all);
  if (!st) return LS_OK;
  ls_free(m->order); /* a model is arranged wholly, or not at all */
  m->order = NULL;
  return st;
}
