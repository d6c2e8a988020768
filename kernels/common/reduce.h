/* Sum, minimum or maximum of a buffer. Bodies: cpu/reduce.h, cuda/reduce.cuh. */
#define REDUCE_ARGS(A, W) A(IN, W, x, "k") A(OUT, W, y, "1") A(VALUE, u32, op, "1", operation, "1")
