/* The exclusive prefix sum. A LIBRARY row: scan.c and scan.cu. */
#define SCAN_ARGS(A, W) A(IN, W, x, "k") A(OUT, W, y, "k", sums, "x")
