/* Copies the elements of a buffer in ascending order. Bodies: cpu/radix_sort.h, cuda/radix_sort.cuh. */
#define RADIX_SORT_ARGS(A, W) A(IN, W, x, "k") A(OUT, W, y, "k")
