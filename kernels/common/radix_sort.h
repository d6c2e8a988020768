/* Copies the elements of a buffer in ascending order. A LIBRARY row. */
#define RADIX_SORT_ARGS(A, W) A(IN, W, x, "k") A(OUT, W, y, "k")
