/* Copies a buffer into another. A LIBRARY row. */
#define COPY_ARGS(A, W) A(IN, W, x, "k") A(OUT, W, y, "k")
