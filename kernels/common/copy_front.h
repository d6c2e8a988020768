/* Copies the first part of a buffer into another one. Bodies: cpu/copy_front.h, cuda/copy_front.cuh. */
#define COPY_FRONT_ARGS(A, W) A(IN, W, x, "k") A(INOUT, W, y, "room") A(VALUE, u64, count, "1", upto, "k")
