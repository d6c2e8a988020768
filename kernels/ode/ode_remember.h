/* Stores a sample of the variables whose past is used (delays), one thread per value: the sample of the step that was just made
 * or, before the first step, the last of the initial samples. */
#include "ode/ode.h"

#define ODE_REMEMBER_ARGS(A, W)                                                                             \
  A(IN, f64, x, "vars*cells") A(IN, u64, clock, "6") A(IN, u32, past_of, "delayed", index, "vars")          \
  A(INOUT, f64, past_time, "kept") A(INOUT, f64, past, "kept*delayed*cells") A(VALUE, u32, kept, "1")       \
  A(VALUE, u32, delayed, "1") A(VALUE, u32, vars, "1") A(VALUE, u32, cells, "1")
ARGS(ode_remember, ODE_REMEMBER_ARGS)

VERTEX_BODY(ode_remember) {
  UNUSED_BODY;
  const u64 samples = a->clock[LS_CLOCK_BEFORE] + a->clock[LS_CLOCK_STEP];
  if (!samples || samples > a->kept) return;
  if (v == 0) a->past_time[samples - 1] = a->x[(u64)(a->vars - 1) * a->cells];
  a->past[(samples - 1) * a->delayed * a->cells + v] = a->x[(u64)a->past_of[v / a->cells] * a->cells + v % a->cells];
}
