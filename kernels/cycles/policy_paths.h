/* Computes cycles, lambda and values of the current policy on a CPU, in one pass over all paths: Barnat et al. 2011,
 * Algorithm 3 lines 5 to 10, 12 and 14. Pointer doubling needs one thread per vertex to be fast; a few threads do
 * less work if they follow paths vertex by vertex. Two threads on the same path write the same values. The result is
 * the same as by pointer doubling: `layer` is 0 for vertices whose path arrives and UNREACHED for others, `rest`
 * lists the loose vertices, and `optimum` is set. Finished regions are left unchanged. Only on CPUs:
 * cpu/policy_paths.h. */
#include "cycles/policy.h"

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
