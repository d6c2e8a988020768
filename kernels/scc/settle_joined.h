/* Settles the vertices that are known to be in the component of the hub. Only on CPUs: cpu/settle_joined.h. */
#define SETTLE_JOINED_ARGS(A, W)                                                                            \
  A(IN, u64, hub, "1") A(IN, u32, link, "n", tree, "n") A(INOUT, u32, comp, "n") A(VALUE, u32, tree, "1")   \
  A(COUNT, u32, settled, "1")
