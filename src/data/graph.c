#include "data/graph.h"

#include <string.h>

#include "core/mem.h"
#include "data/rows.h"

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
  *g = (ls_graph){.refs = 1,
                  .n = n,
                  .m = m,
                  .wtype = wtype,
                  .scale = 1,
                  .name = own_name,
                  .off = arrays[0],
                  .to = arrays[1],
                  .w = arrays[2],
                  .roff = arrays[3],
                  .rto = arrays[4],
                  .rw = arrays[5]};
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

/* An edge list that lies in one piece, cut into runs: small enough to be many, and no function of the number
 * of threads. */
enum { RUN_EDGES = 1 << 18 };

static ls_status sort_list(u32 n, u64 m, const u32 *key, const u32 *other, const void *w, ls_dtype wtype,
                           const u32 *rows, u32 **off, u32 **to, void **sorted_w) {
  size_t nruns = m / RUN_EDGES + 1, wsize = w ? ls_dtype_size(wtype) : 0;
  ls_edge_run *runs = ls_malloc(nruns * sizeof *runs);
  if (!runs) return LS_EMEM;
  for (size_t r = 0; r < nruns; r++) {
    u64 from = r * RUN_EDGES, count = m - from < RUN_EDGES ? m - from : RUN_EDGES;
    runs[r] = (ls_edge_run){.count = count,
                            .key = key + from,
                            .other = other ? other + from : NULL,
                            .w = w ? (const u8 *)w + from * wsize : NULL};
  }
  ls_status st = ls_rows_sort(n, runs, nruns, rows, wsize, off, to, sorted_w);
  ls_free(runs);
  return st;
}

ls_status ls_graph_from_edges(u32 n, u64 m, const u32 *src, const u32 *dst, const void *w, ls_dtype wtype,
                              const char *name, ls_graph **out) {
  u32 *off, *to;
  void *weights;
  ls_status st = sort_list(n, m, src, dst, w, wtype, NULL, &off, &to, &weights);
  return st ? st : ls_graph_from_csr(n, m, off, to, weights, wtype, name, out);
}

ls_status ls_graph_transpose(ls_graph *g) {
  if (g->roff) return LS_OK;
  const u32 *off = ls_buffer_read(g->off), *to = ls_buffer_read(g->to);
  const void *w = g->w ? ls_buffer_read(g->w) : NULL;
  if (!off || !to || (g->w && !w)) return LS_EMEM;
  u32 *roff, *rto;
  void *rw;
  ls_status st = sort_list(g->n, g->m, to, NULL, w, g->wtype, off, &roff, &rto, &rw);
  if (st) return st;
  ls_graph *t; /* its arrays are what is wanted */
  st = ls_graph_from_csr(g->n, g->m, roff, rto, rw, g->wtype, g->name, &t);
  if (st) return st;
  g->roff = ls_buffer_retain(t->off);
  g->rto = ls_buffer_retain(t->to);
  g->rw = ls_buffer_retain(t->w);
  ls_graph_release(t);
  return LS_OK;
}
