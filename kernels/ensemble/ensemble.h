/* Ensembles: many instances of one model. */
#ifndef ENSEMBLE_H
#define ENSEMBLE_H

/* What an instance's entry in `way` says of it. */
enum {
  ENSEMBLE_PLAIN,  /* it goes on by Dormand and Prince's method */
  ENSEMBLE_STIFF,  /* by RODAS4, or by Radau IIA */
  ENSEMBLE_FAILED, /* it does not go on: its step became too small */
};

/* Why an instance failed, in the low bits of a word; above them the number of the event, or of the state. */
enum {
  ENSEMBLE_NEGATIVE_DELAY = 1,
  ENSEMBLE_MANY_WAIT,
  ENSEMBLE_WITHOUT_END,
  ENSEMBLE_NO_NUMBER, /* the state's rate is not a number */
  ENSEMBLE_TOO_FAST,  /* no step is short enough for it */
  ENSEMBLE_REASON_BITS = 3,
};

/* A flag of an event beside those of ode/ode.h. */
enum { ENSEMBLE_BY_PRIORITY = 4 };

/* Distributions that a value is drawn from. */
enum { ENSEMBLE_UNIFORM, ENSEMBLE_NORMAL, ENSEMBLE_LOGNORMAL };

/* What a method computes of its own arrays: x + a b and x - a b. On a GPU it is one instruction in place of two, with one rounding. */
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
