/* A loop row on the CPU: its steps in order, until the count is zero. Steps that run side by side on a GPU
 * run one after the other here. */
#include "run/loop_cpu.h"

#include <string.h>

#include "core/wait.h"

static u64 nanoseconds(void) { return (u64)(1e9 * ls_now()); }

ls_status ls_loop_cpu(ls_launch *L) {
  const ls_prim *loop = L->prim;
  ls_launch step = *L;
  const u64 deadline = nanoseconds() + (u64)(1e9 * L->max_seconds);
  L->iterations = 0;
  L->ring_used = 0;
  L->finished = false;
  memset(L->loop_counts, 0, sizeof L->loop_counts);
  for (u64 left = 1; left;) {
    left = 0;
    const ls_bind *binds = L->step[L->iterations & 1];
    for (int s = 0; s < loop->nsteps; s++) {
      step.prim = loop->steps[s];
      step.bind = binds[s];
      step.items = L->step_items[s];
      memset(step.counts, 0, sizeof step.counts);
      ls_queue_empty(&step.bind);
      const u64 begin = L->traced ? nanoseconds() : 0,
                items = step.bind.qin ? ls_queue_items(&step.bind) : step.items;
      ls_status st = step.prim->run[LS_CPU][L->type](&step);
      if (st) return st;
      for (int k = 0; k < LS_MAX_COUNTS; k++) L->loop_counts[s][k] += step.counts[k];
      left += step.counts[ls_until_index(loop, s)];
      if (!L->traced) continue;
      ls_ring_entry *entry = &L->ring[L->ring_used++];
      *entry = (ls_ring_entry){
          .step = (u32)s, .iteration = (u32)L->iterations + 1, .items = items, .begin = begin};
      entry->end = nanoseconds();
      memcpy(entry->counts, step.counts, sizeof entry->counts);
    }
    L->iterations++;
    L->finished = left == 0;
    if (L->max_iterations && L->iterations >= L->max_iterations) break;
    if (L->ring_used + (u32)loop->nsteps > LS_RING || ls_interrupted() || nanoseconds() > deadline) break;
  }
  return LS_OK;
}
