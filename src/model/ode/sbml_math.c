/* Converts SBML expressions, which libSBML has parsed, to terms. Calls of function definitions are replaced
 * by their bodies; arguments are numbered, so that names of the caller and of the definition cannot be
 * confused. */
#if defined(LOCKSTEP_WITH_XML) && defined(LOCKSTEP_WITH_SBML)
#include <string.h>

#include "model/ode/sbml_parts.h"

static const struct {
  ASTNodeType_t type;
  ls_op op;
} plain[] = {
    {AST_PLUS, LS_PLUS_OP},
    {AST_MINUS, LS_MINUS_OP},
    {AST_TIMES, LS_TIMES_OP},
    {AST_DIVIDE, LS_DIVIDE_OP},
    {AST_POWER, LS_POWER_OP},
    {AST_FUNCTION_POWER, LS_POWER_OP},
    {AST_FUNCTION_ABS, LS_ABS_OP},
    {AST_FUNCTION_EXP, LS_EXP_OP},
    {AST_FUNCTION_LN, LS_LN_OP},
    {AST_FUNCTION_FLOOR, LS_FLOOR_OP},
    {AST_FUNCTION_CEILING, LS_CEILING_OP},
    {AST_FUNCTION_FACTORIAL, LS_FACTORIAL_OP},
    {AST_FUNCTION_MAX, LS_MAX_OP},
    {AST_FUNCTION_MIN, LS_MIN_OP},
    {AST_FUNCTION_QUOTIENT, LS_QUOTIENT_OP},
    {AST_FUNCTION_REM, LS_REM_OP},
    {AST_FUNCTION_RATE_OF, LS_RATE_OP},
    {AST_FUNCTION_DELAY, LS_DELAY_OP},
    {AST_FUNCTION_PIECEWISE, LS_PIECEWISE_OP},
    {AST_FUNCTION_SIN, LS_SIN_OP},
    {AST_FUNCTION_COS, LS_COS_OP},
    {AST_FUNCTION_TAN, LS_TAN_OP},
    {AST_FUNCTION_SEC, LS_SEC_OP},
    {AST_FUNCTION_CSC, LS_CSC_OP},
    {AST_FUNCTION_COT, LS_COT_OP},
    {AST_FUNCTION_SINH, LS_SINH_OP},
    {AST_FUNCTION_COSH, LS_COSH_OP},
    {AST_FUNCTION_TANH, LS_TANH_OP},
    {AST_FUNCTION_SECH, LS_SECH_OP},
    {AST_FUNCTION_CSCH, LS_CSCH_OP},
    {AST_FUNCTION_COTH, LS_COTH_OP},
    {AST_FUNCTION_ARCSIN, LS_ARCSIN_OP},
    {AST_FUNCTION_ARCCOS, LS_ARCCOS_OP},
    {AST_FUNCTION_ARCTAN, LS_ARCTAN_OP},
    {AST_FUNCTION_ARCSEC, LS_ARCSEC_OP},
    {AST_FUNCTION_ARCCSC, LS_ARCCSC_OP},
    {AST_FUNCTION_ARCCOT, LS_ARCCOT_OP},
    {AST_FUNCTION_ARCSINH, LS_ARCSINH_OP},
    {AST_FUNCTION_ARCCOSH, LS_ARCCOSH_OP},
    {AST_FUNCTION_ARCTANH, LS_ARCTANH_OP},
    {AST_FUNCTION_ARCSECH, LS_ARCSECH_OP},
    {AST_FUNCTION_ARCCSCH, LS_ARCCSCH_OP},
    {AST_FUNCTION_ARCCOTH, LS_ARCCOTH_OP},
    {AST_LOGICAL_AND, LS_AND_OP},
    {AST_LOGICAL_OR, LS_OR_OP},
    {AST_LOGICAL_XOR, LS_XOR_OP},
    {AST_LOGICAL_NOT, LS_NOT_OP},
    {AST_LOGICAL_IMPLIES, LS_IMPLIES_OP},
    {AST_RELATIONAL_EQ, LS_EQ_OP},
    {AST_RELATIONAL_NEQ, LS_NEQ_OP},
    {AST_RELATIONAL_LT, LS_LT_OP},
    {AST_RELATIONAL_GT, LS_GT_OP},
    {AST_RELATIONAL_LEQ, LS_LEQ_OP},
    {AST_RELATIONAL_GEQ, LS_GEQ_OP},
};

static const ls_term *fail(const sbml *b, const char *what, const char *name) {
  ls_ode_fail(b->m, b->line, "%s '%s'", what, name ? name : "");
  return NULL;
}

static const ls_term *convert(sbml *b, const ASTNode_t *n, const local_names *local);

/* --- species ---------------------------------------------------------------------------------------------
 */

