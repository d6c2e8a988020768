/* All-reduce: the sum, minimum or maximum of the ranks' buffers, element by element, in every rank. A LIBRARY row. */
#define ALL_REDUCE_ARGS(A, W) A(INOUT, W, x, "k") A(VALUE, u32, op, "1", operation, "1")
