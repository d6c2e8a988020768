/* Halo exchange: each rank gets listed elements of a buffer from the ranks that own them. Bodies: cpu/halo.h,
 * cuda/halo.cuh. */
#define HALO_ARGS(A, W)                                                                                              \
  A(INOUT, W, x, "k") A(IN, u32, give, "given", index, "k") A(IN, u64, give_at, "ranks+1", offset, "given")          \
  A(IN, u32, take, "taken", index, "k") A(IN, u64, take_at, "ranks+1", offset, "taken")
