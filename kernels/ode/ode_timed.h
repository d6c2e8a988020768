/* Instructions whose value depends not only on their operands: past values of a variable, and random numbers. A random number
 * is a hash of the seed, the operator's stream and the step (core/counter_random.h), so that all engines get the same ones. */
#ifndef ODE_TIMED_H
#define ODE_TIMED_H

#include "ode/timed.h"

/* Samples of delayed variables: past[(sample*delayed + column)*cells + cell] is the value at time past_time[sample]. */
#define ODE_TIMED_ARGS(A)                                                                                   \
  A(IN, u64, clock, "6") A(IN, f64, past_time, "kept") A(IN, f64, past, "kept*delayed*cells")              \
  A(VALUE, u32, kept, "1") A(VALUE, u32, delayed, "1")

typedef struct ode_moment {
  const u64 *clock;
  const f64 *past_time, *past;
  u32 kept, delayed;
  u32 late; /* ignore this many of the newest samples */
} ode_moment;

/* --- the past -------------------------------------------------------------------------------------------- */

/* The value of a variable at time t - tau. now: its current value; t: the current time. */
LS_CODE_CALL f64 ode_delayed(const ode_moment *m, u32 cells, u32 cell, u32 column, f64 now, f64 t, f64 tau) {
  u64 samples = m->clock[LS_CLOCK_BEFORE] + m->clock[LS_CLOCK_STEP];
  samples = samples > m->late ? samples - m->late : 0;
  if (samples > m->kept) samples = m->kept;
  if (!samples || column >= m->delayed) return now;
  const ls_samples past = {m->past_time, m->past + (u64)column * cells + cell, samples, (u64)m->delayed * cells,
                           m->clock[LS_CLOCK_NEAREST] != 0};
  return ls_sampled(&past, t - tau, t, now);
}

/* --- draws ----------------------------------------------------------------------------------------------- */

/* A number in [0, n) from a 64-bit draw: the upper half of the product draw * n. */
LS_INLINE u64 ode_below(u64 draw, u32 n) { return ((draw >> 32) * n + ((draw & 0xffffffffu) * n >> 32)) >> 32; }
/* Each cell has its own seed; the seed of the first cell is that of a model with one cell. */
LS_INLINE u64 ode_seed(const u64 *clock, u32 cell) {
  return cell ? ls_mix(clock[LS_CLOCK_SEED] + cell) : clock[LS_CLOCK_SEED];
}

/* A random number. stream: ls_op * 2^32 + the operator's stream; x, y: parameters of the distribution. */
LS_INLINE f64 ode_draw(const ode_moment *m, u32 cell, u32 op, f64 stream, f64 x, f64 y) {
  const u64 use = (u64)stream;
  union {
    u64 bits;
    f64 value;
  } dt = {m->clock[LS_CLOCK_DT]};
  return ls_drawn(op, ode_seed(m->clock, cell), use >> 32, (u32)use, m->clock[LS_CLOCK_STEP], dt.value, x, y);
}

/* Executes an instruction of this file. x, y, z: its operands in the order in which they were pushed; t: the current time. */
LS_INLINE f64 ode_timed(const ode_moment *m, u32 cells, u32 cell, f64 t, u32 op, f64 x, f64 y, f64 z) {
  if (op == LS_CODE_DELAY) return ode_delayed(m, cells, cell, (u32)x, y, t, z);
  return ode_draw(m, cell, op, x, y, z);
}
LS_INLINE u32 ode_timed_operands(u32 op) {
  return op == LS_CODE_WIENER ? 1 : op == LS_CODE_EXPONENTIAL || op == LS_CODE_POISSON ? 2 : 3;
}
#endif
