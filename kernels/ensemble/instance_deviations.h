/* Computes (x - mean)^power for power 1 or 2; 0 for NaN. With mean = 0 and power = 1 it only replaces NaNs. */
#include "language/kernel.h"

#define INSTANCE_DEVIATIONS_ARGS(A, W)                                                                      \
  A(IN, f64, x, "instances") A(OUT, f64, deviation, "instances") A(IN, f64, mean, "1") A(VALUE, u32, power, "1")
ARGS(instance_deviations, INSTANCE_DEVIATIONS_ARGS)

VERTEX_BODY(instance_deviations) {
  UNUSED_BODY;
  const f64 x = a->x[v], d = x - a->mean[0];
  a->deviation[v] = x != x ? 0 : a->power == 1 ? d : d * d;
}
