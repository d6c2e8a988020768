/* all_to_all on a CPU. */
#include "exchange/exchange.h"

CPU_LIBRARY(all_to_all) {
  UNUSED_LIBRARY;
  const ls_status st = exchange_check_ranks(L);
  return st ? st : ls_exchange_all_to_all(a->x, a->bounds, sizeof(W), a->y, L->bind.size[2], a->starts);
}
