/* Creates variables, with their equations, for the quantities of all simulated modules. */
#ifdef LOCKSTEP_WITH_XML
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "model/ode/mathml.h"
#include "model/ode/phml_parts.h"

/* The context of a definition. */
typedef struct scope {
  phml *p;
  const copy *c;
  const quantity *q; /* the quantity that is defined */
  u32 variable;      /* its variable */
  u32 *reached;      /* for each copied port: 1 + the variable for which `sources` last reached it */
} scope;

static const module *module_of(const scope *s) { return &s->p->modules[s->c->module]; }

static const quantity *quantity_named(const scope *s, const char *name, u32 *place) {
  const module *a = module_of(s);
  const u32 i = ls_names_find(&a->quantity_names, name);
  if (i == LS_NO_NAME) return NULL;
  *place = s->c->first_quantity + i;
  return &s->p->quantities[a->first_quantity + i];
}

/* --- names and symbols in expressions --------------------------------------------------------------------
 */

static const ls_term *name(void *ctx, const char *text, const xmlNode *n) {
  const scope *s = ctx;
  ls_ode *m = s->p->m;
  u32 place;
  if (strcmp(text, "time") == 0) return ls_term_leaf(m->terms, LS_TIME_OP, 0);
  if (quantity_named(s, text, &place) && s->p->variable[place] != NOBODY)
    return ls_term_leaf(m->terms, LS_VARIABLE_OP, s->p->variable[place]);
  ls_ode_fail(m, ls_xml_line(n), "module %s has no quantity '%s'", module_of(s)->name, text);
  return NULL;
}

static bool is_wiener(const xmlNode *implementation, const phml *p) {
  const char *type = phml_attribute(p, ls_xml_child(implementation, "definition"), "sub-type");
  return type && strcmp(type, "Wiener-process") == 0;
}

/* differential(time) is 1 and differential(W) is white noise, so that dX = a dt + b dW reads dX/dt = a + b
 * dW/dt. */
static const ls_term *differential(const scope *s, const xmlNode *n, const ls_term *x) {
  ls_ode *m = s->p->m;
  if (x->op == LS_TIME_OP) return ls_term_number(m->terms, 1);
  u32 place;
  const char *of = ls_xml_content(m->terms, ls_xml_next(n));
  const quantity *q = of ? quantity_named(s, of, &place) : NULL;
  if (q && is_wiener(phml_part(s->p, s->c, q, "implementation"), s->p))
    return ls_term_leaf(m->terms, LS_WIENER_OP, x->index);
  ls_ode_fail(m, ls_xml_line(n), "differential of %s, which is neither time nor a Wiener process",
              of ? of : "nothing");
  return NULL;
}

static const ls_term *symbol(void *ctx, const char *text, const xmlNode *n, u32 count,
                             const ls_term *const *arg) {
  static const struct {
    const char *name;
    ls_op op;
  } known[] = {{"Delay", LS_DELAY_OP},
               {"DeltaTime", LS_LAST_OP},
               {"Mod", LS_MODULO_OP},
               {"uniform_variate", LS_UNIFORM_OP},
               {"gauss_variate", LS_GAUSS_OP},
               {"exponential_variate", LS_EXPONENTIAL_OP},
               {"poisson_variate", LS_POISSON_OP},
               {"gamma_variate", LS_GAMMA_OP},
               {"lognormal_variate", LS_LOGNORMAL_OP},
               {"weibull_variate", LS_WEIBULL_OP}};
  const scope *s = ctx;
  ls_ode *m = s->p->m;
  if (strcmp(text, "time") == 0) return ls_term_leaf(m->terms, LS_TIME_OP, 0);
  if (strcmp(text, "differential") == 0 && count == 1) return differential(s, n, arg[0]);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(text, known[i].name) != 0) continue;
    const ls_op op = known[i].op;
    if (op == LS_LAST_OP && count && arg[0]->op != LS_VARIABLE_OP && arg[0]->op != LS_TIME_OP) {
      ls_ode_fail(m, ls_xml_line(n), "%s takes the name of a quantity, or time", text);
      return NULL;
    }
    if (op == LS_UNIFORM_OP && count == 4) count = 2; /* two further bounds, which are redundant */
    return ls_term_indexed(m->terms, op, ls_op_is_random(op) ? m->streams++ : 0, count, arg);
  }
  const char *names[sizeof known / sizeof *known];
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) names[i] = known[i].name;
  ls_mathml_unknown(m, n, text, names, sizeof known / sizeof *known);
  return NULL;
}

