/* halo on a CPU. */
#include "exchange/cpu/halo_moves.h"

CPU_LIBRARY(halo) {
  UNUSED_LIBRARY;
  return HALO_MOVED(L, a->x, a->give, a->give_at, a->take, a->take_at, LS_REDUCTIONS);
}
