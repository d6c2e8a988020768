/* Algebraic rules, 0 = f: each rule determines one variable x of f that nothing else determines. f must be
 * linear in x, f = a + b x; then x = f(0) / (f(0) - f(1)). A bipartite matching (Kuhn 1955) assigns variables
 * to rules. */
#if defined(LOCKSTEP_WITH_XML) && defined(LOCKSTEP_WITH_SBML)
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "model/ode/sbml_parts.h"

static u32 line_of(const void *element) { return SBase_getLine((SBase_t *)(uintptr_t)element); }

typedef struct rules {
  sbml *b;
  u32 count;
  const ls_term **f;
  u32 *line;
  u32 *chosen; /* for each rule: its variable, or LS_NO_VARIABLE */
  u32 *owner;  /* for each variable: its rule, or LS_NO_VARIABLE */
  bool *tried; /* for each variable: did the present search try it? */
  u32 curved;  /* a free variable in which a rule is not linear; LS_NO_VARIABLE: none */
} rules;

/* The degree of the term in variable v: 0, 1, or 2 for any term that is not linear. */
static int degree(const ls_term *t, u32 v) {
  int most = 0, sum = 0;
  if (t->op == LS_VARIABLE_OP) return t->index == v;
  for (u32 i = 0; i < t->count; i++) {
    const int d = degree(t->arg[i], v);
    if (d > most) most = d;
    sum += d;
  }
  if (most == 0) return 0;
  switch (t->op) {
  case LS_PLUS_OP:
  case LS_MINUS_OP: return most;
  case LS_TIMES_OP: return sum > 1 ? 2 : sum;
  case LS_DIVIDE_OP: return degree(t->arg[1], v) ? 2 : most;
  case LS_PIECEWISE_OP:
    for (u32 i = 1; i < t->count; i += 2)
      if (degree(t->arg[i], v)) return 2;
    return most;
  default: return 2;
  }
}

/* May a rule determine v? Only if nothing else does, and it is not constant. */
static bool is_free(const rules *r, u32 v) {
  const symbol *s = &r->b->symbols[v];
  const ls_role role = r->b->m->variables[v].role;
  return !s->constant && !s->ruled && !s->rated && !s->reacts &&
         (role == LS_PARAMETER || role == LS_CONSTANT);
}

/* Does the model give v a value? If possible, a rule determines a variable to which the model gives none. */
static bool is_given(const rules *r, u32 v) {
  const ls_term *t = r->b->m->variables[v].initial;
  return t && !(t->op == LS_NUMBER_OP && isnan(t->number));
}

static bool match(rules *r, u32 rule) {
  const u32 n = r->b->m->count;
  for (u32 i = 0; i < 2 * n; i++) {
    const u32 v = i % n;
    if (r->tried[v] || !is_free(r, v) || is_given(r, v) != (i >= n)) continue;
    const int d = degree(r->f[rule], v);
    if (d == 2) r->curved = v;
    if (d != 1) continue;
    r->tried[v] = true;
    if (r->owner[v] != LS_NO_VARIABLE && !match(r, r->owner[v])) continue;
    r->owner[v] = rule;
    r->chosen[rule] = v;
    return true;
  }
  return false;
}

typedef struct putting {
  u32 v;
  const ls_term *number;
} putting;

static const ls_term *substitute(void *ctx, const ls_term *t) {
  const putting *p = ctx;
  return t->op == LS_VARIABLE_OP && t->index == p->v ? p->number : t;
}

static const ls_term *with(ls_ode *m, const ls_term *f, u32 v, f64 x) {
  putting p = {v, ls_term_number(m->terms, x)};
  const ls_term_change change = {m->terms, substitute, NULL, &p};
  return p.number ? ls_term_replace(&change, f) : NULL;
}

static ls_status solve(rules *r, u32 rule) {
  ls_ode *m = r->b->m;
  memset(r->tried, 0, m->count * sizeof *r->tried);
  r->curved = LS_NO_VARIABLE;
  if (match(r, rule)) return LS_OK;
  if (r->curved != LS_NO_VARIABLE)
    return ls_ode_fail(m, r->line[rule],
                       "this algebraic rule is not linear in %s, so it cannot be solved for it: write it as "
                       "an assignment rule",
                       m->variables[r->curved].name);
  return ls_ode_fail(m, r->line[rule],
                     "this algebraic rule has no variable left to determine: the model is overdetermined, "
                     "or all variables of the rule are constant");
}

static ls_status assign(rules *r, u32 rule) {
  ls_ode *m = r->b->m;
  const u32 v = r->chosen[rule];
  const ls_term *zero = with(m, r->f[rule], v, 0), *one = with(m, r->f[rule], v, 1);
  const ls_term *t =
      zero && one ? ls_term_2(m->terms, LS_DIVIDE_OP, zero, ls_term_2(m->terms, LS_MINUS_OP, zero, one))
                  : NULL;
  if (!t) return ls_terms_status(m->terms);
  m->variables[v].role = LS_ALGEBRAIC;
  m->variables[v].equation = t;
  m->variables[v].initial = NULL;
  m->variables[v].line = r->line[rule];
  return LS_OK;
}

ls_status sbml_algebraic(sbml *b) {
  const u32 all = Model_getNumRules(b->model), n = b->m->count;
  rules r = {.b = b};
  ls_status st = LS_OK;
  r.f = ls_malloc(all * sizeof *r.f);
  r.line = ls_malloc(all * sizeof *r.line);
  r.chosen = ls_malloc(all * sizeof *r.chosen);
  r.owner = ls_malloc(n * sizeof *r.owner);
  r.tried = ls_malloc(n * sizeof *r.tried);
  if (!r.f || !r.line || !r.chosen || !r.owner || !r.tried) st = LS_EMEM;
  for (u32 i = 0; i < all && !st; i++) {
    Rule_t *rule = Model_getRule(b->model, i);
    if (!Rule_isAlgebraic(rule) || !Rule_getMath(rule)) continue;
    r.line[r.count] = line_of(rule);
    r.chosen[r.count] = LS_NO_VARIABLE;
    if (!(r.f[r.count++] = sbml_term(b, Rule_getMath(rule), NULL, line_of(rule))))
      st = ls_terms_status(b->m->terms);
  }
  if (!st) memset(r.owner, 0xff, n * sizeof *r.owner);
  for (u32 i = 0; i < r.count && !st; i++) st = solve(&r, i);
  for (u32 i = 0; i < r.count && !st; i++) st = assign(&r, i);
  ls_free(r.f);
  ls_free(r.line);
  ls_free(r.chosen);
  ls_free(r.owner);
  ls_free(r.tried);
  return st;
}
#endif
