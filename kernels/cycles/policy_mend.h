/* After an improvement that changed few choices, recomputes the values of only those vertices whose path contains a new
 * choice; a backward search over the policy graph finds them. If there are too many of them, if a root is gone, or if a
 * new cycle has formed, the kernel gives up (mended = 0), and policy_paths has to compute all values. Only on CPUs:
 * cpu/policy_mend.h. */
#include "cycles/policy.h"

#define POLICY_MEND_ARGS(A, W)                                                                              \
  A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m") A(IN, W, t, "times")                                    \
  A(VALUE, u32, timed, "1", upto, "times") A(IN, u32, roff, "n+1", offset, "m")                             \
  A(IN, u32, rto, "m", vertex, "n") A(IN, u32, region, "n", vertex, "n") A(IN, W, p, "n") A(IN, W, q, "n")  \
  A(IN, u32, root, "n", link, "n") A(IN, u32, policy, "n", choice, "m") A(IN, u32, work, "n")               \
  A(INOUT, u32, jump, "n", vertex, "n") A(INOUT, W, d, "n") A(INOUT, W, d_next, "n") A(INOUT, u32, layer, "n") \
  A(IN, u32, front_next, "n+1", vertex_queue, "n") A(VALUE, u32, listed, "1")                               \
  A(OUT, u32, front, "n+1", vertex_queue, "n") A(INOUT, u32, overflow, "1") A(COUNT, u32, mended, "1")
