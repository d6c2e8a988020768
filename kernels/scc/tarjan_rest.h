/* Settles all live vertices by Tarjan's algorithm on all threads. Only on CPUs: cpu/tarjan_rest.h. */
#define TARJAN_REST_ARGS(A, W)                                                                              \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, u64, hub, "1")                 \
  A(IN, u32, link, "n", tree, "n") A(INOUT, u32, comp, "n") A(COUNT, u32, settled, "1")
