/* Broadcast: every rank gets the buffer of rank `root`. Bodies: cpu/broadcast.h, cuda/broadcast.cuh. */
#define BROADCAST_ARGS(A, W) A(INOUT, W, x, "k") A(VALUE, u32, root, "1")
