#include "driver_cpu.h"
#include "library.h"
#include "prims_list.h"
#include "tree.h"

ls_status settle_joined_cpu(ls_launch *L) {
  const u32 hub = gather_id((u32) * (const u64 *)L->bind.ptr[0]), *link = L->bind.ptr[1], n = L->n;
  if (hub >= n) return LS_OK; /* no search was made */
  u32 *comp = L->bind.ptr[2], settled = 0;
  const bool tree = L->bind.value[3].u != 0;
  const int team = L->serial || n < 1u << 16 ? 1 : L->threads;
#pragma omp parallel for num_threads(team) schedule(static) reduction(+ : settled)
  for (u32 v = 0; v < n; v++) {
    if (!(tree ? was_reached(link[v]) : is_joined(link[v]))) continue;
    comp[v] = tree ? v : hub;
    settled++;
  }
  L->counts[0] = settled;
  return LS_OK;
}
