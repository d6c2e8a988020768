/* Computes the transpose of a graph by a stable sort of the edges by target, so that the in-edges of a vertex are ordered
 * by source. Bodies: cpu/transpose.h, cuda/transpose.cuh. */
#define TRANSPOSE_ARGS(A, W)                                                                                \
  A(IN, u32, off, "n+1", rows, "m") A(IN, u32, to, "m", vertex, "n")                                      \
  A(OUT, u32, roff, "n+1", rows, "m") A(OUT, u32, rto, "m", vertex, "n")
