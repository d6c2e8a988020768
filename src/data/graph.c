#include "data/graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/escape.h"
#include "data/csr.h"

ls_status ls_graph_from_buffers(u32 n, u64 m, ls_dtype wtype, ls_buffer *const arrays[6], const char *name,
                                ls_graph **out) {
  ls_graph *g = ls_calloc(1, sizeof *g);
  char shown[LS_GRAPH_NAME], *own_name = ls_strdup(ls_escaped(name, 0, shown, sizeof shown));
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
                  .ttype = LS_NONE,
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
  for (int i = 0; i <= 3; i += 3) { /* the caller guarantees these contracts */
    if (arrays[i]) ls_buffer_knows(arrays[i], LS_CONTRACT_rows, m);
    if (arrays[i + 1]) ls_buffer_knows(arrays[i + 1], LS_CONTRACT_vertex, n);
  }
  *out = g;
  return LS_OK;
}

/* Wraps the arrays of rows, which it takes over even on failure: off, to, and one attribute of the edges
 * (NULL: none). */
static ls_status wrap_rows(u32 n, u64 m, void *const host[3], ls_dtype type, ls_buffer *out[3]) {
  const ls_dtype types[3] = {LS_U32, LS_U32, type};
  const u64 count[3] = {(u64)n + 1, m, m};
  ls_status st = LS_OK;
  for (int i = 0; i < 3; i++) {
    if (!host[i]) continue;
    if (!st) st = ls_buffer_wrap(types[i], count[i], host[i], NULL, &out[i]);
    if (!out[i])
      ls_free(host[i]);
    else
      out[i]->read_only = true;
  }
  return st;
}

ls_status ls_graph_from_csr(u32 n, u64 m, u32 *off, u32 *to, void *w, ls_dtype wtype, const char *name,
                            ls_graph **out) {
  ls_buffer *arrays[6] = {0};
  const ls_status st = wrap_rows(n, m, (void *const[]){off, to, w}, wtype, arrays);
  if (!st) return ls_graph_from_buffers(n, m, wtype, arrays, name, out);
  for (int i = 0; i < 3; i++) ls_buffer_release(arrays[i]);
  return st;
}

/* x - x != 0 exactly for NaN and infinities. */
#define NOT_FINITE(T)                                                                                        \
  static bool all_finite_##T(const T *w, u64 m) {                                                            \
    bool odd = false;                                                                                        \
    _Pragma("omp parallel for reduction(||:odd) if(m > 1u << 20)") for (u64 e = 0; e < m; e++) odd |=        \
        w[e] - w[e] != 0;                                                                                    \
    return !odd;                                                                                             \
  }
NOT_FINITE(f32)
NOT_FINITE(f64)

u64 ls_weights_not_finite(ls_dtype wtype, const void *w, u64 m) {
  if (!ls_dtype_is_real(wtype)) return m;
  if (wtype == LS_F32 ? all_finite_f32(w, m) : all_finite_f64(w, m)) return m;
  u64 e = 0;
  while (wtype == LS_F32 ? isfinite(((const f32 *)w)[e]) : isfinite(((const f64 *)w)[e])) e++;
  return e;
}

ls_graph *ls_graph_retain(ls_graph *g) {
  g->refs++;
  return g;
}

void ls_graph_release(ls_graph *g) {
  if (!g || --g->refs > 0) return;
  ls_buffer *arrays[] = {g->off, g->to, g->w, g->roff, g->rto, g->rw, g->t, g->rt, g->ids};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) ls_buffer_release(arrays[i]);
  if (g->vertex_names && --g->vertex_names->refs == 0) g->vertex_names->destroy(g->vertex_names);
  ls_free(g->name);
  ls_free(g);
}

/* sort_list cuts a contiguous edge list into runs of this size: small enough to keep all threads busy, and
 * independent of the number of threads. */
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
  ls_status st = ls_csr_sort(n, runs, nruns, rows, wsize, off, to, sorted_w);
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

/* --- times -----------------------------------------------------------------------------------------------
 */

static i64 time_of(const void *t, ls_dtype ttype, u64 e) {
  return ttype == LS_I32 ? ((const i32 *)t)[e] : ((const i64 *)t)[e];
}

