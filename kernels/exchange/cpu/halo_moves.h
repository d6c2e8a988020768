/* What halo and halo_reduce share on a CPU; after the type W. */
#include "core/mem.h"
#include "exchange/exchange.h"

/* Elements out[i] of x go to the ranks, by their bounds out_at; what comes is set at in[i], or reduced into what is there.
 * op: LS_REDUCTIONS sets it. */
#define HALO_MOVED LS_JOIN(halo_moved, W)
static ls_status HALO_MOVED(const ls_launch *L, W *x, const u32 *out, const u64 *out_at, const u32 *in, const u64 *in_at,
                            ls_reduction op) {
  ls_status st = exchange_check_halo(L, out_at, in_at);
  if (st || ls_ranks() == 1) return st;
  const u64 ranks = (u64)ls_ranks(), sent = out_at[ranks] - out_at[0], got = in_at[ranks] - in_at[0];
  const u32 *from = out + out_at[0], *to = in + in_at[0];
  W *send = ls_malloc((sent + got) * sizeof *send), *came = send + sent;
  if (!send) return LS_EMEM;
  for (u64 i = 0; i < sent; i++) send[i] = x[from[i]];
  st = ls_exchange_halo(L->prim->name, send, out_at, sizeof *send, op, came, in_at);
  for (u64 i = 0; !st && i < got; i++) {
    W *there = &x[to[i]];
    const W y = came[i];
    *there = op == LS_REDUCTIONS ? y
             : op == LS_SUM      ? (W)((SUM_IN)*there + (SUM_IN)y)
             : op == LS_MINIMUM  ? (y < *there ? y : *there)
                                 : (y > *there ? y : *there);
  }
  ls_free(send);
  return st;
}
