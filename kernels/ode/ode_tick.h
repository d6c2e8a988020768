/* One step more is made: what random numbers and the past are counted by. */
#include "ode/ode.h"

#define ODE_TICK_ARGS(A, W) A(INOUT, u64, clock, "6")
ARGS(ode_tick, ODE_TICK_ARGS)

VERTEX_BODY(ode_tick) {
  UNUSED_BODY;
  if (v == 0) a->clock[LS_CLOCK_STEP]++;
}
