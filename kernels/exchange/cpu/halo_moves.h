/* halo and halo_reduce on a CPU, for element type W. */
#include "core/mem.h"
#include "exchange/exchange.h"

/* Sends x[out[i]], for i in [out_at[r], out_at[r + 1]), to rank r; elements that come from rank r are stored at x[in[i]], for i
 * in [in_at[r], in_at[r + 1]), or reduced into them. op: the reduction; LS_REDUCTIONS: store. */
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
