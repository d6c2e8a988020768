/* All-reduce: the sum, minimum or maximum of the ranks' buffers, element by element, in every rank. Bodies:
 * cpu/all_reduce.h, cuda/all_reduce.cuh. */
#define ALL_REDUCE_ARGS(A, W) A(INOUT, W, x, "k") A(VALUE, u32, op, "1", operation, "1")
