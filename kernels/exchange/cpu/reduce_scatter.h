/* reduce_scatter on a CPU. */
#include "exchange/exchange.h"

CPU_LIBRARY(reduce_scatter) {
  UNUSED_LIBRARY;
  return ls_exchange_reduce_scatter(a->x, L->items, L->type, (ls_reduction)a->op, a->first, a->past);
}
