/* Expressions and equations as text for a terminal. */
#ifndef LS_ODE_PRINT_EQUATION_H
#define LS_ODE_PRINT_EQUATION_H

#include "ode/model.h"

/* "d V/dt = -(I_Na + I_K)/C" on one line, cut with "..." if it does not fit. */
void ls_ode_equation_text(const ls_ode *m, u32 v, char *out, size_t bytes);

/* The same on several lines, of at most `width` columns if possible, with the unit and the initial value of a
 * state. Each case of a piecewise definition has its own line. v may also be a parameter or a constant. *out
 * is from ls_malloc. */
ls_status ls_ode_pretty(const ls_ode *m, u32 v, u32 width, char **out);

/* The shortest decimal number that is read as x: "0.1", "-1e-07", "nan". At most 31 bytes. */
void ls_ode_number_text(f64 x, char out[32]);

#endif
