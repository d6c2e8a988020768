/* close_pivot on a CPU. */
#include "dense/cpu/closing.h"

CPU_LIBRARY(close_pivot) {
  UNUSED_LIBRARY;
  u32 k0 = 0, k1 = 0;
  const ls_status st = close_range("close_pivot", a->n, a->k, a->tiles, a->tile, &k0, &k1);
  return st ? st : LS_JOIN(close_blocks, W)(L, a->D, a->n, k0, k1, a->semiring, a->positive, a->overflow);
}
