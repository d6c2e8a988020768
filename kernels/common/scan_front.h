/* The exclusive prefix sum of a buffer's first part. A LIBRARY row. */
#define SCAN_FRONT_ARGS(A, W) A(IN, W, x, "k") A(INOUT, W, y, "k") A(VALUE, u64, count, "1", upto, "k")
