/* Each rank sends each other one a part of a buffer. A LIBRARY row. */
#define ALL_TO_ALL_ARGS(A, W)                                                                                        \
  A(IN, W, x, "k") A(IN, u64, bounds, "ranks+1", offset, "k") A(INOUT, W, y, "room") A(OUT, u64, starts, "ranks+1")
