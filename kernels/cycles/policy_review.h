/* policy_improve after policy_mend, only for the predecessors of the mended vertices, which `front` lists: the values
 * that all other vertices compare have not changed. Lists the improved vertices in `front_next`. Only on CPUs:
 * cpu/policy_review.h. */
#include "cycles/policy.h"

#define POLICY_REVIEW_ARGS(A, W)                                                                            \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                     \
  A(IN, W, t, "times") A(VALUE, u32, timed, "1", upto, "times") A(IN, u32, region, "n", vertex, "n")        \
  A(IN, W, p, "n") A(IN, W, q, "n") A(IN, W, d, "n") A(IN, W, slack, "1") A(IN, u32, crown, "n")            \
  A(IN, u32, work, "n") A(IN, u32, attained, "1") A(INOUT, u32, work_next, "n") A(INOUT, u32, root, "n", link, "n") \
  A(INOUT, u32, best, "n", vote, "n") A(INOUT, u32, policy, "n", choice, "m")                               \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n") A(INOUT, u32, layer, "n")          \
  A(IN, u32, front, "n+1", vertex_queue, "n") A(OUT, u32, front_next, "n+1", vertex_queue, "n")             \
  A(COUNT, u32, improved, "1")
