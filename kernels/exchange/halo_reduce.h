/* The reverse of halo: values that ranks have for listed elements are sent to the ranks that own them and reduced there.
 * Bodies: cpu/halo_reduce.h, cuda/halo_reduce.cuh. */
#define HALO_REDUCE_ARGS(A, W)                                                                                       \
  A(INOUT, W, x, "k") A(IN, u32, give, "given", index, "k") A(IN, u64, give_at, "ranks+1", offset, "given")          \
  A(IN, u32, take, "taken", index, "k") A(IN, u64, take_at, "ranks+1", offset, "taken")                              \
  A(VALUE, u32, op, "1", operation, "1")
