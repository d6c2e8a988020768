/* Many steps of a model in one launch on a CPU: the common part of the kernels that b:steps_text generates
 * (lua/ode/translate_steps.lua).
 *
 * All threads go through a step together: each has its part of every equation's instances (or, if there are many cells, its part
 * of the cells), and there is a barrier wherever a phase may read what another thread computed. The operations of an instance
 * are those of the rows that b:translate generates, in the same order. */
#ifndef ODE_STEPS_H
#define ODE_STEPS_H

#include "ode/ode_many.h"

/* The data of one thread. */
typedef struct ode_part {
  const f64 *still; /* variables that no step changes */
  f64 *made;        /* functions */
  const f64 *from;  /* states */
  f64 *to;          /* Euler: states one step later; RK4: rates */
  const u32 *entry; /* places of the operands of instances whose operands are not adjacent */
  const f64 *factor;
  f64 h;            /* length of a step */
  u32 cells;
  ls_grid *grid; /* this thread among all threads of the launch */
} ode_part;

/* Of n items this thread handles [ode_first, ode_last). Fewer than 64 items are not divided: one thread, selected by `turn`,
 * handles all of them. */
LS_INLINE u32 ode_first(const ode_part *p, u32 n, u32 turn) {
  if (p->grid->all == 1) return 0;
  if (n < 64) return turn % p->grid->all == p->grid->me ? 0 : n;
  return p->grid->me == 0 ? 0 : (u32)((u64)n * p->grid->me / p->grid->all) & ~7u;
}
LS_INLINE u32 ode_last(const ode_part *p, u32 n) {
  return n < 64 || p->grid->me + 1 == p->grid->all ? n : (u32)((u64)n * (p->grid->me + 1) / p->grid->all) & ~7u;
}

/* A loop over vectors of eight numbers, if the processor has them: takes two thirds of the time of vectors of four. */
#define ODE_LANES _Pragma("omp simd simdlen(8)") for ODE_NOTHING

typedef struct ode_steps_model {
  u64 still, made, states; /* numbers of unchanging variables, functions, states. Size of work: still + made + 2*states; with RK4, 3*states more */
  bool timed;              /* is the last state time? */
  bool rk4;
  void (*phases)(const ode_part *p), (*rates)(const ode_part *p);
} ode_steps_model;

/* Computes the states of the next stage from the rates in p->to, as ode_state in ode.h does. */
LS_INLINE void ode_rk4_stage(const ode_steps_model *m, const ode_part *p, f64 *next, f64 *begin, u32 stage) {
  const u32 all = (u32)m->states * p->cells, n = all - (m->timed ? p->cells : 0);
  const u32 first = ode_first(p, n, 0), last = ode_last(p, n);
  const f64 *x = p->from, *rate = p->to, h = p->h, length = stage == 2 ? h : h / 2;
  f64 *sum = begin + all;
  if (stage == 0) {
    ODE_LANES (u64 i = first; i < last; i++) begin[i] = x[i], sum[i] = rate[i], next[i] = x[i] + length * rate[i];
  } else if (stage < 3) {
    ODE_LANES (u64 i = first; i < last; i++) sum[i] += 2 * rate[i], next[i] = begin[i] + length * rate[i];
  } else {
    ODE_LANES (u64 i = first; i < last; i++) next[i] = begin[i] + h * (sum[i] + rate[i]) / 6;
  }
  if (p->grid->me != 0) return;
  ODE_EACH (u32 i = n; i < all; i++) { /* time */
    if (stage == 0) begin[i] = x[i];
    next[i] = begin[i] + (stage < 2 ? h / 2 : h);
  }
}

/* One thread's part of all steps of all rows. states: pointers to the two copies of the states. */
#define ODE_STEPS_TEAM(a, m, part, states, begin)                                                           \
  u64 other = 0;                                                                                            \
  ODE_EACH (u32 ode_row = 0; ode_row < (a)->made; ode_row++) {                                              \
    ODE_EACH (u64 ode_step = 0; ode_step < (a)->steps; ode_step++) {                                        \
      ODE_EACH (u32 stage = 0; stage < ((m)->rk4 ? 4 : 1); stage++, other ^= 1) {                           \
        part.from = states[other];                                                                          \
        part.to = (m)->rk4 ? begin + 2 * (m)->states * part.cells : states[other ^ 1];                      \
        (m)->rates(&part);                                                                                  \
        if ((m)->rk4) {                                                                                     \
          ode_meet(&grid);                                                                                  \
          ode_rk4_stage(m, &part, states[other ^ 1], begin, stage);                                         \
        }                                                                                                   \
        ode_meet(&grid);                                                                                    \
        part.from = states[other ^ 1];                                                                      \
        (m)->phases(&part);                                                                                 \
      }                                                                                                     \
    }                                                                                                       \
    if (grid.me == 0) {                                                                                     \
      ODE_EACH (u64 i = 0; i < (u64)(a)->columns * part.cells; i++)                                         \
        (a)->record[i * (a)->rows + (a)->row + ode_row] =                                                   \
            (a)->work[ODE_AT(a, m, (a)->column[i / part.cells], other) + i % part.cells];                   \
    }                                                                                                       \
    ode_meet(&grid);                                                                                        \
  }

LS_INLINE u32 ode_count_finite(const f64 *x, u64 n) {
  u32 finite = 0;
  ODE_EACH (u64 i = 0; i < n; i++) finite += isfinite(x[i]) != 0;
  return finite;
}

/* The body of a generated kernel. A state that is not finite never becomes finite again, so such states are counted only at the end. */
#define ODE_STEPS(L, a, count, m)                                                                           \
  const u64 states_all = (m)->states * (a)->cells;                                                          \
  f64 *const first_state = (a)->work + ((m)->still + (m)->made) * (a)->cells;                               \
  f64 *const states[2] = {first_state, first_state + states_all}, *const begin = states[1] + states_all;    \
  ODE_EACH (u32 i = 0; i < (a)->vars; i++)                                                                  \
    memcpy((a)->work + ODE_AT(a, m, i, 0), (a)->x + (u64)i * (a)->cells, (a)->cells * sizeof(f64));         \
  const u32 finite = ode_count_finite(states[0], states_all);                                               \
  u64 last = 0;                                                                                             \
  ls_meeting meeting = {0};                                                                                 \
  const int ode_team = (L)->serial || (L)->threads < 2 || (a)->team < 2 ? 1                                 \
                       : (u32)(L)->threads < (a)->team ? (L)->threads : (int)(a)->team;                     \
  _Pragma("omp parallel num_threads(ode_team)") {                                                           \
    ls_grid grid = {ls_me_now(), (u32)ls_team_now(), 0, 0, &meeting};                                       \
    ode_part part = {.still = (a)->work, .made = (a)->work + (m)->still * (a)->cells, .entry = (a)->entry,  \
                     .factor = (a)->factor, .h = (a)->dt[0], .cells = (a)->cells, .grid = &grid};           \
    ODE_STEPS_TEAM(a, m, part, states, begin)                                                               \
    if (grid.me == 0) last = other;                                                                         \
  }                                                                                                         \
  (count)->lost += finite - ode_count_finite(states[last], states_all);                                     \
  ODE_EACH (u32 i = 0; i < (a)->vars; i++)                                                                  \
    memcpy((a)->x + (u64)i * (a)->cells, (a)->work + ODE_AT(a, m, i, last), (a)->cells * sizeof(f64));      \
  return LS_OK;
#endif
