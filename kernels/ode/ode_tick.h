/* Increments the step counter, on which random numbers and the samples of the past depend. */
#include "ode/ode.h"

#define ODE_TICK_ARGS(A, W) A(INOUT, u64, clock, "6")
ARGS(ode_tick, ODE_TICK_ARGS)

VERTEX_BODY(ode_tick) {
  UNUSED_BODY;
  if (v == 0) a->clock[LS_CLOCK_STEP]++;
}
