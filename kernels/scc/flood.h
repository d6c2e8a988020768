/* Searches forward from the hub, in no particular order, and stores the search tree in `link` (tree.h). Only on CPUs:
 * cpu/flood.h. */
#define FLOOD_ARGS(A, W)                                                                                    \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u64, hub, "1")                 \
  A(IN, u32, comp, "n") A(OUT, u32, link, "n", tree, "n") A(OUT, u32, back_next, "n+1")                     \
  A(OUT, u32, front, "n+1", vertex_queue, "n")                                                              \
  A(COUNT, u32, reached, "1") A(COUNT, u32, joined, "1") A(COUNT, u32, again, "1")
