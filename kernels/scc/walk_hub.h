/* Finds a hub by short random walks, which probably end in the giant component: a vertex to which a walk returns is on a
 * cycle, and a vertex with many successors probably reaches many vertices. Only on CPUs: cpu/walk_hub.h. */
#define WALK_HUB_ARGS(A, W)                                                                                 \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u32, comp, "n")                \
  A(OUT, u64, hub, "1") A(COUNT, u32, found, "1")
