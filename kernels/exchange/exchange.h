/* Argument checks of all_to_all and halo, shared by both processors. */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include "language/kernel.h"

#ifndef __CUDACC_RTC__
#include "ranks/ranks.h"
#include "run/launch/launch.h"

/* all_to_all: bounds and starts must have one element more than there are ranks. */
static inline ls_status exchange_check_ranks(const ls_launch *L) {
  if (L->bind.size[1] == (u64)ls_ranks() + 1) return LS_OK;
  return ls_fail(LS_EARG, "all_to_all: bounds has %llu elements, expected %d, one more than there are ranks",
                 (unsigned long long)L->bind.size[1], ls_ranks() + 1);
}

/* halo: out_at and in_at must have one element more than there are ranks, and a rank must list no elements for itself. */
static inline ls_status exchange_check_halo(const ls_launch *L, const u64 *out_at, const u64 *in_at) {
  const u64 ranks = (u64)ls_ranks(), me = (u64)ls_rank();
  if (L->bind.size[2] != ranks + 1)
    return ls_fail(LS_EARG, "%s: give_at has %llu elements, expected %llu, one more than there are ranks", L->prim->name,
                   (unsigned long long)L->bind.size[2], (unsigned long long)ranks + 1);
  if (out_at[me + 1] == out_at[me] && in_at[me + 1] == in_at[me]) return LS_OK;
  return ls_fail(LS_EARG, "%s: rank %d lists elements for itself", L->prim->name, ls_rank());
}
#endif

#endif
