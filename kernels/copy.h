/* A copy of a buffer into another. A LIBRARY row: copy.c and copy.cu. */
#define COPY_ARGS(A, W) A(IN, W, x, "k") A(OUT, W, y, "k")
