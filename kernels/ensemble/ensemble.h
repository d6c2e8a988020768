/* Constants and macros of ensembles, that is, of many instances of one model. */
#ifndef ENSEMBLE_H
#define ENSEMBLE_H

/* Values of way[i]: how instance i continues. */
enum {
  ENSEMBLE_PLAIN,  /* by Dormand and Prince's method */
  ENSEMBLE_STIFF,  /* by RODAS4 or Radau IIA */
  ENSEMBLE_FAILED, /* not at all: it has failed, or is beyond the last live instance */
};

/* Why an instance failed: the lowest ENSEMBLE_REASON_BITS bits of a word. The other bits have the index of
 * the event or state. */
enum {
  ENSEMBLE_NEGATIVE_DELAY = 1,
  ENSEMBLE_MANY_WAIT,
  ENSEMBLE_WITHOUT_END,
  ENSEMBLE_NO_NUMBER, /* the state's rate is not a number */
  ENSEMBLE_TOO_FAST,  /* the step size became too small */
  ENSEMBLE_REASON_BITS = 3,
};

/* A flag of an event, in addition to those of ode/ode.h. */
enum { ENSEMBLE_BY_PRIORITY = 4 };

/* Distributions of random values. */
enum { ENSEMBLE_UNIFORM, ENSEMBLE_NORMAL, ENSEMBLE_LOGNORMAL };

/* x + a b and x - a b. On a GPU this is one fused instruction, with one rounding instead of two. */
#ifdef __CUDACC__
#define PLUS_PRODUCT(x, a, b) fma(a, b, x)
#define LESS_PRODUCT(x, a, b) fma(-(a), b, x)
#define ENSEMBLE_TABLE static __constant__ const /* all threads read the same element at a time */
#else
#define PLUS_PRODUCT(x, a, b) ((x) + (a) * (b))
#define LESS_PRODUCT(x, a, b) ((x) - (a) * (b))
#define ENSEMBLE_TABLE static const
#endif

#endif
