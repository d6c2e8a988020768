/* What is left of a graph, by one thread: Tarjan 1972 in the form of Pearce 2005, with explicit stacks. A LIBRARY
 * row of the CPU alone: tarjan_rest.c. */
#define TARJAN_REST_ARGS(A, W)                                                                              \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, mark, "n", mark, "n")  \
  A(INOUT, u32, comp, "n") A(OUT, u32, link, "n") A(OUT, u32, front, "n+1") A(OUT, u32, back, "n+1")
