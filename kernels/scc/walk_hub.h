/* A pivot that is likely to lie in the giant component. Short random walks lead where many paths lead; a vertex to which
 * a walk comes back lies on a cycle, and one of many successors reaches much. A LIBRARY row of the CPU alone:
 * cpu/walk_hub.h. */
#define WALK_HUB_ARGS(A, W)                                                                                 \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u32, comp, "n")                \
  A(OUT, u64, hub, "1") A(COUNT, u32, found, "1")
