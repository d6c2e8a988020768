#ifdef LOCKSTEP_WITH_XML
#include "model/ode/mathml.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/nearest.h"

/* Operators that become a term with the same arguments. */
static const struct {
  const char *name;
  ls_op op;
} plain[] = {
    {"plus", LS_PLUS_OP},
    {"minus", LS_MINUS_OP},
    {"times", LS_TIMES_OP},
    {"divide", LS_DIVIDE_OP},
    {"power", LS_POWER_OP},
    {"exp", LS_EXP_OP},
    {"ln", LS_LN_OP},
    {"abs", LS_ABS_OP},
    {"floor", LS_FLOOR_OP},
    {"ceiling", LS_CEILING_OP},
    {"factorial", LS_FACTORIAL_OP},
    {"rem", LS_REM_OP},
    {"quotient", LS_QUOTIENT_OP},
    {"max", LS_MAX_OP},
    {"min", LS_MIN_OP},
    {"mean", LS_MEAN_OP},
    {"eq", LS_EQ_OP},
    {"neq", LS_NEQ_OP},
    {"lt", LS_LT_OP},
    {"gt", LS_GT_OP},
    {"leq", LS_LEQ_OP},
    {"geq", LS_GEQ_OP},
    {"and", LS_AND_OP},
    {"or", LS_OR_OP},
    {"xor", LS_XOR_OP},
    {"not", LS_NOT_OP},
    {"implies", LS_IMPLIES_OP},
    {"sin", LS_SIN_OP},
    {"cos", LS_COS_OP},
    {"tan", LS_TAN_OP},
    {"sec", LS_SEC_OP},
    {"csc", LS_CSC_OP},
    {"cot", LS_COT_OP},
    {"sinh", LS_SINH_OP},
    {"cosh", LS_COSH_OP},
    {"tanh", LS_TANH_OP},
    {"sech", LS_SECH_OP},
    {"csch", LS_CSCH_OP},
    {"coth", LS_COTH_OP},
    {"arcsin", LS_ARCSIN_OP},
    {"arccos", LS_ARCCOS_OP},
    {"arctan", LS_ARCTAN_OP},
    {"arcsec", LS_ARCSEC_OP},
    {"arccsc", LS_ARCCSC_OP},
    {"arccot", LS_ARCCOT_OP},
    {"arcsinh", LS_ARCSINH_OP},
    {"arccosh", LS_ARCCOSH_OP},
    {"arctanh", LS_ARCTANH_OP},
    {"arcsech", LS_ARCSECH_OP},
    {"arccsch", LS_ARCCSCH_OP},
    {"arccoth", LS_ARCCOTH_OP},
};

static const struct {
  const char *name;
  f64 value;
} constants[] = {{"pi", 3.14159265358979323846},
                 {"exponentiale", 2.71828182845904523536},
                 {"eulergamma", 0.57721566490153286061},
                 {"true", 1},
                 {"false", 0},
                 {"infinity", HUGE_VAL},
                 {"notanumber", NAN}};

static const ls_term *fail(const ls_mathml *c, const xmlNode *n, const char *what, const char *name) {
  ls_ode_fail(c->m, ls_xml_line(n), "%s '%s'", what, name);
  return NULL;
}

