/* Converts content MathML to terms. Unknown operators are LS_EINPUT with file, line and name. */
#ifndef LS_MODEL_MATHML_H
#define LS_MODEL_MATHML_H

#include "model/ode/xml.h"

typedef struct ls_mathml {
  ls_ode *m;
  /* The term for a <ci>; NULL, with the message set, if the name is unknown. */
  const ls_term *(*name)(void *ctx, const char *name, const xmlNode *n);
  /* The term for a <csymbol> with that text, or for an applied <ci>, with these arguments; NULL, with the
   * message set, on failure. The pointer is NULL if the format has no such symbols. */
  const ls_term *(*symbol)(void *ctx, const char *text, const xmlNode *n, u32 count,
                           const ls_term *const *arg);
  void *ctx;
  bool near; /* <eq> becomes the operator NEAR */
} ls_mathml;

/* Fails with LS_EINPUT because a function is unknown: the message has file, line, the nearest of the known
 * names, and what to do. */
ls_status ls_mathml_unknown(ls_ode *m, const xmlNode *n, const char *name, const char *const *known,
                            size_t count);

/* The term of an element: <apply>, <ci>, <cn>, <piecewise>, a constant; for <math>, the term in it. NULL:
 * failed. */
const ls_term *ls_mathml_term(const ls_mathml *c, const xmlNode *n);

/* An equation, from a <math> or <apply> element that contains <eq/>. Its left side is a variable, the
 * derivative of a variable (<diff/>), or a factor times the derivative. */
typedef struct ls_equation {
  const char *left;      /* name of the variable */
  const xmlNode *right;  /* element of the right side, for ls_mathml_term */
  const xmlNode *factor; /* factor of the derivative; NULL: none */
  bool rate;             /* the left side is a derivative */
  const char *by;        /* the variable of differentiation; NULL if not `rate` */
  u32 line;
} ls_equation;
ls_status ls_mathml_equation(ls_ode *m, const xmlNode *n, ls_equation *out);
/* The value of the variable or its derivative: the right side, divided by the factor. NULL: failed. */
const ls_term *ls_mathml_right(const ls_mathml *c, const ls_equation *e);

#endif
