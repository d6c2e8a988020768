/* Sum, minimum or maximum of a buffer. A LIBRARY row. */
#define REDUCE_ARGS(A, W) A(IN, W, x, "k") A(OUT, W, y, "1") A(VALUE, u32, op, "1", operation, "1")
