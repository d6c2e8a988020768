/* SBML level 2 and 3 core: Hucka et al., The Systems Biology Markup Language (SBML): Language Specification
 * for Level 3 Version 2 Core, 2018. libSBML reads the document.
 *
 * A species is stored as an amount, so that a compartment may change its size. A species that a rule
 * determines is stored as the quantity that the rule gives: as a concentration, unless it has only substance
 * units. */
#if defined(LOCKSTEP_WITH_XML) && defined(LOCKSTEP_WITH_SBML)
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "model/ode/formats.h"
#include "model/ode/sbml_parts.h"

static u32 line_of(const void *element) { return SBase_getLine((SBase_t *)(uintptr_t)element); }

ls_status sbml_find(sbml *b, const char *id, u32 line, u32 *out) {
  *out = ls_ode_find(b->m, id);
  if (*out != LS_NO_VARIABLE) return LS_OK;
  return ls_ode_fail(
      b->m, line,
      "'%s' is not defined in this model: add a parameter, species or compartment of that id, or "
      "correct the name",
      id);
}

ls_status sbml_add(sbml *b, const char *id, ls_role role, u32 line, u32 *out) {
  if (!id || !*id) return ls_ode_fail(b->m, line, "an element has no id");
  ls_status st = ls_ode_add(b->m, id, NULL, role, line, out);
  if (st) return st;
  symbol *more = ls_grown(b->symbols, *out, &b->symbol_room, 64, sizeof *more);
  if (!more) return LS_EMEM;
  b->symbols = more;
  b->symbols[*out] = (symbol){.factor = LS_NO_VARIABLE};
  return LS_OK;
}

static const char *unit(sbml *b, const char *id) {
  return id && *id ? ls_terms_text(b->m->terms, id, strlen(id)) : NULL;
}

/* --- compartments, species, parameters -------------------------------------------------------------------
 */

static ls_status number(sbml *b, u32 v, f64 x) {
  return (b->m->variables[v].initial = ls_term_number(b->m->terms, x)) ? LS_OK : LS_EMEM;
}

static ls_status read_compartments(sbml *b) {
  for (u32 i = 0; i < Model_getNumCompartments(b->model); i++) {
    Compartment_t *c = Model_getCompartment(b->model, i);
    u32 v;
    ls_status st = sbml_add(b, Compartment_getId(c), LS_PARAMETER, line_of(c), &v);
    if (!st) st = number(b, v, Compartment_isSetSize(c) ? Compartment_getSize(c) : 1);
    if (st) return st;
    b->m->variables[v].unit = unit(b, Compartment_getUnits(c));
    b->symbols[v].constant = Compartment_getConstant(c);
  }
  return LS_OK;
}

/* Does a compartment of no dimensions have a size? From level 3 on it may. */
static bool has_size(const sbml *b, const Compartment_t *c) {
  const char *id = Compartment_getId(c);
  return b->level > 2 && (Compartment_isSetSize(c) || Model_getInitialAssignmentBySym(b->model, id) ||
                          Model_getRuleByVar(b->model, id));
}

static ls_status read_species(sbml *b) {
  for (u32 i = 0; i < Model_getNumSpecies(b->model); i++) {
    Species_t *s = Model_getSpecies(b->model, i);
    const u32 line = line_of(s);
    u32 v, in = LS_NO_VARIABLE;
    const char *id = Species_getCompartment(s);
    Compartment_t *c = id ? Model_getCompartmentById(b->model, id) : NULL;
    if (!c)
      return ls_ode_fail(b->m, line, "species %s is in compartment '%s', which does not exist",
                         Species_getId(s), id ? id : "");
    ls_status st = sbml_add(b, Species_getId(s), LS_PARAMETER, line, &v);
    if (st) return st;
    if (Compartment_getSpatialDimensionsAsDouble(c) != 0 || has_size(b, c)) in = ls_ode_find(b->m, id);
    symbol *a = &b->symbols[v];
    a->species = true;
    a->substance_only = Species_getHasOnlySubstanceUnits(s) || in == LS_NO_VARIABLE;
    a->constant = Species_getConstant(s);
    a->boundary = Species_getBoundaryCondition(s);
    ls_variable *x = &b->m->variables[v];
    x->size = in;
    x->quantity = LS_AMOUNT;
    x->shown = a->substance_only ? LS_AMOUNT : LS_CONCENTRATION;
    x->unit = unit(b, Species_getSubstanceUnits(s));
  }
  return LS_OK;
}

static ls_status read_parameters(sbml *b) {
  for (u32 i = 0; i < Model_getNumParameters(b->model); i++) {
    Parameter_t *p = Model_getParameter(b->model, i);
    u32 v;
    ls_status st = sbml_add(b, Parameter_getId(p), LS_PARAMETER, line_of(p), &v);
    if (!st) st = number(b, v, Parameter_isSetValue(p) ? Parameter_getValue(p) : (f64)NAN);
    if (st) return st;
    b->m->variables[v].unit = unit(b, Parameter_getUnits(p));
    b->symbols[v].constant = Parameter_getConstant(p);
  }
  return LS_OK;
}

