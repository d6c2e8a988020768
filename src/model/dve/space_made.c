/* State spaces built from the results of the rows of kernels/dve. */
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "model/dve/space.h"

static int by_number(const void *a, const void *b) {
  const u32 x = *(const u32 *)a, y = *(const u32 *)b;
  return (x > y) - (x < y);
}

ls_status ls_dve_space_add_deadlocks(ls_dve_space *s, ls_buffer *queue, u32 end) {
  u32 length;
  if (ls_buffer_peek(queue, 0, 1, &length)) return LS_EMEM;
  if (length >= queue->count || s->deadlock_count > UINT32_MAX - length)
    return ls_fail(LS_EARG, "the length of the queue (its element 0), %u, is too large", length);
  u32 *list = ls_realloc(s->deadlocks, (s->deadlock_count + (u64)length + 1) * sizeof *list);
  if (!list) return LS_EMEM;
  s->deadlocks = list;
  u32 *new = list + s->deadlock_count;
  const ls_status st = ls_buffer_peek(queue, 1, length, new);
  if (st) return st;
  u32 count = 0;
  for (u32 i = 0; i < length; i++)
    if (new[i] < end) new[count++] = new[i];
  qsort(new, count, sizeof *new, by_number);
  s->deadlock_count += count;
  return LS_OK;
}

ls_status ls_dve_space_fill(ls_dve_space *s, const ls_dve_space *of, ls_buffer *states, ls_buffer *parents,
                            const u32 *level, u32 levels) {
  u32 *own = ls_malloc((levels + 1ull) * sizeof *own);
  if (!own) return LS_EMEM;
  memcpy(own, level, (levels + 1ull) * sizeof *own);
  ls_free(s->level);
  s->level = own, s->levels = levels;
  s->n = of->n, s->m = of->m, s->expanded = of->expanded;
  s->errors = of->errors, s->error = of->error, s->end = of->end, s->bytes = of->bytes;
  s->vertex_names.unexpanded = s->n - s->expanded;
  ls_buffer_release(s->packed);
  ls_buffer_release(s->parents);
  s->packed = ls_buffer_retain(states);
  s->parents = ls_buffer_retain(parents);
  return LS_OK;
}

ls_status ls_dve_space_graph(ls_dve_space *s, ls_buffer *const arrays[4], ls_graph **out) {
  ls_buffer *const six[6] = {ls_buffer_retain(arrays[0]),
                             ls_buffer_retain(arrays[1]),
                             ls_buffer_retain(arrays[2]),
                             NULL,
                             NULL,
                             NULL};
  const ls_status st =
      ls_graph_from_buffers((u32)s->n, s->m, arrays[2] ? LS_I32 : LS_NONE, six, ls_dve_name(s->model), out);
  if (st) return st;
  ls_graph *g = *out;
  if (arrays[3]) {
    g->t = ls_buffer_retain(arrays[3]);
    g->ttype = LS_I32;
    g->t->read_only = true;
  }
  g->vertex_names = &ls_dve_space_retain(s)->vertex_names;
  return LS_OK;
}