static ls_mathml reader(scope *s) {
  return (ls_mathml){.m = s->p->m, .name = name, .symbol = symbol, .ctx = s, .near = true};
}

static const ls_term *term(scope *s, const xmlNode *n) {
  const ls_mathml c = reader(s);
  return ls_mathml_term(&c, n);
}

/* --- values of ports -------------------------------------------------------------------------------------
 */

/* The variables of all quantities whose values reach the port, also through ports of capsules. *out is in the
 * arena.
 */
static ls_status sources(scope *s, u32 port_at, u32 line, const ls_term ***out, u32 *count) {
  phml *p = s->p;
  ls_ode *m = p->m;
  u32 room = 0, length = 0;
  u32 *stack = ls_malloc(p->copied_ports * sizeof *stack);
  *count = 0;
  *out = NULL;
  if (!stack) return LS_EMEM;
  ls_status st = LS_OK;
  stack[length++] = port_at;
  s->reached[port_at] = s->variable + 1;
  while (length && !st) {
    const u32 at = stack[--length], from = p->come_off[at], to = p->come_off[at + 1];
    if (from == to) {
      const copy *c = &p->copies[p->port_copy[at]];
      const module *a = &p->modules[c->module];
      const port *o = &p->ports[a->first_port + at - c->first_port];
      const u32 shown = o->quantity ? ls_names_find(&a->quantity_ids, o->quantity) : LS_NO_NAME;
      const u32 v = shown == LS_NO_NAME ? NOBODY : p->variable[c->first_quantity + shown];
      if (v == NOBODY && o->out && o->quantity) {
        st = ls_ode_fail(
            m, line,
            "%s of module %s takes the value of a port, but port %s of module %s shows quantity %s, "
            "which that module does not have: name one of its quantities in ref-physical-quantity-id",
            s->q->name, module_of(s)->name, o->id, a->name, o->quantity);
        break;
      }
      if (v == NOBODY || !o->out) {
        st = ls_ode_fail(
            m, line, "%s of module %s takes the value of a port, but %s %s of module %s %s", s->q->name,
            module_of(s)->name, at == port_at ? "no edge leads to it: port" : "port", o->id, a->name,
            at == port_at ? "needs an edge" : "has neither an edge nor a quantity: add an edge to it");
        break;
      }
      if (*count == room) { /* doubled, because the arena keeps all old arrays */
        const ls_term **more = ls_terms_memory(m->terms, (room ? 2 * room : 4) * sizeof *more);
        if (!more) {
          st = LS_EMEM;
          break;
        }
        if (room) memcpy(more, *out, room * sizeof *more);
        *out = more;
        room = room ? 2 * room : 4;
      }
      if (!((*out)[(*count)++] = ls_term_leaf(m->terms, LS_VARIABLE_OP, v))) st = LS_EMEM;
    }
    for (u32 i = to; i-- > from;) {
      const u32 t = p->come[i];
      if (s->reached[t] == s->variable + 1) continue;
      s->reached[t] = s->variable + 1;
      stack[length++] = t;
    }
  }
  ls_free(stack);
  return st;
}

static reduction reduction_of(const scope *s, const xmlNode *implementation) {
  static const char *const names[] = {"sum", "max", "min", "mean", "degree"};
  for (const xmlNode *n = ls_xml_child(implementation, "extra-implementation"); n; n = ls_xml_same(n)) {
    const char *type = phml_attribute(s->p, n, "type");
    const char *how = phml_attribute(s->p, ls_xml_child(n, "definition"), "sub-type");
    if (!type || strcmp(type, "multiple-input-assignment") != 0 || !how) continue;
    for (u32 i = 0; i < sizeof names / sizeof *names; i++)
      if (strcmp(how, names[i]) == 0) return (reduction)i;
  }
  return REDUCE_SUM;
}

