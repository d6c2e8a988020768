/* What the rows that make many steps of a model at once have in common (ode_steps.h for a CPU, ode_grid.h for CUDA; lua/translate_layout.lua).
 *
 * The variables are moved into `work`, where those that neighbouring instances of an equation read and write are neighbours:
 * first what no step changes, then functions, then states, twice. slot[p] is the place in work of the variable at place p. */
#ifndef ODE_MANY_H
#define ODE_MANY_H

#include "ode/ode.h"

/* work: see ode_steps_model. Rows row .. row + made - 1 of the record are made, `steps` steps before each, by `team` threads. */
#define ODE_STEPS_ARGS(A)                                                                                   \
  A(INOUT, f64, x, "vars*cells") A(IN, u32, slot, "vars") A(IN, u32, entry, "entries") A(IN, f64, factor, "factors") \
  A(INOUT, f64, work, "space") A(IN, f64, dt, "1") A(IN, u32, column, "columns", index, "vars")             \
  A(INOUT, f64, record, "columns*cells*rows") A(VALUE, u32, vars, "1") A(VALUE, u32, cells, "1")            \
  A(VALUE, u32, columns, "1") A(VALUE, u32, rows, "1") A(VALUE, u64, steps, "1") A(VALUE, u32, row, "1")    \
  A(VALUE, u32, made, "1") A(VALUE, u32, team, "1") A(COUNT, u32, lost, "1")

/* `for` of this text: a text that is compiled while the program runs has a macro of this name, which asks at every turn
 * whether to go on. What is between the two is no `(`, so that it is not expanded. */
#define ODE_NOTHING
#define ODE_EACH for ODE_NOTHING
#define ODE_WHILE while ODE_NOTHING

/* A thread waits here until all of its team are here. */
LS_INLINE void ode_meet(ls_grid *grid) {
  if (ls_grid_arrive(grid))
    ODE_WHILE (ls_grid_waits(grid)) {
    }
  ls_grid_go_on(grid);
}

#define ODE_MEET ode_meet(p->grid);

/* Where in work the variable at a place is; other: the states are those of the second copy. */
#define ODE_AT(a, m, place, other) \
  (((a)->slot[place] + ((other) && (a)->slot[place] >= (m)->still + (m)->made ? (m)->states : 0)) * (u64)(a)->cells)
#endif
