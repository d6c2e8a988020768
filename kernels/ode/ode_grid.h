/* Many steps of a model in one launch on CUDA: the common part of the kernels that b:grid_text generates
 * (lua/ode/translate_grid.lua).
 *
 * All threads of the grid are resident and go through all steps together. A phase has one thread per instance of an equation (or
 * a thread handles several, one after another). There is a barrier wherever a phase may read what another thread computed: one
 * per phase, and one after the states, of which there are two copies. The operations of an instance are those of the rows that
 * b:translate generates, in the same order. These kernels also run on a CPU, with fewer threads. */
#ifndef ODE_GRID_H
#define ODE_GRID_H

#include "ode/ode_many.h"

/* The data of one thread. The pointers are not __restrict__: other threads write these arrays, so they must not be read through
 * the read-only cache. */
typedef struct ode_point {
  const f64 *still; /* variables that no step changes */
  f64 *made;        /* functions */
  const f64 *from;  /* states */
  f64 *to;          /* states one step or stage later */
  const u32 *entry; /* places of the operands of instances whose operands are not adjacent */
  const f64 *factor;
  ode_target target; /* how to get from a rate to the next state */
  ls_grid *grid;
} ode_point;

/* A loop over the `count` logical threads t of a phase, distributed over the threads of the grid. */
#define ODE_EACH_THREAD(t, count) ODE_EACH (u32 t = p->grid->me; t < (count); t += p->grid->all)

typedef struct ode_grid_model {
  u64 still, made, states; /* numbers of unchanging variables, functions, states. Size of work: still + made + 2*states; with RK4, 2*states more */
  bool timed;              /* is the last state time? */
  bool rk4;
} ode_grid_model;

/* The body of a generated kernel. A state that is not finite never becomes finite again, so such states are counted only at the end. */
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
    /* no barrier: a thread that is ahead writes only the other copy of the states, and functions only after the next barrier */ \
    ODE_EACH (u64 i = (grid)->me; i < (a)->columns * cells; i += (grid)->all)                                                   \
      (a)->record[i * (a)->rows + (a)->row + ode_row] = (a)->work[ODE_AT(a, m, (a)->column[i / cells], other) + i % cells];     \
  }                                                                                                                             \
  ODE_EACH (u64 i = (grid)->me; i < (a)->vars * cells; i += (grid)->all) {                                                      \
    const f64 was = (a)->x[i], is = (a)->work[ODE_AT(a, m, i / cells, other) + i % cells];                                      \
    if ((a)->slot[i / cells] >= (m)->still + (m)->made && isfinite(was) && !isfinite(is)) ++(count)->lost;                      \
    (a)->x[i] = is;                                                                                                             \
  }
#endif