static ls_status from_port(scope *s, const xmlNode *reference, const char *id, const ls_term **out) {
  static const ls_op ops[] = {LS_PLUS_OP, LS_MAX_OP, LS_MIN_OP, LS_MEAN_OP};
  phml *p = s->p;
  const module *a = module_of(s);
  const u32 line = ls_xml_line(reference);
  const u32 place = ls_names_find(&a->port_ids, id);
  u32 count;
  if (place == LS_NO_NAME)
    return ls_ode_fail(
        p->m, line,
        "%s takes the value of port %s, which module %s does not have: add the port to its port-set, and an edge "
        "to it",
        s->q->name, id, a->name);
  const ls_term **from;
  ls_status st = sources(s, s->c->first_port + place, line, &from, &count);
  if (st) return st;
  const reduction how = reduction_of(s, phml_part(p, s->c, s->q, "implementation"));
  p->m->variables[s->variable].port = true;
  if (how == REDUCE_DEGREE)
    *out = ls_term_number(p->m->terms, count);
  else
    *out = count == 1 ? from[0] : ls_term_new(p->m->terms, ops[how], count, from);
  return *out ? LS_OK : ls_terms_status(p->m->terms);
}

/* --- definitions -----------------------------------------------------------------------------------------
 */

typedef struct meaning {
  const ls_term *term; /* NULL: the definition is empty */
  bool rate;           /* the term is the derivative */
  u32 line;
} meaning;

static ls_status define(scope *s, const xmlNode *definition, int depth, meaning *out);

/* A definition by cases: the first case whose condition holds applies; a case without a condition always
 * applies. If none applies, the value is kept. */
static ls_status cases(scope *s, const xmlNode *set, int depth, meaning *out) {
  ls_ode *m = s->p->m;
  u32 room = 1, count = 0;
  for (const xmlNode *n = ls_xml_first(set); n; n = ls_xml_next(n)) room += 2;
  const ls_term **arg = ls_terms_memory(m->terms, room * sizeof *arg);
  if (!arg) return LS_EMEM;
  bool otherwise = false, rates = false;
  for (const xmlNode *n = ls_xml_child(set, "case"); n && !otherwise; n = ls_xml_same(n)) {
    const xmlNode *condition = ls_xml_child(n, "condition");
    meaning of;
    ls_status st = define(s, ls_xml_child(n, "definition"), depth + 1, &of);
    if (st) return st;
    if (!of.term) return ls_ode_fail(m, ls_xml_line(n), "a case of %s has no definition", s->q->name);
    if (count && of.rate != rates)
      return ls_ode_fail(m, of.line, "one case of %s is a differential equation, another is not", s->q->name);
    rates = of.rate;
    arg[count++] = of.term;
    otherwise = !condition || !ls_xml_child(condition, "math");
    if (!otherwise && !(arg[count++] = term(s, ls_xml_child(condition, "math"))))
      return ls_terms_status(m->terms);
  }
  if (!otherwise) /* if no case gives the derivative, it is 0 */
    arg[count++] = rates
                       ? ls_term_number(m->terms, 0)
                       : ls_term_1(m->terms, LS_KEEP_OP, ls_term_leaf(m->terms, LS_VARIABLE_OP, s->variable));
  *out = (meaning){ls_term_new(m->terms, LS_PIECEWISE_OP, count, arg), rates, ls_xml_line(set)};
  return out->term ? LS_OK : ls_terms_status(m->terms);
}

