/* The exclusive prefix sum. A LIBRARY row. */
#define SCAN_ARGS(A, W) A(IN, W, x, "k") A(OUT, W, y, "k", sums, "x")
