#include "data/ops.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "core/wait.h"

enum { SMALL = 1 << 14 }; /* vertices: below, a team of threads costs more than it brings */

/* What a derived graph keeps of its origin besides edges and ids. */
static void inherit(const ls_graph *from, ls_graph *to) {
  to->label_base = from->label_base;
  to->scale = from->scale;
  to->reversed = from->reversed;
  to->namer = from->namer;
  if (to->namer) to->namer->refs++;
}

static ls_status stop(void) { return ls_interrupted() ? ls_fail(LS_EINTERRUPTED, "interrupted") : LS_OK; }

ls_status ls_graph_reverse(ls_graph *g, ls_graph **out) {
  ls_status st = ls_graph_transpose(g);
  if (st) return st;
  char name[256];
  snprintf(name, sizeof name, "%.200s reversed", g->name);
  ls_buffer *const arrays[6] = {ls_buffer_retain(g->roff), ls_buffer_retain(g->rto), ls_buffer_retain(g->rw),
                                ls_buffer_retain(g->off),  ls_buffer_retain(g->to),  ls_buffer_retain(g->w)};
  st = ls_graph_from_buffers(g->n, g->m, g->wtype, arrays, name, out);
  if (st) return st;
  inherit(g, *out);
  (*out)->reversed = !g->reversed;
  (*out)->ids = ls_buffer_retain(g->ids);
  return LS_OK;
}

/* --- subgraph --------------------------------------------------------------------------------------------
 */

typedef struct parts { /* a new graph's arrays while it is made */
  u32 *off, *to;
  u8 *w;
  i64 *ids;
} parts;

static void drop(parts *p) {
  ls_free(p->off);
  ls_free(p->to);
  ls_free(p->w);
  ls_free(p->ids);
}

/* off[v + 1] holds v's degree: sums them up. Returns the number of edges. */
static u64 sum_degrees(u32 *off, u32 n) {
  u64 m = 0;
  off[0] = 0;
  for (u32 v = 0; v < n; v++) {
    m += off[v + 1];
    off[v + 1] = (u32)m;
  }
  return m;
}

/* number[v]: the new number of old vertex v, LS_NO_VERTEX where it is left out. */
static ls_status number_vertices(const ls_graph *g, const u32 *vertices, u32 count, u32 *number) {
  memset(number, 0xff, g->n * sizeof *number);
  for (u32 i = 0; i < count; i++) {
    if (vertices[i] >= g->n) return ls_fail(LS_EARG, "vertex %u is not below n = %u", vertices[i], g->n);
    if (number[vertices[i]] != LS_NO_VERTEX)
      return ls_fail(LS_EARG, "vertex %u is listed twice", vertices[i]);
    number[vertices[i]] = i;
  }
  return LS_OK;
}

static void count_kept(const u32 *off, const u32 *to, const u32 *vertices, u32 count, const u32 *number,
                       u32 *degree) {
#pragma omp parallel for schedule(dynamic, 1024) if (count > SMALL)
  for (u32 i = 0; i < count; i++) {
    u32 kept = 0;
    for (u32 e = off[vertices[i]]; e < off[vertices[i] + 1]; e++) kept += number[to[e]] != LS_NO_VERTEX;
    degree[i] = kept;
  }
}

static void copy_kept(const u32 *off, const u32 *to, const u8 *w, size_t wsize, const u32 *vertices,
                      u32 count, const u32 *number, parts *p) {
#pragma omp parallel for schedule(dynamic, 1024) if (count > SMALL)
  for (u32 i = 0; i < count; i++) {
    u64 at = p->off[i];
    for (u32 e = off[vertices[i]]; e < off[vertices[i] + 1]; e++) {
      u32 target = number[to[e]];
      if (target == LS_NO_VERTEX) continue;
      p->to[at] = target;
      if (w) memcpy(p->w + at * wsize, w + e * wsize, wsize);
      at++;
    }
  }
}

