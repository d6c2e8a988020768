/* Copies a part of a buffer into a part of another one. Bodies: cpu/copy_part.h, cuda/copy_part.cuh. */
#define COPY_PART_ARGS(A, W)                                                                                         \
  A(IN, W, x, "k") A(VALUE, u64, from, "1", upto, "k") A(VALUE, u64, count, "1", upto, "k") A(INOUT, W, y, "room")   \
  A(VALUE, u64, to, "1", upto, "room")
