/* mm_rest on a CPU: the same as close_rest, because a CPU has only one form of this phase. */
#include "dense/cpu/closing.h"

CPU_LIBRARY(mm_rest) {
  UNUSED_LIBRARY;
  u32 k0 = 0, k1 = 0;
  const ls_status st = close_range("mm_rest", a->n, a->k, a->tiles, a->tile, &k0, &k1);
  if (st || a->tiles == 1) return st;
  return LS_JOIN(rest_blocks, W)(L, a->D, a->n, 0, a->n, k0, k1, a->semiring, a->positive, a->overflow);
}