/* Gives the arrays to a new graph derived from g; drops them where that fails. */
static ls_status finish(const ls_graph *g, u32 n, u64 m, parts *p, const char *what, ls_graph **out) {
  char name[256];
  snprintf(name, sizeof name, "%.200s %s", g->name, what);
  ls_buffer *ids = NULL;
  ls_status st = p->ids ? ls_buffer_wrap(LS_I64, n, p->ids, NULL, &ids) : LS_OK;
  if (st) {
    drop(p);
    return st;
  }
  st = ls_graph_from_csr(n, m, p->off, p->to, p->w, g->wtype, name, out);
  if (st) {
    ls_buffer_release(ids);
    return st;
  }
  if (ids) ids->read_only = true;
  inherit(g, *out);
  (*out)->ids = ids;
  return LS_OK;
}

static ls_status part_of(ls_graph *g, const u32 *vertices, u32 count, const char *what, ls_graph **out) {
  const u32 *off = ls_buffer_read(g->off), *to = ls_buffer_read(g->to);
  const u8 *w = g->w ? ls_buffer_read(g->w) : NULL;
  if (!off || !to || (g->w && !w)) return LS_EMEM;
  size_t wsize = ls_dtype_size(g->wtype);
  parts p = {0};
  u64 m = 0;
  u32 *number = ls_malloc(g->n * sizeof *number);
  ls_status st = number ? number_vertices(g, vertices, count, number) : LS_EMEM;
  if (!st && !(p.off = ls_malloc(((size_t)count + 1) * sizeof *p.off))) st = LS_EMEM;
  if (!st && !(p.ids = ls_malloc(count * sizeof *p.ids))) st = LS_EMEM;
  if (!st) {
    count_kept(off, to, vertices, count, number, p.off + 1);
    m = sum_degrees(p.off, count);
    st = stop();
  }
  if (!st && !(p.to = ls_malloc(m * sizeof *p.to))) st = LS_EMEM;
  if (!st && w && !(p.w = ls_malloc(m * wsize))) st = LS_EMEM;
  if (!st) {
    copy_kept(off, to, w, wsize, vertices, count, number, &p);
    for (u32 i = 0; i < count; i++) p.ids[i] = ls_graph_label(g, vertices[i]);
    st = stop();
  }
  ls_free(number);
  if (!st) return finish(g, count, m, &p, what, out);
  drop(&p);
  return st;
}

ls_status ls_graph_subgraph(ls_graph *g, const u32 *vertices, u32 count, ls_graph **out) {
  return part_of(g, vertices, count, "part", out);
}

/* --- permute ---------------------------------------------------------------------------------------------
 */

ls_status ls_graph_permute(ls_graph *g, const u32 *to, ls_graph **out) {
  u32 *from = ls_malloc(g->n * sizeof *from); /* a permuted graph is the part by the inverse order */
  if (!from) return LS_EMEM;
  memset(from, 0xff, g->n * sizeof *from);
  ls_status st = LS_OK;
  for (u32 v = 0; v < g->n && !st; v++) {
    if (to[v] >= g->n)
      st = ls_fail(LS_EARG, "vertex %u would become %u, not below n = %u", v, to[v], g->n);
    else if (from[to[v]] != LS_NO_VERTEX)
      st = ls_fail(LS_EARG, "vertices %u and %u would both become %u", from[to[v]], v, to[v]);
    else
      from[to[v]] = v;
  }
  if (!st) st = part_of(g, from, g->n, "permuted", out);
  ls_free(from);
  return st;
}

ls_status ls_graph_shuffle(ls_graph *g, u64 seed, ls_graph **out) {
  u32 *from = ls_malloc(g->n * sizeof *from);
  if (!from) return LS_EMEM;
  u64 key = ls_key(seed, 0);
#pragma omp parallel for if (g->n > SMALL)
  for (u32 v = 0; v < g->n; v++) from[v] = ls_shuffled(v, g->n, key);
  ls_status st = part_of(g, from, g->n, "shuffled", out);
  ls_free(from);
  return st;
}

/* --- symmetrize ------------------------------------------------------------------------------------------
 */

static bool lighter(ls_dtype t, const void *w, u64 a, u64 b) {
  switch (t) {
  case LS_I32: return ((const i32 *)w)[a] < ((const i32 *)w)[b];
  case LS_I64: return ((const i64 *)w)[a] < ((const i64 *)w)[b];
  case LS_F32: return ((const f32 *)w)[a] < ((const f32 *)w)[b];
  case LS_F64: return ((const f64 *)w)[a] < ((const f64 *)w)[b];
  default: return false;
  }
}

