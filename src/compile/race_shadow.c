#include "compile/race_shadow.h"

#include <string.h>

static bool is_looked_at(const ls_launch *L, int i) {
  const ls_arg *arg = &L->prim->args[i];
  return arg->role != LS_VALUE && arg->role != LS_COUNT && !ls_arg_is_queue(arg) && !arg->wide &&
         L->bind.ptr[i];
}

/* If the row writes the array of argument i, through this or another argument, returns the first argument
 * with that array; else -1. */
static int written_as(const ls_launch *L, int i) {
  int first = -1;
  bool written = false;
  for (int k = 0; k < L->prim->nargs; k++) {
    if (!is_looked_at(L, k) || L->bind.ptr[k] != L->bind.ptr[i]) continue;
    if (first < 0) first = k;
    written |= ls_arg_written(L->prim, k);
  }
  return written ? first : -1;
}

u64 ls_race_shadow_assign(const ls_launch *L, ls_mark *block, ls_watch *w) {
  u64 count = 0;
  memset(w->marks, 0, sizeof w->marks);
  w->unwritten = 0;
  for (int i = 0; i < L->prim->nargs; i++) {
    const int first = is_looked_at(L, i) ? written_as(L, i) : -1;
    if (first < 0) continue;
    w->base[i] = L->bind.ptr[i];
    w->marks[i] = first < i ? w->marks[first] : block ? block + count : NULL;
    if (first == i) count += L->bind.size[i];
    if (L->prim->args[i].role == LS_OUT) w->unwritten |= 1ull << i;
  }
  return count;
}
