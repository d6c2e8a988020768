/* all_gather on a CPU. */
#include "exchange/exchange.h"

CPU_LIBRARY(all_gather) {
  UNUSED_LIBRARY;
  return ls_exchange_gather(a->x, L->items, sizeof(W), a->first, a->past);
}