ls_status ls_graph_take_times(ls_graph *g, void *t, ls_dtype ttype) {
  ls_status st = LS_OK;
  for (u64 e = 0; e < g->m && !st; e++)
    if (time_of(t, ttype, e) < 0)
      st = ls_fail(LS_EARG, "%s: edge %llu has time %lld: times are not negative", g->name,
                   (unsigned long long)e, (long long)time_of(t, ttype, e));
  if (!st) st = ls_buffer_wrap(ttype, g->m, t, NULL, &g->t);
  if (st) {
    ls_free(t);
    return st;
  }
  g->t->read_only = true;
  g->ttype = ttype;
  return LS_OK;
}

ls_status ls_graph_list_times(ls_graph *g, const u32 *src, const void *t, ls_dtype ttype) {
  u32 *off, *to; /* not used: the sort is stable, so rows are the same as g's */
  void *sorted;
  ls_status st = sort_list(g->n, g->m, src, src, t, ttype, NULL, &off, &to, &sorted);
  if (st) return st;
  ls_free(off);
  ls_free(to);
  return ls_graph_take_times(g, sorted, ttype);
}

/* --- the transpose ---------------------------------------------------------------------------------------
 */

/* Computes the transpose's rows, and one attribute of the edges (`values`, may be NULL) in the transpose's
 * order. */
static ls_status turn(ls_graph *g, ls_buffer *values, ls_dtype type, ls_buffer *out[3]) {
  const u32 *off = ls_buffer_read(g->off), *to = ls_buffer_read(g->to);
  const void *w = values ? ls_buffer_read(values) : NULL;
  if (!off || !to || (values && !w)) return LS_EMEM;
  u32 *new_off, *new_to;
  void *new_w;
  ls_status st = sort_list(g->n, g->m, to, NULL, w, type, off, &new_off, &new_to, &new_w);
  return st ? st : wrap_rows(g->n, g->m, (void *const[]){new_off, new_to, new_w}, type, out);
}

ls_status ls_graph_transpose(ls_graph *g) {
  if (ls_graph_transposed(g)) return LS_OK;
  ls_buffer *rows[3] = {0}, *times[3] = {0};
  ls_status st = LS_OK;
  if (!g->roff || (g->w && !g->rw)) st = turn(g, g->w, g->wtype, rows);
  if (!st && g->t && !g->rt) st = turn(g, g->t, g->ttype, times);
  if (!st && rows[0] && !g->roff) {
    g->roff = ls_buffer_retain(rows[0]);
    g->rto = ls_buffer_retain(rows[1]);
  }
  if (!st && rows[2]) g->rw = ls_buffer_retain(rows[2]);
  if (!st && times[2]) g->rt = ls_buffer_retain(times[2]);
  for (int i = 0; i < 3; i++) {
    ls_buffer_release(rows[i]);
    ls_buffer_release(times[i]);
  }
  return st;
}

bool ls_graph_find(const ls_graph *g, i64 label, u32 *v) {
  const i64 *ids = g->ids ? (const i64 *)ls_buffer_read(g->ids) : NULL;
  if (!ids) {
    *v = (u32)((u64)label - (u64)g->label_base);
    return label >= g->label_base && (u64)label - (u64)g->label_base < g->n;
  }
  for (*v = 0; *v < g->n; ++*v)
    if (ids[*v] == label) return true;
  return false;
}

const char *ls_graph_vertex_text(const ls_graph *g, u32 v, char out[LS_VERTEX_CHARS]) {
  const i64 label = ls_graph_label(g, v);
  if (g->vertex_names) {
    char name[LS_VERTEX_CHARS - 16];
    g->vertex_names->vertex(g->vertex_names, label, name, sizeof name);
    snprintf(out, LS_VERTEX_CHARS, "%u (%s)", v, name);
  } else if (label == (i64)v) {
    snprintf(out, LS_VERTEX_CHARS, "%u", v);
  } else {
    snprintf(out, LS_VERTEX_CHARS, g->ids ? "%u (label %lld)" : "%u (%lld in the file)", v, (long long)label);
  }
  return out;
}

const char *ls_graph_numbering(const ls_graph *g, char out[LS_NUMBERING_CHARS]) {
  const long long base = (long long)g->label_base;
  out[0] = 0;
  if (g->vertex_names) return out;
  if (g->ids)
    snprintf(out, LS_NUMBERING_CHARS, " (g:label(v) is the original label of vertex v)");
  else if (base)
    snprintf(out, LS_NUMBERING_CHARS, " (vertex v is v %c %lld in the file)", base < 0 ? '-' : '+',
             llabs(base));
  return out;
}