static ls_status define(scope *s, const xmlNode *d, int depth, meaning *out) {
  enum { DEEPEST = 100 };
  phml *p = s->p;
  *out = (meaning){.line = ls_xml_line(d)};
  if (!d) return LS_OK;
  const xmlNode *set = ls_xml_child(d, "case-set"), *math = ls_xml_child(d, "math");
  const xmlNode *reference = ls_xml_child(d, "reference");
  const char *sub_type = phml_attribute(p, d, "sub-type");
  if (depth > DEEPEST) return ls_ode_fail(p->m, out->line, "cases are nested more than %d deep", DEEPEST);
  if (set) return cases(s, set, depth, out);
  if (ls_xml_child(d, "graph"))
    return ls_ode_fail(p->m, out->line,
                       "%s is a state machine (graph), which is not supported: write it as conditions",
                       s->q->name);
  if (ls_xml_child(d, "bridge") || ls_xml_child(d, "connector"))
    return ls_ode_fail(p->m, out->line,
                       "%s is joined to another model, which is not supported: load that model by itself",
                       s->q->name);
  if (sub_type && strcmp(sub_type, "Wiener-process") == 0) {
    out->rate = true;
    out->term = ls_term_leaf(p->m->terms, LS_WIENER_OP, s->variable);
    return out->term ? LS_OK : LS_EMEM;
  }
  if (math) {
    ls_equation e;
    ls_status st = ls_mathml_equation(p->m, math, &e);
    if (st) return st;
    if (strcmp(e.left, s->q->name) != 0)
      return ls_ode_fail(p->m, e.line, "the definition of %s is an equation for %s", s->q->name, e.left);
    if (e.rate && strcmp(e.by, "time") != 0)
      return ls_ode_fail(p->m, e.line, "a derivative by %s: only derivatives by time are supported", e.by);
    const ls_mathml c = reader(s);
    *out = (meaning){ls_mathml_right(&c, &e), e.rate, e.line};
    return out->term ? LS_OK : ls_terms_status(p->m->terms);
  }
  const char *port_id = phml_attribute(p, reference, "port-id");
  const char *series = phml_attribute(p, reference, "timeseries-id");
  if (port_id) return from_port(s, reference, port_id, &out->term);
  if (series) return phml_series(p, module_of(s)->node, reference, &out->term);
  if (ls_xml_first(d))
    return ls_ode_fail(p->m, out->line, "this definition of %s is not supported (type '%s', element %s)",
                       s->q->name, phml_attribute(p, d, "type") ? phml_attribute(p, d, "type") : "",
                       (const char *)ls_xml_first(d)->name);
  return LS_OK;
}

/* --- variables -------------------------------------------------------------------------------------------
 */

static ls_role role_of(const quantity *q, bool *known) {
  *known = true;
  if (strcmp(q->type, "state") == 0) return LS_STATE;
  if (strcmp(q->type, "static-parameter") == 0) return LS_CONSTANT;
  *known = strcmp(q->type, "variable-parameter") == 0 || strcmp(q->type, "timeseries") == 0;
  return LS_ALGEBRAIC;
}

/* Adds a variable with the name MODULE.QUANTITY (for an instance, with its label) and the id
 * MODULE-ID:QUANTITY. If another variable has that name, the id serves as the name. */
static ls_status add_variable(phml *p, const copy *c, const quantity *q, u32 *out) {
  const module *a = &p->modules[c->module];
  const instance *in = c->instance == NOBODY ? NULL : &p->instances[c->instance];
  const char *label = in && in->label ? in->label : in ? in->id : "";
  char id[512], pretty[512];
  bool known;
  const ls_role role = role_of(q, &known);
  const u32 line = ls_xml_line(q->node);
  if (!known) return ls_ode_fail(p->m, line, "%s has the type '%s', which does not exist", q->name, q->type);
  const xmlNode *dimension = ls_xml_child(q->node, "dimension");
  const char *shape = phml_attribute(p, dimension, "type");
  if (shape && *shape && strcmp(shape, "scalar") != 0)
    return ls_ode_fail(p->m, line, "%s is a %s, which is not supported: make a scalar of each of its parts",
                       q->name, shape);
  if (snprintf(id, sizeof id, "%s:%s", c->id, q->name) >= (int)sizeof id)
    return ls_ode_fail(p->m, line, "a name of more than %zu bytes", sizeof id - 1);
  if (!in)
    snprintf(pretty, sizeof pretty, "%s.%s", a->name, q->name);
  else if (c->module == a->root)
    snprintf(pretty, sizeof pretty, "%s.%s", label, q->name);
  else
    snprintf(pretty, sizeof pretty, "%s.%s.%s", label, a->name, q->name);
  const bool taken = ls_ode_find(p->m, pretty) != LS_NO_VARIABLE || (!in && !*a->name);
  ls_status st = ls_ode_add(p->m, taken ? id : pretty, taken ? NULL : id, role, line, out);
  if (st) return st;
  const xmlNode *type = ls_xml_child(ls_xml_child(q->node, "value-type-set"), "value-type");
  p->m->variables[*out].unit = phml_unit_name(p, phml_attribute(p, type, "unit-id"));
  return LS_OK;
}

