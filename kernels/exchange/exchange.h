/* What the exchanges share. */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include "language/kernel.h"

#ifndef __CUDACC_RTC__
#include "ranks/ranks.h"
#include "run/launch.h"

/* all_to_all: bounds and starts are for the ranks that there are. */
static inline ls_status exchange_check_ranks(const ls_launch *L) {
  if (L->bind.size[1] == (u64)ls_ranks() + 1) return LS_OK;
  return ls_fail(LS_EARG, "all_to_all: bounds has %llu elements, expected %d, one more than there are ranks",
                 (unsigned long long)L->bind.size[1], ls_ranks() + 1);
}
#endif

#endif