/* Adds variables for the rates of reactions, and for stoichiometries that have an id. */
static ls_status name_reactions(sbml *b) {
  for (u32 i = 0; i < Model_getNumReactions(b->model); i++) {
    Reaction_t *r = Model_getReaction(b->model, i);
    const u32 reactants = Reaction_getNumReactants(r), all = reactants + Reaction_getNumProducts(r);
    u32 v;
    ls_status st = sbml_add(b, Reaction_getId(r), LS_ALGEBRAIC, line_of(r), &v);
    if (st) return st;
    for (u32 k = 0; k < all && b->level > 2; k++) {
      SpeciesReference_t *s =
          k < reactants ? Reaction_getReactant(r, k) : Reaction_getProduct(r, k - reactants);
      const char *id = SpeciesReference_getId(s);
      if (!id || !*id) continue;
      st = sbml_add(b, id, LS_PARAMETER, line_of(s), &v);
      if (!st) st = number(b, v, SpeciesReference_getStoichiometry(s));
      if (st) return st;
    }
  }
  return LS_OK;
}

static ls_status find_factors(sbml *b) {
  const char *common = Model_isSetConversionFactor(b->model) ? Model_getConversionFactor(b->model) : NULL;
  for (u32 i = 0; i < Model_getNumSpecies(b->model); i++) {
    Species_t *s = Model_getSpecies(b->model, i);
    const char *own = Species_isSetConversionFactor(s) ? Species_getConversionFactor(s) : common;
    if (!own) continue;
    ls_status st = sbml_find(b, own, line_of(s), &b->symbols[ls_ode_find(b->m, Species_getId(s))].factor);
    if (st) return st;
  }
  return LS_OK;
}

/* --- rules and initial assignments -----------------------------------------------------------------------
 */

/* Marks the variables that rules determine. To be called before expressions are converted, because the marks
 * decide how species are stored. */
static ls_status mark_rules(sbml *b) {
  for (u32 i = 0; i < Model_getNumRules(b->model); i++) {
    Rule_t *r = Model_getRule(b->model, i);
    if (Rule_isAlgebraic(r) || !Rule_getMath(r)) continue;
    u32 v;
    ls_status st = sbml_find(b, Rule_getVariable(r), line_of(r), &v);
    if (st) return st;
    symbol *a = &b->symbols[v];
    if (a->ruled || a->rated || b->m->variables[v].role != LS_PARAMETER)
      return ls_ode_fail(b->m, line_of(r), "a second rule for %s", Rule_getVariable(r));
    *(Rule_isRate(r) ? &a->rated : &a->ruled) = true;
    if (a->species && !a->substance_only) b->m->variables[v].quantity = LS_CONCENTRATION;
  }
  return LS_OK;
}

static ls_status read_rules(sbml *b) {
  for (u32 i = 0; i < Model_getNumRules(b->model); i++) {
    Rule_t *r = Model_getRule(b->model, i);
    if (Rule_isAlgebraic(r) || !Rule_getMath(r)) continue;
    const u32 v = ls_ode_find(b->m, Rule_getVariable(r));
    const ls_term *t = sbml_term(b, Rule_getMath(r), NULL, line_of(r));
    if (!t) return ls_terms_status(b->m->terms);
    ls_variable *x = &b->m->variables[v];
    x->role = Rule_isRate(r) ? LS_STATE : LS_ALGEBRAIC;
    x->equation = t;
    if (x->role == LS_ALGEBRAIC) x->initial = NULL;
    x->line = line_of(r);
  }
  return LS_OK;
}

/* Sets the initial values of species, which may depend on the size of their compartment. */
static ls_status species_first(sbml *b) {
  ls_terms *a = b->m->terms;
  for (u32 i = 0; i < Model_getNumSpecies(b->model); i++) {
    Species_t *s = Model_getSpecies(b->model, i);
    const u32 v = ls_ode_find(b->m, Species_getId(s));
    ls_variable *x = &b->m->variables[v];
    if (x->role == LS_ALGEBRAIC) continue;
    const bool amount = Species_isSetInitialAmount(s), concentration = Species_isSetInitialConcentration(s);
    const f64 given = amount          ? Species_getInitialAmount(s)
                      : concentration ? Species_getInitialConcentration(s)
                                      : 0;
    const ls_term *t = ls_term_number(a, given);
    const bool as_stored =
        !concentration == (x->quantity == LS_AMOUNT) || x->size == LS_NO_VARIABLE || given == 0;
    if (!as_stored)
      t = ls_term_2(a, concentration ? LS_TIMES_OP : LS_DIVIDE_OP, t,
                    ls_term_leaf(a, LS_VARIABLE_OP, x->size));
    if (!(x->initial = t)) return ls_terms_status(a);
  }
  return LS_OK;
}

