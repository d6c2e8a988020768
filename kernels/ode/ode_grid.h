/* Many steps of a model at once on CUDA: what the texts that b:grid_text makes have in common (lua/translate_grid.lua).
 *
 * All threads of the grid are there at the same time, and go through all steps together. A phase has a thread for each instance
 * of an equation (or each has several in turn); they meet where a phase may read what another thread computed, once a phase and
 * once after the states, of which there are two copies. The operations of an instance are those of the rows that b:translate
 * makes, in their order. It runs on a CPU too, where there are fewer threads. */
#ifndef ODE_GRID_H
#define ODE_GRID_H

#include "ode/ode_many.h"

/* What a thread knows. What other threads write is read by pointers that may be of the same array: not by way of a cache for
 * what never changes. */
typedef struct ode_point {
  const f64 *still; /* what no step changes */
  f64 *made;        /* functions */
  const f64 *from;  /* states */
  f64 *to;          /* states one step, or a stage, later */
  const u32 *entry; /* where instances that are not neighbours have their operands */
  const f64 *factor;
  ode_target target; /* how a rate leads to the next state */
  ls_grid *grid;
} ode_point;

/* Threads of a phase: t of `count`. */
#define ODE_EACH_THREAD(t, count) ODE_EACH (u32 t = p->grid->me; t < (count); t += p->grid->all)

typedef struct ode_grid_model {
  u64 still, made, states; /* how many of each. work has room for still + made + 2*states, RK4 for 2*states more */
  bool timed;              /* is the last state time? */
  bool rk4;
} ode_grid_model;

/* The body of such a row. A state that is finite no more stays so: it is counted at the end. */
#define ODE_GRID(a, count, grid, m, phases, rates)                                                                              \
  const u64 cells = (a)->cells, all = (m)->states * cells;                                                                      \
  f64 *const states = (a)->work + ((m)->still + (m)->made) * cells;                                                             \
  ode_point point = {.still = (a)->work, .made = (a)->work + (m)->still * cells, .entry = (a)->entry, .factor = (a)->factor,    \
                     .target = {.kind = (m)->rk4 ? ODE_RK4 : ODE_EULER, .h = (a)->dt[0], .begin = states + 2 * all,             \
                                .rate = states + 3 * all, .time = all - ((m)->timed ? cells : 0)},                              \
                     .grid = (grid)};                                                                                           \
  u64 other = 0;                                                                                                                \
  ODE_EACH (u64 i = (grid)->me; i < (a)->vars * cells; i += (grid)->all)                                                        \
    (a)->work[ODE_AT(a, m, i / cells, 0) + i % cells] = (a)->x[i];                                                              \
  ode_meet(grid);                                                                                                               \
  ODE_EACH (u32 ode_row = 0; ode_row < (a)->made; ode_row++) {                                                                  \
    ODE_EACH (u64 ode_step = 0; ode_step < (a)->steps; ode_step++) {                                                            \
      ODE_EACH (u32 stage = 0; stage < ((m)->rk4 ? 4 : 1); stage++) {                                                           \
        point.from = states + other * all, point.to = states + (other ^ 1) * all;                                               \
        point.target.stage = stage;                                                                                             \
        rates(&point);                                                                                                          \
        ode_meet(grid);                                                                                                         \
        other ^= 1;                                                                                                             \
        point.from = states + other * all;                                                                                      \
        phases(&point);                                                                                                         \
      }                                                                                                                         \
    }                                                                                                                           \
    /* who is ahead writes the other copy of the states, and no function before all have met */                                 \
    ODE_EACH (u64 i = (grid)->me; i < (a)->columns * cells; i += (grid)->all)                                                   \
      (a)->record[i * (a)->rows + (a)->row + ode_row] = (a)->work[ODE_AT(a, m, (a)->column[i / cells], other) + i % cells];     \
  }                                                                                                                             \
  ODE_EACH (u64 i = (grid)->me; i < (a)->vars * cells; i += (grid)->all) {                                                      \
    const f64 was = (a)->x[i], is = (a)->work[ODE_AT(a, m, i / cells, other) + i % cells];                                      \
    if ((a)->slot[i / cells] >= (m)->still + (m)->made && isfinite(was) && !isfinite(is)) ++(count)->lost;                      \
    (a)->x[i] = is;                                                                                                             \
  }
#endif
