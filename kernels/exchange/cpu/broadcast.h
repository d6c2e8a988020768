/* broadcast on a CPU. */
#include "exchange/exchange.h"

CPU_LIBRARY(broadcast) {
  UNUSED_LIBRARY;
  return ls_exchange_broadcast(a->x, L->items, sizeof(W), a->root);
}
