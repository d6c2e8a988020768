/* What is left of a graph: Tarjan 1972 in the form of Pearce 2016, with explicit stacks. Every thread searches from
 * roots of its own and waits where it meets another's search. A LIBRARY row of the CPU alone: tarjan_rest.c. */
#define TARJAN_REST_ARGS(A, W)                                                                              \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, mark, "n", mark, "n")  \
  A(INOUT, u32, comp, "n") A(OUT, u32, link, "n") A(COUNT, u32, settled, "1")