ls_status ls_mathml_unknown(ls_ode *m, const xmlNode *n, const char *name, const char *const *known,
                            size_t count) {
  const char *near = ls_nearest(name, known, count);
  return ls_ode_fail(m, ls_xml_line(n),
                     "unknown function '%s'%s%s%s: express it with operators and functions of MathML", name,
                     near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
}

/* --- numbers ---------------------------------------------------------------------------------------------
 */

/* <cn>, with <sep/> between two parts: a rational, or a mantissa and its exponent of ten. */
static const ls_term *number(const ls_mathml *c, const xmlNode *n) {
  const char *type = ls_xml_attribute(c->m->terms, n, "type");
  const xmlNode *sep = ls_xml_child(n, "sep");
  f64 x, y;
  if (!sep) {
    const char *text = ls_xml_content(c->m->terms, n);
    if (!text) return NULL;
    if (!ls_xml_number(text, &x)) return fail(c, n, "expected a number in <cn>, found", text);
    return ls_term_number(c->m->terms, x);
  }
  const char *const before = sep->prev && sep->prev->content ? (const char *)sep->prev->content : "";
  const char *const after = sep->next && sep->next->content ? (const char *)sep->next->content : "";
  const char *a = before + strspn(before, " \t\r\n"), *b = after + strspn(after, " \t\r\n");
  a = ls_terms_text(c->m->terms, a, strcspn(a, " \t\r\n"));
  b = ls_terms_text(c->m->terms, b, strcspn(b, " \t\r\n"));
  if (!a || !b) return NULL;
  if (!ls_xml_number(a, &x) || !ls_xml_number(b, &y))
    return fail(c, n, "expected two numbers around <sep/>, found", a);
  if (type && strcmp(type, "rational") == 0) return ls_term_number(c->m->terms, x / y);
  if (type && strcmp(type, "e-notation") == 0) { /* as one literal, which is rounded once */
    char both[128];
    if (snprintf(both, sizeof both, "%se%s", a, b) < (int)sizeof both && ls_xml_number(both, &x))
      return ls_term_number(c->m->terms, x);
    return ls_term_number(c->m->terms, x * pow(10, y));
  }
  return fail(c, n, "expected a <cn> with <sep/> of type rational or e-notation, found type",
              type ? type : "(none)");
}

/* --- operators -------------------------------------------------------------------------------------------
 */

typedef struct list {
  const ls_term **arg;
  u32 count;
} list;

static bool is_qualifier(const xmlNode *n) {
  return ls_xml_is(n, "degree") || ls_xml_is(n, "logbase") || ls_xml_is(n, "bvar");
}

/* Converts the arguments that follow an operator. False: failed. */
static bool arguments(const ls_mathml *c, const xmlNode *op, list *out) {
  u32 count = 0;
  for (const xmlNode *n = ls_xml_next(op); n; n = ls_xml_next(n)) count++;
  out->count = 0;
  if (!(out->arg = ls_terms_memory(c->m->terms, count * sizeof *out->arg))) return false;
  for (const xmlNode *n = ls_xml_next(op); n; n = ls_xml_next(n)) {
    if (is_qualifier(n)) continue;
    const ls_term *t = ls_mathml_term(c, n);
    if (!t) return false;
    out->arg[out->count++] = t;
  }
  return true;
}

/* root and log, whose first argument is in a qualifier or has the default value `understood`. */
static const ls_term *with_qualifier(const ls_mathml *c, const xmlNode *op, const list *l,
                                     const char *qualifier, f64 understood, ls_op usual, ls_op general) {
  ls_terms *a = c->m->terms;
  const xmlNode *q = ls_xml_child(op->parent, qualifier);
  if (l->count != 1) {
    char text[64];
    snprintf(text, sizeof text, "%u arguments, expected 1 in", l->count);
    return fail(c, op, text, (const char *)op->name);
  }
  if (!q) return ls_term_1(a, usual, l->arg[0]);
  const xmlNode *in = ls_xml_first(q);
  if (!in) return fail(c, q, "expected an expression, found an empty element", qualifier);
  const ls_term *first = ls_mathml_term(c, in);
  if (first && first->op == LS_NUMBER_OP && first->number == understood)
    return ls_term_1(a, usual, l->arg[0]);
  return ls_term_2(a, general, first, l->arg[0]);
}

static const ls_term *unknown(const ls_mathml *c, const xmlNode *n, const char *name) {
  const char *known[sizeof plain / sizeof *plain];
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) known[i] = plain[i].name;
  ls_mathml_unknown(c->m, n, name, known, sizeof plain / sizeof *plain);
  return NULL;
}

static const ls_term *operation(const ls_mathml *c, const xmlNode *op, const list *l) {
  ls_terms *a = c->m->terms;
  const char *name = (const char *)op->name;
  if (strcmp(name, "root") == 0) return with_qualifier(c, op, l, "degree", 2, LS_SQRT_OP, LS_ROOT_OP);
  if (strcmp(name, "log") == 0) return with_qualifier(c, op, l, "logbase", 10, LS_LOG10_OP, LS_LOG_OP);
  if (strcmp(name, "csymbol") == 0 || strcmp(name, "ci") == 0) {
    const char *text = ls_xml_content(a, op);
    if (!text) return NULL;
    return c->symbol ? c->symbol(c->ctx, text, op, l->count, l->arg) : unknown(c, op, text);
  }
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (strcmp(name, plain[i].name) == 0) {
      const ls_op kind = plain[i].op == LS_EQ_OP && c->near ? LS_NEAR_OP : plain[i].op;
      return ls_term_new(a, kind, l->count, l->arg);
    }
  return unknown(c, op, name);
}

static const ls_term *apply(const ls_mathml *c, const xmlNode *n) {
  const xmlNode *op = ls_xml_first(n);
  list l = {0};
  if (!op) return fail(c, n, "expected an operator, found an empty element", "apply");
  const ls_term *t = arguments(c, op, &l) ? operation(c, op, &l) : NULL;
  if (!t) ls_ode_at(c->m, ls_xml_line(op), ls_terms_status(c->m->terms));
  return t;
}

/* The arguments of the term are value, condition, value, condition, ..., and, if <otherwise> is present, its
 * value. */
static const ls_term *piecewise(const ls_mathml *c, const xmlNode *n) {
  u32 room = 1, count = 0;
  for (const xmlNode *p = ls_xml_first(n); p; p = ls_xml_next(p)) room += 2;
  const ls_term **arg = ls_terms_memory(c->m->terms, room * sizeof *arg), *otherwise = NULL;
  if (!arg) return NULL;
  for (const xmlNode *p = ls_xml_first(n); p; p = ls_xml_next(p)) {
    const xmlNode *value = ls_xml_first(p), *condition = ls_xml_next(value);
    const bool last = ls_xml_is(p, "otherwise");
    if ((!last && !ls_xml_is(p, "piece")) || !value || (!last && !condition))
      return fail(c, p, "expected a <piece> with value and condition, or an <otherwise> with value, found",
                  (const char *)p->name);
    const ls_term *t = ls_mathml_term(c, value);
    if (!t) return NULL;
    if (last) {
      otherwise = t;
      continue;
    }
    arg[count++] = t;
    if (!(arg[count++] = ls_mathml_term(c, condition))) return NULL;
  }
  if (otherwise) arg[count++] = otherwise;
  return ls_term_new(c->m->terms, LS_PIECEWISE_OP, count, arg);
}

