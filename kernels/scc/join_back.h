/* One pass that finds vertices which reach the hub, using only forward edges: a reached vertex with a joined successor
 * joins, and so do its ancestors in the tree (tree.h). Only on CPUs: cpu/join_back.h. */
#define JOIN_BACK_ARGS(A, W)                                                                                \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, link, "n", tree, "n")  \
  A(IN, u32, front, "n+1", vertex_queue, "n") A(OUT, u32, front_next, "n+1", vertex_queue, "n")             \
  A(VALUE, u32, all, "1") A(COUNT, u32, joined, "1") A(COUNT, u32, left, "1")
