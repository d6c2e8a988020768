/* all_reduce on a CPU. */
#include "exchange/exchange.h"

CPU_LIBRARY(all_reduce) {
  UNUSED_LIBRARY;
  return ls_exchange_reduce(a->x, L->items, L->type, (ls_reduction)a->op);
}
