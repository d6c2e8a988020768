/* close_diagonal on a CPU. */
#include "dense/cpu/closing.h"

CPU_LIBRARY(close_diagonal) {
  UNUSED_LIBRARY;
  ls_status st = LS_OK;
  for (u32 k0 = 0; !st && k0 < a->n; k0 += a->tile) {
    const u32 k1 = a->n - k0 < a->tile ? a->n : k0 + a->tile;
    st = LS_JOIN(close_blocks, W)(L, a->D, a->n, k0, k1, a->semiring, a->positive, a->overflow);
    if (k1 == a->n) break; /* k0 + tile may wrap */
  }
  return st;
}
