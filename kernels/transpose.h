/* The transpose of a graph: a stable sort of the edges by target. A LIBRARY row: transpose.c and transpose.cu. */
#define TRANSPOSE_ARGS(A, W) A(IN, u32, off, "n+1") A(IN, u32, to, "m") A(OUT, u32, roff, "n+1") A(OUT, u32, rto, "m")
