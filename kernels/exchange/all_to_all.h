/* All-to-all: each rank sends a part of a buffer to each rank. Bodies: cpu/all_to_all.h, cuda/all_to_all.cuh. */
#define ALL_TO_ALL_ARGS(A, W)                                                                                        \
  A(IN, W, x, "k") A(IN, u64, bounds, "ranks+1", offset, "k") A(INOUT, W, y, "room") A(OUT, u64, starts, "ranks+1")
