/* Reactions: the rate of each, in substance per time, is an algebraic variable that enters the equations of
 * its reactants and products. */
#if defined(LOCKSTEP_WITH_XML) && defined(LOCKSTEP_WITH_SBML)
#include <math.h>
#include <stdio.h>

#include "model/ode/sbml_parts.h"

static u32 line_of(const void *element) {
  const u32 line = SBase_getLine((SBase_t *)(uintptr_t)element);
  return line;
}

/* Adds the local parameters of a reaction, as variables REACTION.NAME. */
static ls_status local_parameters(sbml *b, const char *id, KineticLaw_t *law, ls_names *out) {
  const u32 locals = KineticLaw_getNumLocalParameters(law),
            n = locals ? locals : KineticLaw_getNumParameters(law);
  for (u32 i = 0; i < n; i++) {
    const char *name;
    f64 x;
    u32 line, v;
    char whole[512];
    if (locals) {
      LocalParameter_t *p = KineticLaw_getLocalParameter(law, i);
      name = LocalParameter_getId(p);
      x = LocalParameter_isSetValue(p) ? LocalParameter_getValue(p) : (f64)NAN;
      line = line_of(p);
    } else {
      Parameter_t *p = KineticLaw_getParameter(law, i);
      name = Parameter_getId(p);
      x = Parameter_isSetValue(p) ? Parameter_getValue(p) : (f64)NAN;
      line = line_of(p);
    }
    if (!name || !*name) return ls_ode_fail(b->m, line, "a parameter of reaction %s has no id", id);
    if (snprintf(whole, sizeof whole, "%s.%s", id, name) >= (int)sizeof whole)
      return ls_ode_fail(b->m, line, "a name of more than %zu bytes", sizeof whole - 1);
    ls_status st = sbml_add(b, whole, LS_PARAMETER, line, &v);
    if (st) return st;
    if (!(b->m->variables[v].initial = ls_term_number(b->m->terms, x))) return LS_EMEM;
    if ((st = ls_names_put(out, name, v))) return st;
  }
  return LS_OK;
}

/* *out: the stoichiometry of a reactant or product. */
static ls_status stoichiometry(sbml *b, SpeciesReference_t *r, u32 line, const ls_term **out) {
  ls_terms *a = b->m->terms;
  const char *id = SpeciesReference_getId(r);
  if (SpeciesReference_isSetStoichiometryMath(r)) {
    const StoichiometryMath_t *s = SpeciesReference_getStoichiometryMath(r);
    const ASTNode_t *math = StoichiometryMath_getMath(s);
    *out = math ? sbml_term(b, math, NULL, line) : ls_term_number(a, 1);
  } else if (id && *id && b->level > 2 && ls_ode_find(b->m, id) != LS_NO_VARIABLE) {
    *out = ls_term_leaf(a, LS_VARIABLE_OP, ls_ode_find(b->m, id));
  } else {
    const f64 x = SpeciesReference_getStoichiometry(r);
    const int denominator = SpeciesReference_getDenominator(r);
    if (isnan(x))
      return ls_ode_fail(b->m, line, "a species of a reaction has no stoichiometry: add stoichiometry=\"1\"");
    *out = ls_term_number(a, denominator > 1 ? x / denominator : x);
  }
  return *out ? LS_OK : ls_terms_status(a);
}

/* Adds the contribution of a reaction to the rate of change of one species. */
static ls_status change_species(sbml *b, u32 rate, SpeciesReference_t *r, bool product) {
  ls_terms *a = b->m->terms;
  const u32 line = line_of(r);
  u32 v;
  const char *id = SpeciesReference_getSpecies(r);
  ls_status st = sbml_find(b, id ? id : "", line, &v);
  if (st) return st;
  if (!b->symbols[v].species)
    return ls_ode_fail(b->m, line, "a reaction refers to %s, which is not a species", id);
  if (b->symbols[v].boundary || b->symbols[v].constant) return LS_OK; /* reactions do not change it */
  if (b->symbols[v].ruled || b->symbols[v].rated)
    return ls_ode_fail(
        b->m, line, "both a rule and a reaction change %s: make it a boundary species, or drop the rule", id);
  const ls_term *s, *share = ls_term_leaf(a, LS_VARIABLE_OP, rate);
  if ((st = stoichiometry(b, r, line, &s))) return st;
  if (!(s->op == LS_NUMBER_OP && s->number == 1)) share = ls_term_2(a, LS_TIMES_OP, s, share);
  if (b->symbols[v].factor != LS_NO_VARIABLE)
    share = ls_term_2(a, LS_TIMES_OP, share, ls_term_leaf(a, LS_VARIABLE_OP, b->symbols[v].factor));
  const ls_term *old = b->symbols[v].change;
  if (old)
    share = ls_term_2(a, product ? LS_PLUS_OP : LS_MINUS_OP, old, share);
  else if (!product)
    share = ls_term_1(a, LS_MINUS_OP, share);
  b->symbols[v].change = share;
  b->symbols[v].reacts = true;
  return share ? LS_OK : ls_terms_status(a);
}

static ls_status read_reaction(sbml *b, Reaction_t *r) {
  const char *id = Reaction_getId(r);
  const u32 line = line_of(r), v = ls_ode_find(b->m, id ? id : "");
  ls_variable *x = &b->m->variables[v];
  if (Reaction_isSetFast(r) && Reaction_getFast(r))
    return ls_ode_fail(b->m, line,
                       "reaction %s is fast, which is not supported: replace it by its equilibrium", id);
  KineticLaw_t *law = Reaction_getKineticLaw(r);
  const ASTNode_t *math = law ? KineticLaw_getMath(law) : NULL;
  if (!math) return ls_ode_fail(b->m, line, "reaction %s has no kinetic law", id);
  ls_names locals = {0};
  ls_status st = local_parameters(b, id, law, &locals);
  const local_names scope = {&locals, LS_VARIABLE_OP};
  if (!st) {
    const ls_term *rate = sbml_term(b, math, &scope, line_of(law));
    x = &b->m->variables[v]; /* adding local parameters may have moved it */
    x->equation = rate;
    x->line = line_of(law) ? line_of(law) : line;
    if (!rate) st = ls_terms_status(b->m->terms);
  }
  ls_names_free(&locals);
  for (u32 i = 0; i < Reaction_getNumReactants(r) && !st; i++)
    st = change_species(b, v, Reaction_getReactant(r, i), false);
  for (u32 i = 0; i < Reaction_getNumProducts(r) && !st; i++)
    st = change_species(b, v, Reaction_getProduct(r, i), true);
  return st;
}

ls_status sbml_reactions(sbml *b) {
  for (u32 i = 0; i < Model_getNumReactions(b->model); i++) {
    ls_status st = read_reaction(b, Model_getReaction(b->model, i));
    if (st) return st;
  }
  for (u32 v = 0; v < b->m->count; v++) {
    ls_variable *x = &b->m->variables[v];
    if (!b->symbols[v].reacts) continue;
    x->role = LS_STATE;
    x->equation = b->symbols[v].change;
  }
  return LS_OK;
}
#endif
