/* Broadcast: every rank gets the buffer of rank `root`. A LIBRARY row. */
#define BROADCAST_ARGS(A, W) A(INOUT, W, x, "k") A(VALUE, u32, root, "1")
