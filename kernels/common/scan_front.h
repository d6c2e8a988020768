/* The exclusive prefix sum of a buffer's first part. Bodies: cpu/scan_front.h, cuda/scan_front.cuh. */
#define SCAN_FRONT_ARGS(A, W) A(IN, W, x, "k") A(INOUT, W, y, "k") A(VALUE, u64, count, "1", upto, "k")
