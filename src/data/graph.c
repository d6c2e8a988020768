#include "data/graph.h"

#include <string.h>

#include "core/mem.h"

ls_status ls_graph_from_buffers(u32 n, u64 m, ls_dtype wtype, ls_buffer *const arrays[6], const char *name,
                                ls_graph **out) {
  ls_graph *g = ls_calloc(1, sizeof *g);
  char *own_name = ls_strdup(name);
  if (!g || !own_name) {
    for (int i = 0; i < 6; i++) ls_buffer_release(arrays[i]);
    ls_free(g);
    ls_free(own_name);
    return LS_EMEM;
  }
  *g = (ls_graph){.refs = 1, .n = n, .m = m, .wtype = wtype, .scale = 1, .name = own_name, .off = arrays[0],
                  .to = arrays[1], .w = arrays[2], .roff = arrays[3], .rto = arrays[4], .rw = arrays[5]};
  for (int i = 0; i < 6; i++)
    if (arrays[i]) arrays[i]->read_only = true;
  *out = g;
  return LS_OK;
}

ls_status ls_graph_from_csr(u32 n, u64 m, u32 *off, u32 *to, void *w, ls_dtype wtype, const char *name,
                            ls_graph **out) {
  void *const host[3] = {off, to, w};
  const ls_dtype type[3] = {LS_U32, LS_U32, wtype};
  const u64 count[3] = {(u64)n + 1, m, m};
  ls_buffer *arrays[6] = {0};
  ls_status st = LS_OK;
  for (int i = 0; i < 3; i++) {
    if (!host[i]) continue;
    if (!st) st = ls_buffer_wrap(type[i], count[i], host[i], NULL, &arrays[i]);
    if (!arrays[i]) ls_free(host[i]);
  }
  if (!st) return ls_graph_from_buffers(n, m, wtype, arrays, name, out);
  for (int i = 0; i < 3; i++) ls_buffer_release(arrays[i]);
  return st;
}

ls_graph *ls_graph_retain(ls_graph *g) {
  g->refs++;
  return g;
}

void ls_graph_release(ls_graph *g) {
  if (!g || --g->refs > 0) return;
  ls_buffer *arrays[] = {g->off, g->to, g->w, g->roff, g->rto, g->rw};
  for (int i = 0; i < 6; i++) ls_buffer_release(arrays[i]);
  ls_buffer_release(g->ids);
  if (g->namer && --g->namer->refs == 0) g->namer->destroy(g->namer);
  ls_free(g->name);
  ls_free(g);
}

/* A stable counting sort of m edges by key; other and w follow their keys. The three outputs are the
 * caller's to free. */
static ls_status sort_rows(u32 n, u64 m, const u32 *key, const u32 *other, const void *w, size_t wsize, u32 **off_out,
                           u32 **to_out, void **w_out) {
  u32 *off = ls_calloc((size_t)n + 1, sizeof *off), *to = ls_malloc(m * sizeof *to);
  u8 *weights = w ? ls_malloc(m * wsize) : NULL;
  if (!off || !to || (w && !weights)) {
    ls_free(off);
    ls_free(to);
    ls_free(weights);
    return LS_EMEM;
  }
  for (u64 e = 0; e < m; e++) off[key[e]]++;
  u32 sum = 0;
  for (u32 v = 0; v <= n; v++) { /* off[v] becomes the place of v's next edge */
    u32 count = v < n ? off[v] : 0;
    off[v] = sum;
    sum += count;
  }
  for (u64 e = 0; e < m; e++) {
    u32 at = off[key[e]]++;
    to[at] = other[e];
    if (w) memcpy(weights + at * wsize, (const u8 *)w + e * wsize, wsize);
  }
  memmove(off + 1, off, (size_t)n * sizeof *off);
  off[0] = 0;
  *off_out = off;
  *to_out = to;
  *w_out = weights;
  return LS_OK;
}

ls_status ls_graph_from_edges(u32 n, u64 m, const u32 *src, const u32 *dst, const void *w, ls_dtype wtype,
                              const char *name, ls_graph **out) {
  u32 *off, *to;
  void *weights;
  ls_status st = sort_rows(n, m, src, dst, w, ls_dtype_size(wtype), &off, &to, &weights);
  return st ? st : ls_graph_from_csr(n, m, off, to, weights, wtype, name, out);
}

ls_status ls_graph_transpose(ls_graph *g) {
  if (g->roff) return LS_OK;
  const u32 *off = ls_buffer_read(g->off), *to = ls_buffer_read(g->to);
  const void *w = g->w ? ls_buffer_read(g->w) : NULL;
  if (!off || !to || (g->w && !w)) return LS_EMEM;
  u32 *src = ls_malloc(g->m * sizeof *src);
  if (!src) return LS_EMEM;
  for (u32 v = 0; v < g->n; v++)
    for (u32 e = off[v]; e < off[v + 1]; e++) src[e] = v;
  ls_graph *t;
  ls_status st = ls_graph_from_edges(g->n, g->m, to, src, w, g->wtype, g->name, &t);
  ls_free(src);
  if (st) return st;
  g->roff = ls_buffer_retain(t->off);
  g->rto = ls_buffer_retain(t->to);
  g->rw = ls_buffer_retain(t->w);
  ls_graph_release(t);
  return LS_OK;
}
