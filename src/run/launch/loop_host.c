/* Runs a loop's steps one by one from the host. On a CPU each step runs to its end, and steps that are
 * parallel on a GPU run one after the other; on CUDA each is a launch, and the host waits only if it needs
 * the counts. */
#include "run/launch/launch.h"

#include <string.h>

#include "core/wait.h"
#include "run/devices/cuda.h"
#include "run/launch/variants.h"
#include "run/launch/loop_args.h"

static u64 nanoseconds(void) { return (u64)(1e9 * ls_now()); }

void ls_bind_step(const ls_launch *L, int s, u32 swaps, ls_bind *out) {
  const ls_step *step = &L->loop->step[s];
  for (int i = 0; i < step->prim->nargs; i++) {
    if (step->arg[i] >= LS_VARIABLE) {
      const u32 x = step->arg[i] == LS_CONSTANT ? step->value[i] : L->var[step->arg[i] - LS_VARIABLE];
      const ls_dtype type = step->prim->args[i].type == LS_W ? L->type : step->prim->args[i].type;
      if (ls_dtype_is_real(type))
        out->value[i].f = x;
      else
        out->value[i].U = x;
      continue;
    }
    const int from = ls_loop_arg(L->loop, s, i, swaps);
    out->ptr[i] = L->bind.ptr[from];
    out->value[i] = L->bind.value[from];
    out->size[i] = L->bind.size[from];
  }
  ls_bind_queues(step->prim, out);
}

/* Launches in flight that only the trace waits for, and their ring entries. MOST_LATE launches are enough to
 * keep the device from waiting for the host, and so few that Ctrl-C does not take long. */
enum { MOST_LATE = 8 };
typedef struct late_launches {
  u64 ticket[MOST_LATE];
  u32 entry[MOST_LATE], first, count;
} late_launches;

/* Waits for the oldest of these launches until at most `left` are in flight, and completes their ring
 * entries. */
static ls_status settle(ls_launch *L, late_launches *late, u32 left) {
  ls_launch asked = *L;
  for (; late->count > left; late->count--, late->first = (late->first + 1) % MOST_LATE) {
    ls_ring_entry *entry = &L->ring[late->entry[late->first]];
    f64 begun, ended;
    u64 items;
    ls_status st = ls_cuda_wait(&asked, late->ticket[late->first], &begun, &ended, &items);
    if (st) return st;
    entry->begin = (u64)(1e9 * begun), entry->end = (u64)(1e9 * ended);
    if (items) entry->items = items;
  }
  return LS_OK;
}

static void tell_ring(ls_launch *L, const ls_launch *step, int s, u64 items, u64 begin, u64 end) {
  ls_ring_entry *entry = &L->ring[L->ring_used++];
  *entry = (ls_ring_entry){.step = (u16)s,
                           .first = step->first,
                           .iteration = L->at.iterations + 1,
                           .items = items,
                           .begin = begin,
                           .end = end};
  memcpy(entry->counts, step->counts, sizeof entry->counts);
}

/* Runs step s. *now: in, the time at which it begins; out, the time at which it ended. Bit k of *counted: its
 * k-th COUNT is not zero. */
static ls_status run_step(ls_launch *L, ls_launch *step, int s, late_launches *late, u64 *now, u32 *counted) {
  const ls_prim *prim = L->loop->step[s].prim;
  const bool cpu = !L->on_cuda;
  const ls_dtype type = prim->types & 1u << L->type ? L->type : LS_NONE; /* a step may be untyped */
  step->prim = prim;
  step->type = type;
  ls_bind_step(L, s, L->at.swaps, &step->bind);
  step->items = L->step_items[s];
  step->block = ls_prim_has_block(prim) ? L->block : 0;
  memset(step->counts, 0, sizeof step->counts);
  step->full = 0;
  step->first = false;
  *counted = 0;
  if (cpu) ls_queues_empty(&step->bind);
  u64 items = cpu && step->bind.qin ? ls_queue_items(&step->bind) : step->items, from = *now, to;
  bool variant;
  ls_status st = ls_launcher(prim, cpu ? LS_CPU : LS_CUDA, type, &variant)(step);
  if (st) return st;
  to = *now = nanoseconds();
  bool asks = ls_fills_queues(prim);
  for (int k = 0; k < LS_MAX_COUNTS; k++)
    asks |= L->loop->code.flags[s][k].sets || L->loop->code.flags[s][k].tells;
  for (int i = 0; i < prim->nargs; i++) asks |= prim->args[i].role == LS_COUNT;
  if (!cpu && !asks && L->traced) {
    st = settle(L, late, MOST_LATE - 1);
    if (st) return st;
    const u32 at = (late->first + late->count++) % MOST_LATE;
    late->ticket[at] = step->ticket, late->entry[at] = L->ring_used;
  }
  if (!cpu && asks) {
    f64 begun, ended;
    st = ls_cuda_wait(step, step->ticket, &begun, &ended, &items);
    if (st) return st;
    from = (u64)(1e9 * begun), to = (u64)(1e9 * ended);
    if (!items) items = step->items;
  }
  if (step->full && !ls_counts_lost(prim)) L->loop_full[s] |= step->full, L->full = 1;
  for (int k = 0; k < LS_MAX_COUNTS; k++) {
    L->loop_counts[s][k] += step->counts[k];
    if (step->counts[k]) *counted |= 1u << k;
  }
  if (L->traced) tell_ring(L, step, s, items, from, to);
  return LS_OK;
}

ls_status ls_loop_by_host(ls_launch *L) {
  const ls_loop_code *code = &L->loop->code;
  ls_loop_at *at = &L->at;
  ls_launch step = *L;
  late_launches late = {.first = 0};
  u64 now = nanoseconds();
  const u64 deadline = now + (u64)(1e9 * L->max_seconds);
  L->ring_used = 0;
  L->full = 0;
  memset(L->loop_counts, 0, sizeof L->loop_counts);
  memset(L->loop_full, 0, sizeof L->loop_full);
  ls_to_step(code->op, L->limit, at, L->var);
  while (!at->finished && !at->halted) {
    const ls_op op = code->op[at->op];
    for (int s = op.at; s <= op.at + (op.to != 0); s++) {
      u32 counted;
      ls_status st = run_step(L, &step, s, &late, &now, &counted);
      if (st) return st;
      ls_tell_flags(code->flags[s], counted, at);
    }
    at->op++;
    ls_to_step(code->op, L->limit, at, L->var);
    if (L->full || L->ring_used + 2 > LS_RING || ls_pausing() || now > deadline) break;
  }
  return settle(L, &late, 0);
}
