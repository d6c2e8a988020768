/* What the kernels of an ensemble are written in. Their text is generated from a model's equations
 * (lua/ensemble/ensemble_kernels.lua): it defines the sizes and the functions of the model, then includes
 * bodies of this folder. It defines
 *
 *   ENSEMBLE_ROW(what)       the name of a row, as in ENSEMBLE_ROW(record)
 *   STATES, VARIED           the number of states of an instance, and of its other values, at least 1
 *   EACH_STATE(...)          the statements for each state k, where k is a constant, so that a compiler can
 *                            keep states in registers; a loop over k if there are many states
 *   EACH_VARIED(...)         the same for the other values
 *   model_rates(t, p, y, rate)  computes the rates of the states
 *
 * and what a body says at its beginning. In a body i is the instance. */
#ifndef ENSEMBLE_UNIT_H
#define ENSEMBLE_UNIT_H

#include "ensemble/ensemble.h"
#include "language/kernel.h"
#include "ode/ode.h"

/* The statements for one k, which is a constant. */
#define ENSEMBLE_AT(number, ...)                                                                             \
  {                                                                                                          \
    enum { k = number };                                                                                     \
    __VA_ARGS__                                                                                              \
  }

/* As ARGS, for a row whose name is a macro. */
#define ARGS_OF(name, ARGS_MACRO) ARGS(name, ARGS_MACRO)

/* Value k of instance i. */
#define OF_INSTANCE(array, k) array[(u64)(k)*a->instances + i]
/* Sets y and p to the values of instance i. */
#define LOAD_INSTANCE                                                                                        \
  EACH_STATE(y[k] = OF_INSTANCE(a->y, k);)                                                                   \
  EACH_VARIED(p[k] = OF_INSTANCE(a->p, k);)

#endif
