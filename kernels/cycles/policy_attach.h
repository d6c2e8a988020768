/* Makes loose vertices choose edges that lead to the root of their region, layer by layer, and computes their values at the
 * same time: policy_border, policy_connect and policy_adopt in one row (Barnat et al. 2011, connectGpi). A vertex chooses its
 * lowest edge to the previous layer. Only on CPUs: cpu/policy_attach.h. */
#include "cycles/policy.h"

#define POLICY_ATTACH_ARGS(A, W)                                                                            \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m") A(IN, W, t, "times") \
  A(VALUE, u32, timed, "1", upto, "times") A(IN, u32, roff, "n+1", offset, "m")                             \
  A(IN, u32, rto, "m", vertex, "n") A(IN, u32, region, "n", vertex, "n") A(IN, W, p, "n") A(IN, W, q, "n")  \
  A(IN, u32, rest, "n+1", vertex_queue, "n") A(INOUT, u32, policy, "n", choice, "m") A(INOUT, W, d, "n")    \
  A(INOUT, u32, layer, "n") A(OUT, u32, front, "n+1", vertex_queue, "n") A(INOUT, u32, overflow, "1")       \
  A(COUNT, u32, attached, "1")
