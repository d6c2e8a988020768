/* Shared by the files of the SBML reader: sbml.c reads compartments, species, parameters and rules,
 * sbml_events.c events, sbml_reactions.c reactions, sbml_math.c expressions, sbml_algebraic.c algebraic
 * rules. */
#ifndef LS_MODEL_SBML_PARTS_H
#define LS_MODEL_SBML_PARTS_H

#include <sbml/SBMLTypes.h>

#include "ode/model.h"

typedef struct function { /* a function definition */
  const FunctionDefinition_t *definition;
  const ls_term *body; /* with ARGUMENT leaves; NULL: not converted yet */
  bool open;           /* it is being converted */
} function;

/* Further properties of a variable. */
typedef struct symbol {
  bool species, substance_only, constant, boundary;
  bool ruled, rated;     /* determined by an assignment rule; by a rate rule */
  bool reacts;           /* a reaction changes it */
  u32 factor;            /* its conversion factor, or LS_NO_VARIABLE */
  const ls_term *change; /* its rate of change by the reactions so far; NULL: none */
} symbol;

typedef struct sbml {
  ls_ode *m;
  Model_t *model;
  u32 level, version;
  function *functions;
  u32 function_count;
  ls_names function_names;
  symbol *symbols; /* [symbol_room], by variable */
  u32 symbol_room;
  u32 line;  /* of the element whose expression is converted */
  int depth; /* nesting of the expression that is converted */
} sbml;

/* Names that are local to an element: arguments of a function, or parameters of a reaction. */
typedef struct local_names {
  const ls_names *names;
  ls_op op; /* ARGUMENT or VARIABLE */
} local_names;

/* Converts an expression. In expressions the name of a species means its concentration, unless it has only
 * substance units: then its amount. NULL: failed. */
const ls_term *sbml_term(sbml *b, const ASTNode_t *node, const local_names *local, u32 line);
/* The inverse: the quantity to store for v if its name means the value `meant` in expressions. */
const ls_term *sbml_stored(sbml *b, u32 v, const ls_term *meant);
/* The variable of an identifier. LS_EINPUT with the line if there is none. */
ls_status sbml_find(sbml *b, const char *id, u32 line, u32 *out);
/* Adds a variable, with its symbol. */
ls_status sbml_add(sbml *b, const char *id, ls_role role, u32 line, u32 *out);

ls_status sbml_reactions(sbml *b);
ls_status sbml_events(sbml *b);
ls_status sbml_algebraic(sbml *b);

#endif
