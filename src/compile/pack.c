#include "compile/pack.h"

#include <string.h>

static void append(u8 *out, size_t *at, const void *value, size_t size) {
  *at = (*at + size - 1) / size * size; /* each type is aligned to its size */
  memcpy(out + *at, value, size);
  *at += size;
}

size_t ls_pack(const ls_launch *L, ls_row_form form, u8 out[LS_PACK_MOST]) {
  const ls_prim *p = L->prim;
  size_t at = 0, widest = 4;
  memset(out, 0, LS_PACK_MOST);
  append(out, &at, &L->n, 4);
  append(out, &at, &L->m, 4);
  for (int i = 0; i < p->nargs; i++) {
    const ls_arg *arg = &p->args[i];
    const ls_dtype type = arg->type == LS_W ? L->type : arg->type;
    if (arg->role == LS_COUNT) continue;
    size_t size = sizeof(void *);
    if (arg->role == LS_VALUE) {
      const f32 narrow = (f32)L->bind.value[i].f;
      size = ls_dtype_size(type);
      append(out, &at, type == LS_F32 ? (const void *)&narrow : (const void *)&L->bind.value[i], size);
    } else {
      append(out, &at, &L->bind.ptr[i], size);
      if (form != LS_PLAIN) { /* struct ls_cells */
        const u64 more[2] = {L->bind.size[i] / (arg->wide ? 2 : 1), (u64)i};
        append(out, &at, &more[0], 8);
        append(out, &at, &more[1], 8);
      }
    }
    if (size > widest) widest = size;
  }
  return (at + widest - 1) / widest * widest;
}
