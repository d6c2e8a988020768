/* Content MathML to terms. Unknown operators are LS_EINPUT with file, line and name. */
#ifndef LS_MODEL_MATHML_H
#define LS_MODEL_MATHML_H

#include "model/ode/xml.h"

typedef struct ls_mathml {
  ls_ode *m;
  /* What a ci stands for; NULL with the message set where it is nothing. */
  const ls_term *(*name)(void *ctx, const char *name, const xmlNode *n);
  /* What a csymbol of that text, or a ci that is applied, stands for with these arguments; NULL with the
   * message set. May itself be NULL: there are none. */
  const ls_term *(*symbol)(void *ctx, const char *text, const xmlNode *n, u32 count,
                           const ls_term *const *arg);
  void *ctx;
  bool near; /* eq is NEAR */
} ls_mathml;

/* LS_EINPUT: a function of that name is none of the known ones; with file, line, the nearest of these, and
 * what to do. */
ls_status ls_mathml_unknown(ls_ode *m, const xmlNode *n, const char *name, const char *const *known,
                            size_t count);

/* The term of one element: apply, ci, cn, piecewise, a constant. `math` itself gives the term in it. NULL:
 * failed. */
const ls_term *ls_mathml_term(const ls_mathml *c, const xmlNode *n);

/* The equation in `math` or `apply`: eq of a name, of diff by time, or of something times that, and a term.
 * `rate`: it is diff. */
typedef struct ls_equation {
  const char *left;
  const xmlNode *right;  /* its element, for ls_mathml_term */
  const xmlNode *factor; /* what stands before diff on the left; NULL: nothing */
  bool rate;
  const char *by; /* the variable that diff is by; NULL: not told */
  u32 line;
} ls_equation;
ls_status ls_mathml_equation(ls_ode *m, const xmlNode *n, ls_equation *out);
/* What the variable or its derivative is: the right side, divided by the factor on the left. NULL: failed. */
const ls_term *ls_mathml_right(const ls_mathml *c, const ls_equation *e);

#endif
