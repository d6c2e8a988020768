/* Every rank gets a rank's buffer. A LIBRARY row. */
#define BROADCAST_ARGS(A, W) A(INOUT, W, x, "k") A(VALUE, u32, root, "1")