/* What the name of a variable means in expressions, computed from the stored quantity. */
static const ls_term *reference(sbml *b, u32 v) {
  ls_terms *a = b->m->terms;
  const ls_variable *x = &b->m->variables[v];
  const ls_term *value = ls_term_leaf(a, LS_VARIABLE_OP, v);
  if (!b->symbols[v].species || x->size == LS_NO_VARIABLE) return value;
  if (b->symbols[v].substance_only == (x->quantity == LS_AMOUNT)) return value;
  return ls_term_2(a, x->quantity == LS_AMOUNT ? LS_DIVIDE_OP : LS_TIMES_OP, value,
                   ls_term_leaf(a, LS_VARIABLE_OP, x->size));
}

const ls_term *sbml_stored(sbml *b, u32 v, const ls_term *meant) {
  ls_terms *a = b->m->terms;
  const ls_variable *x = &b->m->variables[v];
  if (!b->symbols[v].species || x->size == LS_NO_VARIABLE) return meant;
  if (b->symbols[v].substance_only == (x->quantity == LS_AMOUNT)) return meant;
  return ls_term_2(a, x->quantity == LS_AMOUNT ? LS_TIMES_OP : LS_DIVIDE_OP, meant,
                   ls_term_leaf(a, LS_VARIABLE_OP, x->size));
}

/* --- function definitions --------------------------------------------------------------------------------
 */

static ls_status convert_body(sbml *b, function *f) {
  const ASTNode_t *lambda = FunctionDefinition_getMath(f->definition);
  const char *id = FunctionDefinition_getId(f->definition);
  if (!lambda || ASTNode_getNumChildren(lambda) == 0) {
    fail(b, "the function that is called here has no definition:", id);
    return LS_EINPUT;
  }
  if (f->open) {
    fail(b, "a function definition calls itself:", id);
    return LS_EINPUT;
  }
  const u32 n = ASTNode_getNumChildren(lambda);
  ls_names arguments = {0};
  ls_status st = LS_OK;
  for (u32 i = 0; i + 1 < n && !st; i++) {
    const char *name = ASTNode_getName(ASTNode_getChild(lambda, i));
    if (name) st = ls_names_put(&arguments, name, i);
  }
  if (!st) {
    const local_names local = {&arguments, LS_ARGUMENT_OP};
    f->open = true;
    f->body = convert(b, ASTNode_getChild(lambda, n - 1), &local);
    f->open = false;
    if (!f->body) st = ls_terms_status(b->m->terms);
  }
  ls_names_free(&arguments);
  return st;
}

typedef struct call {
  u32 count;
  const ls_term *const *arg;
} call;

static const ls_term *put_argument(void *ctx, const ls_term *t) {
  const call *c = ctx;
  return t->op == LS_ARGUMENT_OP ? c->arg[t->index] : t;
}

static const ls_term *expand(sbml *b, const ASTNode_t *n, u32 count, const ls_term *const *arg) {
  const char *name = ASTNode_getName(n);
  const u32 i = name ? ls_names_find(&b->function_names, name) : LS_NO_NAME;
  if (i == LS_NO_NAME) {
    ls_ode_fail(b->m, b->line,
                "unknown function '%s': define it in listOfFunctionDefinitions, or correct its name",
                name ? name : "");
    return NULL;
  }
  function *f = &b->functions[i];
  if (!f->body && convert_body(b, f)) return NULL;
  const u32 wanted = ASTNode_getNumChildren(FunctionDefinition_getMath(f->definition)) - 1;
  if (count != wanted) {
    ls_ode_fail(b->m, b->line, "%s takes %u arguments, found %u", name, wanted, count);
    return NULL;
  }
  call c = {count, arg};
  const ls_term_change change = {b->m->terms, put_argument, NULL, &c};
  return ls_term_replace(&change, f->body);
}

/* --- nodes -----------------------------------------------------------------------------------------------
 */

static const ls_term *named(sbml *b, const char *name, const local_names *local) {
  if (!name) return fail(b, "expected a name, found", "");
  const u32 inner = local ? ls_names_find(local->names, name) : LS_NO_NAME;
  if (inner != LS_NO_NAME) return ls_term_leaf(b->m->terms, local->op, inner);
  if (local && local->op == LS_ARGUMENT_OP)
    return fail(b, "a function definition uses a name that is not its argument:", name);
  u32 v;
  return sbml_find(b, name, b->line, &v) ? NULL : reference(b, v);
}

/* The operands of a node as a list of terms. libSBML parses a long sum or product as ((a + b) + c) + ...:
 * this function follows the left operands to the end and returns all as arguments of one term, which is
 * computed in the same order. */