static ls_status add_jumps(scope *s, const xmlNode *implementation) {
  phml *p = s->p;
  for (const xmlNode *n = ls_xml_child(implementation, "extra-implementation"); n; n = ls_xml_same(n)) {
    const char *type = phml_attribute(p, n, "type"), *order = phml_attribute(p, n, "order");
    if (!type || strcmp(type, "instantaneous") != 0) continue;
    const bool before = order && strcmp(order, "before") == 0;
    meaning of;
    ls_status st = define(s, ls_xml_child(n, "definition"), 0, &of);
    if (st) return st;
    if (!of.term || of.rate || (order && !before && strcmp(order, "after") != 0))
      return ls_ode_fail(p->m, ls_xml_line(n), "expected an assignment to %s, before or after the step",
                         s->q->name);
    if ((st = ls_ode_add_jump(p->m, (ls_jump){!before, {s->variable, of.term}, of.line}))) return st;
    p->m->variables[s->variable].jumps = true;
  }
  return LS_OK;
}

static ls_status fill_variable(scope *s) {
  phml *p = s->p;
  ls_ode *m = p->m;
  const quantity *q = s->q;
  const xmlNode *implementation = phml_part(p, s->c, q, "implementation");
  meaning value, first;
  ls_status st = define(s, ls_xml_child(implementation, "definition"), 0, &value);
  if (!st) st = define(s, ls_xml_child(phml_part(p, s->c, q, "initial-value"), "definition"), 0, &first);
  if (st) return st;
  ls_variable *v = &m->variables[s->variable];
  if (value.line) v->line = value.line;
  if (first.rate)
    return ls_ode_fail(m, first.line, "the initial value of %s is a differential equation", q->name);
  if (v->role == LS_CONSTANT && !value.term) value = first;
  if (value.rate != (v->role == LS_STATE) && value.term)
    return ls_ode_fail(m, v->line, "%s is a %s, so its definition must %s a differential equation", q->name,
                       q->type, v->role == LS_STATE ? "be" : "not be");
  if (v->role == LS_CONSTANT) {
    v->initial = value.term;
    if (value.term && value.term->op == LS_NUMBER_OP) v->role = LS_PARAMETER;
  } else {
    v->equation = value.term;
  }
  if (v->role == LS_STATE) {
    v->initial = first.term;
    if (!first.term && is_wiener(implementation, p) && !(v->initial = ls_term_number(m->terms, 0)))
      return LS_EMEM;
  }
  return add_jumps(s, implementation);
}

/* A static-parameter may only depend on values that do not change. */
typedef struct holding {
  const ls_ode *m;
  u32 found;
} holding;

static bool holds(void *ctx, const ls_term *t) {
  holding *h = ctx;
  if (t->op != LS_VARIABLE_OP) return true;
  const ls_role r = h->m->variables[t->index].role;
  if (r == LS_PARAMETER || r == LS_CONSTANT) return true;
  h->found = t->index;
  return false;
}

static ls_status check_statics(const ls_ode *m) {
  for (u32 i = 0; i < m->count; i++) {
    const ls_variable *v = &m->variables[i];
    holding h = {m, 0};
    if (v->role != LS_CONSTANT || !v->initial || ls_term_walk(v->initial, holds, &h)) continue;
    return ls_ode_fail(m, v->line,
                       "%s is a static-parameter, but needs %s, which changes: make it a variable-parameter",
                       v->name, m->variables[h.found].name);
  }
  return LS_OK;
}

ls_status phml_make_variables(phml *p) {
  if (!(p->variable = ls_malloc(p->copied_quantities * sizeof *p->variable))) return LS_EMEM;
  scope s = {.p = p, .reached = ls_calloc(p->copied_ports, sizeof *s.reached)};
  ls_status st = s.reached ? LS_OK : LS_EMEM;
  for (int pass = 0; pass < 2 && !st; pass++)
    for (u32 c = 0; c < p->copy_count && !st; c++) {
      const module *a = &p->modules[p->copies[c].module];
      for (u32 i = 0; i < a->quantities && !st; i++) {
        u32 *v = &p->variable[p->copies[c].first_quantity + i];
        s.c = &p->copies[c];
        s.q = &p->quantities[a->first_quantity + i];
        if (pass == 0) *v = NOBODY;
        if (s.q->skipped) continue;
        if (pass == 0)
          st = add_variable(p, s.c, s.q, v);
        else
          s.variable = *v, st = fill_variable(&s);
      }
    }
  ls_free(s.reached);
  return st ? st : check_statics(p->m);
}
#endif
