/* Who reaches the hub, over the transpose: what join_back does, for graphs in which it takes many passes. A LIBRARY
 * row of the CPU alone: flood_back.c. */
#define FLOOD_BACK_ARGS(A, W)                                                                               \
  A(IN, u32, roff, "n+1", offset, "m") A(IN, u32, rto, "m", vertex, "n") A(INOUT, u32, link, "n", tree, "n")\
  A(OUT, u32, back_next, "n+1") A(COUNT, u32, joined, "1")