static const ls_term *const *operands(sbml *b, const ASTNode_t *n, const local_names *local, u32 *count) {
  enum { FEW = 16 };
  const ASTNodeType_t type = ASTNode_getType(n);
  const bool chain =
      type == AST_PLUS || type == AST_TIMES || type == AST_LOGICAL_AND || type == AST_LOGICAL_OR;
  const ASTNode_t *end = n;
  u32 total = ASTNode_getNumChildren(n), links = 0;
  while (chain && ASTNode_getNumChildren(end) > 1 && ASTNode_getType(ASTNode_getChild(end, 0)) == type &&
         ASTNode_getNumChildren(ASTNode_getChild(end, 0)) > 1) {
    end = ASTNode_getChild(end, 0);
    total += ASTNode_getNumChildren(end) - 1;
    links++;
  }
  const ls_term **arg = ls_terms_memory(b->m->terms, total * sizeof *arg);
  if (!arg) return NULL;
  u32 at = total; /* filled from the right, while the left operands are followed again from the top */
  for (const ASTNode_t *link = n; at; link = ASTNode_getChild(link, 0)) {
    const u32 first = links > 0, children = ASTNode_getNumChildren(link);
    at -= children - first;
    const bool turns = !first && children > FEW; /* moves each child to the end: access by index is slow */
    for (u32 i = first; i < children; i++) {
      ASTNode_t *child = ASTNode_getChild(link, turns ? 0 : i);
      if (!(arg[at + i - first] = convert(b, child, local))) return NULL;
      if (!turns) continue;
      ASTNode_removeChild((ASTNode_t *)(uintptr_t)link, 0);
      ASTNode_addChild((ASTNode_t *)(uintptr_t)link, child);
    }
    links -= first;
  }
  *count = total;
  return arg;
}

static const ls_term *convert_node(sbml *b, const ASTNode_t *n, const local_names *local);

static const ls_term *convert(sbml *b, const ASTNode_t *n, const local_names *local) {
  if (b->depth >= LS_TERM_DEEPEST) {
    ls_ode_fail(b->m, b->line,
                "an expression of more than %d nested operations: define variables for its parts",
                LS_TERM_DEEPEST);
    return NULL;
  }
  b->depth++;
  const ls_term *t = convert_node(b, n, local);
  b->depth--;
  return t;
}

static const ls_term *convert_node(sbml *b, const ASTNode_t *n, const local_names *local) {
  ls_terms *a = b->m->terms;
  const ASTNodeType_t type = ASTNode_getType(n);
  switch (type) {
  case AST_INTEGER: return ls_term_number(a, (f64)ASTNode_getInteger(n));
  case AST_REAL:
  case AST_REAL_E:
  case AST_NAME_AVOGADRO: return ls_term_number(a, ASTNode_getReal(n));
  case AST_RATIONAL: return ls_term_number(a, (f64)ASTNode_getNumerator(n) / (f64)ASTNode_getDenominator(n));
  case AST_CONSTANT_PI: return ls_term_number(a, 3.14159265358979323846);
  case AST_CONSTANT_E: return ls_term_number(a, 2.71828182845904523536);
  case AST_CONSTANT_TRUE: return ls_term_number(a, 1);
  case AST_CONSTANT_FALSE: return ls_term_number(a, 0);
  case AST_NAME_TIME: return ls_term_leaf(a, LS_TIME_OP, 0);
  case AST_NAME: return named(b, ASTNode_getName(n), local);
  default: break;
  }
  u32 count;
  const ls_term *const *arg = operands(b, n, local, &count);
  if (!arg) return NULL;
  if (type == AST_FUNCTION) return expand(b, n, count, arg);
  if (type == AST_FUNCTION_ROOT ||
      type == AST_FUNCTION_LOG) { /* the degree or base comes first, or is omitted */
    const bool root = type == AST_FUNCTION_ROOT;
    const f64 usual = root ? 2 : 10;
    if (count == 1 || (count == 2 && arg[0]->op == LS_NUMBER_OP && arg[0]->number == usual))
      return ls_term_1(a, root ? LS_SQRT_OP : LS_LOG10_OP, arg[count - 1]);
    return ls_term_new(a, root ? LS_ROOT_OP : LS_LOG_OP, count, arg);
  }
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (plain[i].type == type) return ls_term_new(a, plain[i].op, count, arg);
  return fail(b,
              "this operator is not supported:", ASTNode_getName(n) ? ASTNode_getName(n) : "(of a package)");
}

const ls_term *sbml_term(sbml *b, const ASTNode_t *node, const local_names *local, u32 line) {
  b->line = line;
  const ls_term *t = convert(b, node, local);
  if (!t) ls_ode_at(b->m, line, ls_terms_status(b->m->terms));
  return t;
}
#endif
