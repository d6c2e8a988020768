/* The common part of the rows that make many steps of a model in one launch (ode_steps.h for a CPU, ode_grid.h for CUDA;
 * lua/ode/translate_layout.lua).
 *
 * The variables are copied into `work`, in an order in which variables that neighbouring instances of an equation read and write
 * are adjacent: first those that no step changes, then functions, then two copies of the states. slot[p] is the place in work of
 * the variable at place p. */
#ifndef ODE_MANY_H
#define ODE_MANY_H

#include "ode/ode.h"

/* work: see ode_steps_model for its size. Records rows [row, row + made), making `steps` steps before each. team: the
 * maximum number of threads. */
#define ODE_STEPS_ARGS(A)                                                                                   \
  A(INOUT, f64, x, "vars*cells") A(IN, u32, slot, "vars") A(IN, u32, entry, "entries") A(IN, f64, factor, "factors") \
  A(INOUT, f64, work, "space") A(IN, f64, dt, "1") A(IN, u32, column, "columns", index, "vars")             \
  A(INOUT, f64, record, "columns*cells*rows") A(VALUE, u32, vars, "1") A(VALUE, u32, cells, "1")            \
  A(VALUE, u32, columns, "1") A(VALUE, u32, rows, "1") A(VALUE, u64, steps, "1") A(VALUE, u32, row, "1")    \
  A(VALUE, u32, made, "1") A(VALUE, u32, team, "1") A(COUNT, u32, lost, "1")

/* In kernels compiled at run time, `for` and `while` are macros that poll in each iteration whether to continue. These two are
 * the plain keywords: a function-like macro is not expanded if the next token is not `(`, hence ODE_NOTHING. */
#define ODE_NOTHING
#define ODE_EACH for ODE_NOTHING
#define ODE_WHILE while ODE_NOTHING

/* Barrier over all threads of the launch. */
LS_INLINE void ode_meet(ls_grid *grid) {
  if (ls_grid_arrive(grid))
    ODE_WHILE (ls_grid_waits(grid)) {
    }
  ls_grid_go_on(grid);
}

#define ODE_MEET ode_meet(p->grid);

/* The index in work of the variable at a place. other: take states from the second copy. */
#define ODE_AT(a, m, place, other) \
  (((a)->slot[place] + ((other) && (a)->slot[place] >= (m)->still + (m)->made ? (m)->states : 0)) * (u64)(a)->cells)
#endif
