/* Reduce-scatter: the sum, minimum or maximum of the ranks' buffers; each rank gets only its range. Bodies:
 * cpu/reduce_scatter.h, cuda/reduce_scatter.cuh. */
#define REDUCE_SCATTER_ARGS(A, W)                                                                                    \
  A(INOUT, W, x, "k") A(VALUE, u64, first, "1", upto, "k") A(VALUE, u64, past, "1", upto, "k")                       \
  A(VALUE, u32, op, "1", operation, "1")
