/* A sorted copy. A LIBRARY row: radix_sort.c and radix_sort.cu. */
#define RADIX_SORT_ARGS(A, W) A(IN, W, x, "k") A(OUT, W, y, "k")
