/* policy_improve where it can still find something after policy_mend: at the predecessors of what was mended, which
 * front lists. The others have seen the same values before. Lists in front_next who improved. A LIBRARY row of the CPU
 * alone: policy_review.c. */
#include "policy/policy.h"

#define POLICY_REVIEW_ARGS(A, W)                                                                            \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                     \
  A(IN, W, t, "times") A(VALUE, u32, timed, "1", upto, "times") A(IN, u32, region, "n", vertex, "n")        \
  A(IN, W, p, "n") A(IN, W, q, "n") A(IN, W, d, "n") A(IN, W, slack, "1") A(IN, u32, crown, "n")            \
  A(IN, u32, work, "n") A(IN, u32, attained, "1") A(INOUT, u32, work_next, "n") A(INOUT, u32, root, "n", link, "n") \
  A(INOUT, u32, best, "n", vote, "n") A(INOUT, u32, policy, "n", choice, "m")                               \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n") A(INOUT, u32, layer, "n")          \
  A(IN, u32, front, "n+1", vertex_queue, "n") A(OUT, u32, front_next, "n+1", vertex_queue, "n")             \
  A(COUNT, u32, improved, "1")
