/* Ensembles: many instances of one model. */
#ifndef ENSEMBLE_H
#define ENSEMBLE_H

/* What an instance's entry in `way` says of it. */
enum {
  ENSEMBLE_PLAIN,  /* it goes on by Dormand and Prince's method */
  ENSEMBLE_STIFF,  /* by RODAS4, or by Radau IIA */
  ENSEMBLE_FAILED, /* it does not go on: its step became too small */
};

/* Why events of an instance came to no end, in `fault`; and a flag of an event beside those of ode/ode.h. */
enum { ENSEMBLE_NEGATIVE_DELAY = 1, ENSEMBLE_MANY_WAIT, ENSEMBLE_WITHOUT_END, ENSEMBLE_BY_PRIORITY = 4 };

/* Distributions that a value is drawn from. */
enum { ENSEMBLE_UNIFORM, ENSEMBLE_NORMAL, ENSEMBLE_LOGNORMAL };

#endif