/* Both directions of every edge, as a graph whose transpose has sorted rows. */
static ls_status both_ways(ls_graph *g, ls_graph **out) {
  const u32 *off = ls_buffer_read(g->off), *to = ls_buffer_read(g->to);
  const u8 *w = g->w ? ls_buffer_read(g->w) : NULL;
  if (!off || !to || (g->w && !w)) return LS_EMEM;
  u64 m = g->m, bytes = m * ls_dtype_size(g->wtype);
  u32 *src = ls_malloc(2 * m * sizeof *src), *dst = ls_malloc(2 * m * sizeof *dst);
  u8 *weights = w ? ls_malloc(2 * bytes) : NULL;
  ls_status st = src && dst && (weights || !w) ? LS_OK : LS_EMEM;
  if (!st) {
#pragma omp parallel for schedule(dynamic, 1024) if (g->n > SMALL)
    for (u32 v = 0; v < g->n; v++)
      for (u32 e = off[v]; e < off[v + 1]; e++) {
        src[e] = dst[m + e] = v;
        dst[e] = src[m + e] = to[e];
      }
    if (w) {
      memcpy(weights, w, bytes);
      memcpy(weights + bytes, w, bytes);
    }
    st = ls_graph_from_edges(g->n, 2 * m, src, dst, weights, g->wtype, g->name, out);
  }
  ls_free(src);
  ls_free(dst);
  ls_free(weights);
  return st;
}

/* Writes, of each run of equal targets in v's sorted row, the lightest edge; returns how many there are. */
static u32 thin_row(const u32 *off, const u32 *to, const u8 *w, ls_dtype t, u32 v, parts *p) {
  size_t wsize = ls_dtype_size(t);
  u32 kept = 0;
  for (u64 e = off[v], next; e < off[v + 1]; e = next, kept++) {
    u64 best = e;
    for (next = e + 1; next < off[v + 1] && to[next] == to[e]; next++)
      if (lighter(t, w, next, best)) best = next;
    if (!p->to) continue;
    u64 at = (u64)p->off[v] + kept;
    p->to[at] = to[e];
    if (w) memcpy(p->w + at * wsize, w + best * wsize, wsize);
  }
  return kept;
}

static ls_status thin(const ls_graph *g, ls_graph *both, ls_graph **out) {
  const u32 *off = ls_buffer_read(both->roff), *to = ls_buffer_read(both->rto);
  const u8 *w = both->rw ? ls_buffer_read(both->rw) : NULL;
  if (!off || !to || (both->rw && !w)) return LS_EMEM;
  parts p = {.off = ls_malloc(((size_t)g->n + 1) * sizeof *p.off)};
  if (!p.off) return LS_EMEM;
#pragma omp parallel for schedule(dynamic, 1024) if (g->n > SMALL)
  for (u32 v = 0; v < g->n; v++) p.off[v + 1] = thin_row(off, to, w, g->wtype, v, &p);
  u64 m = sum_degrees(p.off, g->n);
  p.to = ls_malloc(m * sizeof *p.to);
  p.w = w ? ls_malloc(m * ls_dtype_size(g->wtype)) : NULL;
  ls_status st = p.to && (p.w || !w) ? stop() : LS_EMEM;
  if (st) {
    drop(&p);
    return st;
  }
#pragma omp parallel for schedule(dynamic, 1024) if (g->n > SMALL)
  for (u32 v = 0; v < g->n; v++) thin_row(off, to, w, g->wtype, v, &p);
  st = finish(g, g->n, m, &p, "symmetrized", out);
  if (!st) (*out)->ids = ls_buffer_retain(g->ids);
  return st;
}

ls_status ls_graph_symmetrize(ls_graph *g, ls_graph **out) {
  if (2 * g->m > LS_MAX_EDGES)
    return ls_fail(LS_EARG, "%s has too many edges to symmetrize: 2 m must be below 2^32", g->name);
  ls_graph *both = NULL;
  ls_status st = both_ways(g, &both);
  if (!st) st = ls_graph_transpose(both);
  if (!st) st = thin(g, both, out);
  ls_graph_release(both);
  return st;
}
