/* Expressions and equations as mathematics that can be read in a terminal. */
#ifndef LS_MODEL_TEXT_H
#define LS_MODEL_TEXT_H

#include "model/ode/ode.h"

/* "d V/dt = -(I_Na + I_K)/C" on one line, cut with "..." where it does not fit. */
void ls_ode_equation_text(const ls_ode *m, u32 v, char *out, size_t bytes);

/* The same on lines of at most `width` columns where that is possible, a piece of a definition by cases on a
 * line of its own, and the unit. What a parameter or constant is, too. *out is from ls_malloc. */
ls_status ls_ode_pretty(const ls_ode *m, u32 v, u32 width, char **out);

/* The shortest decimals that are x: "0.1", "-1e-07", "nan". At most 31 bytes. */
void ls_ode_number_text(f64 x, char out[32]);

#endif
