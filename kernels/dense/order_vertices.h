/* Topological order by levels, vertex by vertex, on one core. Its body, cpu/order_vertices.h, runs only on CPUs. */
#define ORDER_VERTICES_ARGS(A, W)                                                                           \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(OUT, u32, indegree, "n")           \
  A(OUT, u32, level, "n") A(OUT, u32, front, "n") A(COUNT, u32, sources, "1")