const ls_term *ls_mathml_term(const ls_mathml *c, const xmlNode *n) {
  ls_terms *a = c->m->terms;
  if (!n) {
    ls_ode_fail(c->m, 0, "an expression is missing");
    return NULL;
  }
  if (ls_xml_is(n, "math") || ls_xml_is(n, "semantics")) {
    const xmlNode *in = ls_xml_first(n);
    return in ? ls_mathml_term(c, in) : fail(c, n, "expected an expression, found an empty element", "math");
  }
  if (ls_xml_is(n, "apply")) return apply(c, n);
  if (ls_xml_is(n, "piecewise")) return piecewise(c, n);
  if (ls_xml_is(n, "cn")) return number(c, n);
  if (ls_xml_is(n, "ci")) {
    const char *name = ls_xml_content(a, n);
    return name ? c->name(c->ctx, name, n) : NULL;
  }
  if (ls_xml_is(n, "csymbol")) {
    const char *text = ls_xml_content(a, n);
    if (!text) return NULL;
    return c->symbol ? c->symbol(c->ctx, text, n, 0, NULL) : fail(c, n, "unknown symbol", text);
  }
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
    if (ls_xml_is(n, constants[i].name)) return ls_term_number(a, constants[i].value);
  return fail(c, n, "this element is not supported in expressions:", (const char *)n->name);
}

/* --- equations -------------------------------------------------------------------------------------------
 */

ls_status ls_mathml_equation(ls_ode *m, const xmlNode *n, ls_equation *out) {
  *out = (ls_equation){.line = ls_xml_line(n)};
  const xmlNode *apply = ls_xml_is(n, "math") ? ls_xml_first(n) : n;
  const xmlNode *eq = ls_xml_is(apply, "apply") ? ls_xml_first(apply) : NULL;
  const xmlNode *left = ls_xml_next(eq);
  out->right = ls_xml_next(left);
  if (apply) out->line = ls_xml_line(apply);
  if (!ls_xml_is(eq, "eq") || !out->right)
    return ls_ode_fail(m, out->line,
                       "expected an equation: an <apply> with <eq>, a left side and a right side");
  const xmlNode *times = ls_xml_is(left, "apply") ? ls_xml_first(left) : NULL;
  if (ls_xml_is(times, "times")) {
    const xmlNode *a = ls_xml_next(times), *b = ls_xml_next(a);
    const bool first = ls_xml_is(a, "apply") && ls_xml_is(ls_xml_first(a), "diff");
    if (b && !ls_xml_next(b)) {
      out->factor = first ? b : a;
      left = first ? a : b;
    }
  }
  if (ls_xml_is(left, "apply") && ls_xml_is(ls_xml_first(left), "diff")) {
    const xmlNode *bvar = ls_xml_child(left, "bvar"), *x = ls_xml_child(left, "ci");
    out->rate = true;
    if (!bvar || !x) return ls_ode_fail(m, out->line, "expected a derivative: a <diff> with <bvar> and <ci>");
    const xmlNode *degree = ls_xml_child(bvar, "degree");
    const char *order = degree ? ls_xml_content(m->terms, ls_xml_first(degree)) : "1";
    if (!order) return LS_EMEM;
    if (strcmp(order, "1") != 0)
      return ls_ode_fail(m, out->line,
                         "a derivative of higher order: write it as several equations of the first order");
    if (!(out->by = ls_xml_content(m->terms, ls_xml_child(bvar, "ci")))) return LS_EMEM;
    left = x;
  }
  const xmlNode *of = ls_xml_is(left, "apply") ? ls_xml_first(left) : NULL;
  const char *symbol = ls_xml_is(of, "csymbol") ? ls_xml_content(m->terms, of) : "";
  if (symbol && strcmp(symbol, "differential") == 0) { /* dX = ... of a stochastic equation */
    out->rate = true;
    out->by = "time";
    left = ls_xml_next(of);
  }
  if (!ls_xml_is(left, "ci") || (out->factor && !out->rate))
    return ls_ode_fail(m, out->line,
                       "the left side of an equation must be a variable or its derivative, found '%s'",
                       left ? (const char *)left->name : "");
  return (out->left = ls_xml_content(m->terms, left)) ? LS_OK : LS_EMEM;
}

const ls_term *ls_mathml_right(const ls_mathml *c, const ls_equation *e) {
  const ls_term *t = ls_mathml_term(c, e->right);
  if (!e->factor || !t) return t;
  return ls_term_2(c->m->terms, LS_DIVIDE_OP, t, ls_mathml_term(c, e->factor));
}
#endif
