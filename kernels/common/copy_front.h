/* Copies the first part of a buffer into another one. A LIBRARY row. */
#define COPY_FRONT_ARGS(A, W) A(IN, W, x, "k") A(INOUT, W, y, "room") A(VALUE, u64, count, "1", upto, "k")
