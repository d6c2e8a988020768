/* halo_reduce on a CPU. */
#include "exchange/cpu/halo_moves.h"

CPU_LIBRARY(halo_reduce) {
  UNUSED_LIBRARY;
  return HALO_MOVED(L, a->x, a->take, a->take_at, a->give, a->give_at, (ls_reduction)a->op);
}
