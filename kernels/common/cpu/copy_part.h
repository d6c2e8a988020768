/* copy_part on a CPU. */
#include "common/part_of_buffer.h"

CPU_LIBRARY(copy_part) {
  UNUSED_LIBRARY;
  const ls_status st = copy_part_fits(L, a->from, a->to);
  if (!st && L->items) memmove(a->y + a->to, a->x + a->from, L->items * sizeof(W));
  return st;
}
