/* The hub's component is settled; what the hub reaches besides becomes a region of its own. A LIBRARY row of the CPU
 * alone: settle_joined.c. */
#define SETTLE_JOINED_ARGS(A, W)                                                                            \
  A(IN, u64, hub, "1") A(IN, u32, link, "n", tree, "n") A(INOUT, u32, mark, "n", mark, "n")                 \
  A(INOUT, u32, comp, "n") A(COUNT, u32, settled, "1")
