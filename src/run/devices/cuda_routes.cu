#include "run/devices/cuda_routes.h"

#include <stdlib.h>
#include <string.h>

/* The route that the environment requests; all ranks must request the same one, or none. */
static ls_status find_wanted(const char **out) {
  static bool asked;
  static const char *wanted;
  if (!asked) {
    const char *text = getenv(LS_ROUTE_VARIABLE);
    u32 which = 0;
    if (text && *text)
      which = !strcmp(text, "nccl") ? 1 : !strcmp(text, "peers") ? 2 : !strcmp(text, "host") ? 3 : 4;
    u32 most = which;
    const ls_status st = ls_exchange_reduce(&most, 1, LS_U32, LS_MAXIMUM);
    if (st) return st;
    if (which == 4) return ls_fail(LS_EARG, LS_ROUTE_VARIABLE " is \"%s\", expected nccl, peers or host", text);
    if (most != which) return ls_fail(LS_EARG, LS_ROUTE_VARIABLE " is not the same in all ranks");
    static const char *const names[] = {NULL, "nccl", "peers", "host"};
    wanted = names[which];
    asked = true;
  }
  *out = wanted;
  return LS_OK;
}

ls_status ls_cuda_find_route(ls_launch *L, bool nccl, ls_cuda_route *out) {
  const char *wanted, *why = NULL;
  *out = {};
  ls_status st = find_wanted(&wanted);
  if (st) return st;
  if (nccl && wanted && !strcmp(wanted, "nccl")) {
    st = ls_cuda_find_nccl(L, &out->nccl, &why);
    if (!st && !out->nccl) st = ls_fail(LS_EARG, "%s: " LS_ROUTE_VARIABLE " is nccl: %s", L->prim->name, why);
  }
  if (!st && !out->nccl && (!wanted || strcmp(wanted, "host"))) {
    st = ls_cuda_find_peers(L, &out->peers);
    if (!st && wanted && !strcmp(wanted, "peers") && !out->peers)
      st = ls_fail(LS_EARG, "%s: " LS_ROUTE_VARIABLE " is peers: the devices do not reach each other's memory", L->prim->name);
  }
  if (!st && nccl && !wanted && !out->peers) st = ls_cuda_find_nccl(L, &out->nccl, &why);
  if (!st) ls_ranks_set_route(out->nccl ? ls_nccl_name() : out->peers ? "peer copies" : "the host");
  return st;
}
