#include "data/equal.h"

#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "data/reduce.h"

enum { BLOCK = 1 << 18 }; /* elements */

static bool same_reals(ls_dtype t, const void *a, const void *b, u64 count) {
  bool same = true;
  if (t == LS_F32)
    for (u64 i = 0; i < count; i++) same &= ((const f32 *)a)[i] == ((const f32 *)b)[i];
  else
    for (u64 i = 0; i < count; i++) same &= ((const f64 *)a)[i] == ((const f64 *)b)[i];
  return same;
}

typedef struct job {
  ls_dtype type;
  const u8 *a, *b;
  u64 count;
  bool same;
} job;

static void on_host(void *arg) {
  job *j = arg;
  const size_t size = ls_dtype_size(j->type);
  j->same = true;
  for (u64 i = 0; j->same && i < j->count; i += BLOCK) {
    const u64 count = j->count - i < BLOCK ? j->count - i : BLOCK;
    const u8 *a = j->a + i * size, *b = j->b + i * size;
    j->same = ls_dtype_is_real(j->type) ? same_reals(j->type, a, b, count) : memcmp(a, b, count * size) == 0;
  }
}

/* Compares reals that are on a device by fetching them in blocks, up to the first that differs. A digest
 * compares bits, so it would not treat NaN and -0 as == does. */
static ls_status by_blocks(ls_buffer *a, ls_buffer *b, bool *yes) {
  const size_t size = ls_dtype_size(a->type);
  u8 *room = ls_malloc(2 * size * BLOCK);
  ls_status st = room ? LS_OK : LS_EMEM;
  *yes = true;
  for (u64 i = 0; !st && *yes && i < a->count; i += BLOCK) {
    const u64 count = a->count - i < BLOCK ? a->count - i : BLOCK;
    st = ls_buffer_peek(a, i, count, room);
    if (!st) st = ls_buffer_peek(b, i, count, room + size * BLOCK);
    *yes = !st && same_reals(a->type, room, room + size * BLOCK, count);
  }
  ls_free(room);
  return st;
}

ls_status ls_buffers_equal(ls_buffer *a, ls_buffer *b, bool *yes) {
  *yes = a == b;
  if (a == b || a->closed || b->closed) return LS_OK;
  if (a->type != b->type || a->rows != b->rows || a->cols != b->cols) return LS_OK;
  ls_status st = ls_buffer_settle(a);
  if (!st) st = ls_buffer_settle(b);
  if (st) return st;
  const bool away = (a->dev_valid && !a->host_valid) || (b->dev_valid && !b->host_valid);
  if (away && ls_dtype_is_real(a->type)) return by_blocks(a, b, yes);
  if (away) {
    u64 of_a, of_b;
    st = ls_buffer_digest(a, 0, ls_dtype_size(a->type), a->count, false, &of_a);
    if (!st) st = ls_buffer_digest(b, 0, ls_dtype_size(b->type), b->count, false, &of_b);
    *yes = !st && of_a == of_b;
    return st;
  }
  job j = {.type = a->type, .a = ls_buffer_read(a), .b = ls_buffer_read(b), .count = a->count};
  if (!j.a || !j.b) return LS_EMEM;
  ls_work(on_host, &j, a->count <= LS_LONG);
  *yes = j.same;
  return LS_OK;
}

static bool same_labels(const ls_graph *a, const ls_graph *b) {
  if (!a->ids && !b->ids) return a->label_base == b->label_base;
  for (u32 v = 0; v < a->n; v++)
    if (ls_graph_label(a, v) != ls_graph_label(b, v)) return false;
  return true;
}

ls_status ls_graphs_equal(ls_graph *a, ls_graph *b, bool *yes) {
  ls_buffer *const of_a[] = {a->off, a->to, a->w, a->t}, *const of_b[] = {b->off, b->to, b->w, b->t};
  *yes = a == b;
  if (a == b || !a->off || !b->off) return LS_OK; /* a closed graph equals only itself */
  if (a->n != b->n || a->m != b->m || a->wtype != b->wtype || a->ttype != b->ttype || a->scale != b->scale)
    return LS_OK;
  if (!a->vertex_names != !b->vertex_names || !same_labels(a, b)) return LS_OK;
  ls_status st = LS_OK;
  *yes = true;
  for (int i = 0; !st && *yes && i < 4; i++)
    if (of_a[i] && of_b[i]) st = ls_buffers_equal(of_a[i], of_b[i], yes);
  return st;
}
