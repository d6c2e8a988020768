/* The exclusive prefix sum. Bodies: cpu/scan.h, cuda/scan.cuh. */
#define SCAN_ARGS(A, W) A(IN, W, x, "k") A(OUT, W, y, "k", sums, "x")
