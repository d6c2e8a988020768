/* Copies a buffer into another. Bodies: cpu/copy.h, cuda/copy.cuh. */
#define COPY_ARGS(A, W) A(IN, W, x, "k") A(OUT, W, y, "k")
