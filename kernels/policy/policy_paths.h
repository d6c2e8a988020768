/* A policy's cycles, lambda and values on a CPU, every path walked once: Barnat et al. 2011, Algorithm 3 lines 5 to 10
 * and 14, as one thread would do it. Pointer doubling is for as many threads as there are vertices; a few do less by
 * walking, and two that meet the same path at the same time write the same. Leaves what the steps by doubling leave:
 * layer 0 where a path comes to its region's root, UNREACHED elsewhere; such vertices are listed in rest. Regions that
 * are finished stay as they are; optimum is kept up to date. A LIBRARY row of the CPU alone: cpu/policy_paths.h. */
#include "policy/policy.h"

#define POLICY_PATHS_ARGS(A, W)                                                                             \
  A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m") A(IN, W, t, "times")                                    \
  A(VALUE, u32, timed, "1", upto, "times") A(IN, u32, region, "n", vertex, "n")                             \
  A(IN, u32, work, "n") A(IN, u32, policy, "n", choice, "m") A(INOUT, W, p, "n") A(INOUT, W, q, "n")        \
  A(INOUT, u32, root, "n", link, "n") A(INOUT, u32, best, "n", vote, "n") A(INOUT, u32, crown, "n")         \
  A(INOUT, u32, seen, "n") A(INOUT, W, cost, "n") A(INOUT, W, time, "n")                                    \
  A(INOUT, u32, jump, "n", vertex, "n") A(INOUT, W, d, "n") A(OUT, W, d_next, "n") A(INOUT, u32, layer, "n")  \
  A(OUT, u32, cycle, "n+1", vertex_queue, "n") A(OUT, u32, rest, "n+1", vertex_queue, "n")                  \
  A(INOUT, u32, optimum, "1", vote, "n") A(INOUT, u32, overflow, "1") A(IN, W, bound, "1")                  \
  A(INOUT, u32, attained, "1") A(COUNT, u32, cycles, "1") A(COUNT, u32, loose, "1")
