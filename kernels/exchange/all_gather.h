/* All-gather: every rank gets every rank's range of a buffer. Bodies: cpu/all_gather.h, cuda/all_gather.cuh. */
#define ALL_GATHER_ARGS(A, W) A(INOUT, W, x, "k") A(VALUE, u64, first, "1", upto, "k") A(VALUE, u64, past, "1", upto, "k")