static ls_status initial_assignments(sbml *b) {
  for (u32 i = 0; i < Model_getNumInitialAssignments(b->model); i++) {
    InitialAssignment_t *a = Model_getInitialAssignment(b->model, i);
    const ASTNode_t *math = InitialAssignment_getMath(a);
    u32 v;
    if (!math) continue;
    ls_status st = sbml_find(b, InitialAssignment_getSymbol(a), line_of(a), &v);
    if (st) return st;
    const ls_term *t = sbml_term(b, math, NULL, line_of(a));
    if (t) t = sbml_stored(b, v, t);
    if (!t) return ls_terms_status(b->m->terms);
    if (b->m->variables[v].role == LS_ALGEBRAIC)
      return ls_ode_fail(b->m, line_of(a), "both a rule and an initial assignment determine %s",
                         b->m->variables[v].name);
    b->m->variables[v].initial = t;
  }
  return LS_OK;
}

/* A parameter whose value is an expression becomes a constant, computed at the start. */
static void settle_roles(ls_ode *m) {
  for (u32 v = 0; v < m->count; v++) {
    ls_variable *x = &m->variables[v];
    if (x->role == LS_PARAMETER && x->initial && x->initial->op != LS_NUMBER_OP) x->role = LS_CONSTANT;
  }
}

/* --- the document ----------------------------------------------------------------------------------------
 */

static ls_status read_functions(sbml *b) {
  const u32 n = Model_getNumFunctionDefinitions(b->model);
  if (!(b->functions = ls_calloc(n, sizeof *b->functions))) return LS_EMEM;
  for (u32 i = 0; i < n; i++) {
    b->functions[i].definition = Model_getFunctionDefinition(b->model, i);
    const char *id = FunctionDefinition_getId(b->functions[i].definition);
    ls_status st = id ? ls_names_put(&b->function_names, id, i) : LS_OK;
    if (st) return st;
  }
  b->function_count = n;
  return LS_OK;
}

/* Reports the first error that libSBML found. */
static ls_status check_errors(const ls_ode *m, SBMLDocument_t *d) {
  for (u32 i = 0; i < SBMLDocument_getNumErrors(d); i++) {
    const XMLError_t *e = (const XMLError_t *)SBMLDocument_getError(d, i);
    if (XMLError_getSeverity(e) < LIBSBML_SEV_ERROR) continue;
    const char *why = XMLError_getMessage(e);
    const size_t n = why ? strcspn(why, "\n") : 0;
    return ls_ode_fail(m, XMLError_getLine(e), "%.*s", (int)(n < 400 ? n : 400),
                       why ? why : "not valid SBML");
  }
  return LS_OK;
}

static ls_status check_packages(const ls_ode *m, SBMLDocument_t *d) {
  static const char *const known[] = {"comp",   "fbc",     "qual", "distrib", "multi",
                                      "arrays", "spatial", "dyn",  "req"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (SBMLDocument_isSetPackageRequired(d, known[i]) && SBMLDocument_getPackageRequired(d, known[i]))
      return ls_ode_fail(m, 0, "the model requires the package %s, which is not supported%s", known[i],
                         i == 0 ? ": flatten the model first" : "");
  return LS_OK;
}

static ls_status read_model(sbml *b) {
  Model_t *model = b->model;
  const char *name = Model_getName(model);
  if (!name || !*name) name = Model_getId(model);
  if (name && !(b->m->title = ls_terms_text(b->m->terms, name, strlen(name)))) return LS_EMEM;
  b->m->time_unit = unit(b, Model_getTimeUnits(model));
  ls_status st = read_functions(b);
  if (!st) st = read_compartments(b);
  if (!st) st = read_species(b);
  if (!st) st = read_parameters(b);
  if (!st) st = name_reactions(b);
  if (!st) st = find_factors(b);
  if (!st) st = mark_rules(b);
  if (!st) st = read_rules(b);
  if (!st) st = species_first(b);
  if (!st) st = initial_assignments(b);
  if (!st) st = sbml_reactions(b);
  if (!st) st = sbml_events(b);
  if (!st) st = sbml_algebraic(b);
  if (!st) settle_roles(b->m);
  return st;
}

ls_status ls_sbml_read(ls_ode *m, const char *text) {
  sbml b = {.m = m};
  char format[32];
  SBMLDocument_t *d = readSBMLFromString(text);
  if (!d) return ls_fail(LS_EMEM, "%s: out of memory", m->path);
  b.level = SBMLDocument_getLevel(d);
  b.version = SBMLDocument_getVersion(d);
  b.model = SBMLDocument_getModel(d);
  ls_status st = check_errors(m, d);
  if (!st && b.level < 2)
    st = ls_ode_fail(m, 0, "SBML level 1 is not supported: convert the model to level 2 or 3");
  if (!st) st = check_packages(m, d);
  if (!st && !b.model) st = ls_ode_fail(m, 0, "the document has no model");
  snprintf(format, sizeof format, "SBML level %u version %u", b.level, b.version);
  if (!st && !(m->format = ls_terms_text(m->terms, format, strlen(format)))) st = LS_EMEM;
  if (!st) st = read_model(&b);
  SBMLDocument_free(d);
  ls_free(b.functions);
  ls_free(b.symbols);
  ls_names_free(&b.function_names);
  return st;
}
#endif
