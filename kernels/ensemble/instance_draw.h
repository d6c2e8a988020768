/* Draws one random number per instance, which depends only on the seed, the stream and the instance's index. The generator is
 * splitmix64 (Steele, Lea and Flood 2014); normal numbers are made by the method of Box and Muller (1958). */
#include "core/counter_random.h"
#include "ensemble/ensemble.h"
#include "language/kernel.h"

#define INSTANCE_DRAW_ARGS(A, W)                                                                            \
  A(OUT, f64, x, "instances") A(IN, f64, bounds, "2") A(IN, u64, seed, "1") A(VALUE, u32, stream, "1")      \
  A(VALUE, u32, distribution, "1")
ARGS(instance_draw, INSTANCE_DRAW_ARGS)

/* The next number of a stream, in [0, 1). */
LS_INLINE f64 instance_random(u64 *state) {
  return (f64)(ls_mix(*state += 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
}

VERTEX_BODY(instance_draw) {
  UNUSED_BODY;
  /* the seed's factor differs from the generator's increment; otherwise consecutive seeds would share most of their numbers */
  u64 state = a->seed[0] * 0xd1342543de82ef95u + v * 0xbf58476d1ce4e5b9u + a->stream * 0x94d049bb133111ebu;
  const f64 low = a->bounds[0], high = a->bounds[1], u = instance_random(&state), w = instance_random(&state);
  const f64 standard = sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * w);
  f64 x = low + (high - low) * u;
  if (a->distribution == ENSEMBLE_NORMAL) x = low + high * standard;
  if (a->distribution == ENSEMBLE_LOGNORMAL) x = exp(low + high * standard);
  a->x[v] = x;
}
