#include "driver_cpu.h"
#include "library.h"
#include "prims_list.h"
#include "tree.h"

ls_status join_back_cpu(ls_launch *L) {
  const u32 *off = L->bind.ptr[0], *to = L->bind.ptr[1], *front = L->bind.ptr[3], m = L->m;
  u32 *link = L->bind.ptr[2], *left = L->bind.ptr[4], joined = 0;
  const bool all = L->bind.value[5].u != 0;
  const u32 items = all ? L->n : front[0];
  const int team = L->serial || items < 1u << 12 ? 1 : L->threads;
  left[0] = 0;
#pragma omp parallel num_threads(team) reduction(+ : joined)
  {
    ls_push push;
    push.queue = left, push.width = 4, push.used = 0;
#pragma omp for schedule(dynamic, 1024)
    for (u32 i = 0; i < items; i++) {
      /* from the end: every pass goes against the one before, and what joins spreads both ways */
      const u32 v = all ? i : front[items - i], mine = peek(&link[v]);
      if ((mine & JOINED) || mine == ELSEWHERE) continue; /* JOINED: or unmet */
      bool back = false;
      for (u32 e = off[v], last = off[v + 1]; e < last && !back; e++) {
        if (e + 16 < m) ASK_AHEAD(&link[to[e + 16]]);
        back = is_joined(peek(&link[to[e]]));
      }
      if (back)
        joined += climb(link, v);
      else
        ls_push_add(&push, v);
    }
    if (push.used) ls_push_flush(&push);
  }
  L->counts[0] = joined;
  L->counts[1] = left[0];
  return LS_OK;
}
