/* Settles every vertex that no cycle leads to: sources, then what only they led to, and so on (Kahn 1962), by all
 * threads and without layers. trim takes a pass for each. A LIBRARY row of the CPU alone: peel.c. */
#define PEEL_ARGS(A, W)                                                                                     \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, mark, "n", mark, "n")  \
  A(INOUT, u32, comp, "n") A(OUT, u32, link, "n") A(OUT, u32, back_next, "n+1") A(COUNT, u32, peeled, "1")
