/* The queues among a row's arguments, as a launch needs them. */
#include "run/launch/launch.h"
#include "core/text.h"

void ls_bind_queues(const ls_prim *p, ls_bind *b) {
  b->qin = NULL;
  b->filled = 0;
  for (int i = 0; i < p->nargs; i++) {
    const ls_arg *arg = &p->args[i];
    const u32 width = (u32)ls_dtype_size(arg->type);
    if (arg->role == LS_QIN) b->qin = b->ptr[i], b->qin_width = width;
    if (arg->role != LS_QOUT && arg->role != LS_QMORE) continue;
    const u32 q = b->filled++;
    b->queue[q] = b->ptr[i];
    b->room[q] = ls_queue_room(arg, b->size[i]);
    b->width[q] = width;
    b->emptied[q] = arg->role == LS_QOUT;
  }
}

bool ls_fills_queues(const ls_prim *p) {
  for (int i = 0; i < p->nargs; i++)
    if (p->args[i].role == LS_QOUT || p->args[i].role == LS_QMORE) return true;
  return false;
}

bool ls_counts_lost(const ls_prim *p) {
  for (int i = 0; i < p->nargs; i++)
    if (p->args[i].lost) return true;
  return false;
}

/* Index of the argument that is the row's q-th queue to be filled. */
static int filled_arg(const ls_prim *p, u32 q) {
  int i = 0;
  for (;; i++)
    if ((p->args[i].role == LS_QOUT || p->args[i].role == LS_QMORE) && q-- == 0) return i;
}

static u32 lowest(u32 bits) {
  u32 q = 0;
  while (!(bits >> q & 1)) q++;
  return q;
}

ls_status ls_queues_full(const ls_launch *L) {
  const ls_prim *p = L->prim;
  if (!p->loop) {
    if (!L->full || ls_counts_lost(p)) return LS_OK;
    const int i = filled_arg(p, lowest(L->full));
    return ls_fail(LS_EARG,
                   "%s: argument %s: the queue is full: it has room for %llu item%s, and there were more",
                   p->name, p->args[i].name, (unsigned long long)ls_queue_room(&p->args[i], L->bind.size[i]),
                   ls_plural(ls_queue_room(&p->args[i], L->bind.size[i])));
  }
  for (int s = 0; s < p->loop->nsteps; s++) {
    if (!L->loop_full[s]) continue;
    const ls_step *step = &p->loop->step[s];
    const int i = filled_arg(step->prim, lowest(L->loop_full[s])), at = step->arg[i];
    return ls_fail(
        LS_EARG,
        "%s: argument %s: the queue is full: it has room for %llu item%s, and there were more in its "
        "step %s",
        p->name, p->args[at].name, (unsigned long long)ls_queue_room(&p->args[at], L->bind.size[at]),
        ls_plural(ls_queue_room(&p->args[at], L->bind.size[at])), step->prim->name);
  }
  return LS_OK;
}
