/* A loop row on the CPU: its steps in order, until the count is zero. Steps that run side by side on a GPU
 * run one after the other here. A step that is repeated runs an even number of times, so that what is swapped
 * between repetitions ends where it began. */
#include "run/loop_cpu.h"

#include <string.h>

#include "core/wait.h"

static u64 nanoseconds(void) { return (u64)(1e9 * ls_now()); }

/* Runs step s with one of its two sets of arguments; what it counted is in step->counts. */
static ls_status run_step(ls_launch *L, ls_launch *step, int s, u64 odd) {
  step->prim = L->prim->steps[s];
  step->bind = L->step[odd][s];
  step->items = L->step_items[s];
  memset(step->counts, 0, sizeof step->counts);
  ls_queue_empty(&step->bind);
  const u64 begin = L->traced ? nanoseconds() : 0,
            items = step->bind.qin ? ls_queue_items(&step->bind) : step->items;
  const ls_dtype type = step->prim->types & 1u << L->type ? L->type : LS_NONE; /* a step may have no type */
  ls_status st = step->prim->run[LS_CPU][type](step);
  if (st) return st;
  for (int k = 0; k < LS_MAX_COUNTS; k++) L->loop_counts[s][k] += step->counts[k];
  const int until = ls_until_index(L->prim, s);
  if (until >= 0) L->left += step->counts[until];
  if (!L->traced) return LS_OK;
  ls_ring_entry *entry = &L->ring[L->ring_used++];
  *entry =
      (ls_ring_entry){.step = (u32)s, .iteration = (u32)L->iterations + 1, .items = items, .begin = begin};
  entry->end = nanoseconds();
  memcpy(entry->counts, step->counts, sizeof entry->counts);
  return LS_OK;
}

/* Has the host something else to do? */
static bool is_due(const ls_launch *L, u32 entries, u64 deadline) {
  return L->ring_used + entries > LS_RING || ls_pausing() || nanoseconds() > deadline;
}

/* Has a step been repeated as often as it may be? */
static bool stands_still(const ls_launch *L) { return L->max_repeats && L->repeats >= L->max_repeats; }

/* The next step of a program, of which s has just run; a repeated step is left when a pair of repetitions is
 * over and its last counted nothing. */
static ls_status run_program_step(ls_launch *L, ls_launch *step, u64 deadline) {
  const ls_prim *loop = L->prim;
  const u32 s = L->at;
  u64 first;
  do {
    for (u64 odd = 0; odd <= (loop->again >> s & 1); odd++) {
      ls_status st = run_step(L, step, (int)s, odd);
      if (st) return st;
    }
    first = step->counts[0];
    if (loop->again >> s & 1) L->repeats += 2;
  } while (loop->again >> s & 1 && first && !stands_still(L) && !is_due(L, 2, deadline));
  if (loop->again >> s & 1 && first) return LS_OK;
  L->at = loop->past[s] && !first ? loop->past[s] : s + 1;
  L->repeats = 0;
  return LS_OK;
}

ls_status ls_loop_cpu(ls_launch *L) {
  const ls_prim *loop = L->prim;
  ls_launch step = *L;
  const u64 deadline = nanoseconds() + (u64)(1e9 * L->max_seconds);
  L->iterations = 0;
  L->ring_used = 0;
  L->finished = false;
  memset(L->loop_counts, 0, sizeof L->loop_counts);
  for (;;) {
    ls_status st = LS_OK;
    if (loop->program)
      st = run_program_step(L, &step, deadline);
    else
      for (int s = 0; !st && s < loop->nsteps; s++) st = run_step(L, &step, s, L->iterations & 1);
    if (st) return st;
    if (!loop->program || L->at == (u32)loop->nsteps) {
      L->at = loop->once;
      L->iterations++;
      L->finished = L->left == 0;
      L->left = 0;
      if (L->finished || (L->max_iterations && L->iterations >= L->max_iterations)) break;
    }
    if (stands_still(L) || is_due(L, (u32)loop->nsteps + 1, deadline)) break;
  }
  return LS_OK;
}
