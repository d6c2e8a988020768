#include "data/ops.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "core/wait.h"

enum { SMALL = 1 << 14 }; /* for at most this many vertices, starting threads costs more than it saves */

void ls_graph_inherit(const ls_graph *from, ls_graph *to) {
  to->label_base = from->label_base;
  to->scale = from->scale;
  to->reversed = from->reversed;
  to->vertex_names = from->vertex_names;
  if (to->vertex_names) to->vertex_names->refs++;
}

/* Completes the new graph `to`, made from `from`, with its labels and times (NULL: none), which it takes
 * over. */
static void complete(const ls_graph *from, ls_graph *to, ls_buffer *ids, ls_buffer *t) {
  ls_graph_inherit(from, to);
  to->ids = ids;
  if (ids) ids->read_only = true;
  to->t = t;
  if (t) to->ttype = from->ttype, t->read_only = true;
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
  complete(g, *out, ls_buffer_retain(g->ids), ls_buffer_retain(g->rt));
  (*out)->reversed = !g->reversed;
  (*out)->rt = ls_buffer_retain(g->t);
  return LS_OK;
}

/* --- rows ------------------------------------------------------------------------------------------------
 */

/* Sets *out to a copy of `count` elements from `first` on; leaves it unchanged if `from` is NULL. */
static ls_status cut(ls_buffer *from, u64 first, u64 count, ls_buffer **out) {
  if (!from) return LS_OK;
  const size_t size = ls_dtype_size(from->type);
  const u8 *old = ls_buffer_read(from);
  void *copy = ls_malloc(count * size);
  if (!old || !copy) return ls_free(copy), LS_EMEM;
  memcpy(copy, old + first * size, count * size);
  const ls_status st = ls_buffer_wrap(from->type, count, copy, NULL, out);
  if (st) ls_free(copy);
  return st;
}

void ls_graph_rows_name(const ls_graph *g, u32 first, u32 past, char out[256]) {
  if (first < past)
    snprintf(out, 256, "%.200s, rows %u to %u", g->name, first, past - 1);
  else
    snprintf(out, 256, "%.200s, no row", g->name);
}

ls_status ls_graph_heads_outside(const ls_graph *g, u32 first, u32 past, u32 **list, u64 *count) {
  const u32 *to = ls_buffer_read(g->to);
  u8 *is_head = ls_calloc((size_t)g->n + 1, 1);
  *list = NULL, *count = 0;
  if (!to || !is_head) return ls_free(is_head), LS_EMEM;
  for (u64 e = 0; e < g->m; e++)
    if (to[e] < first || to[e] >= past) is_head[to[e]] = 1;
  for (u32 v = 0; v < g->n; v++) *count += is_head[v];
  u32 *out = *list = ls_malloc((*count + 1) * sizeof *out);
  for (u32 v = 0; out && v < g->n; v++)
    if (is_head[v]) *out++ = v;
  ls_free(is_head);
  return *list ? LS_OK : LS_EMEM;
}

ls_status ls_graph_rows(ls_graph *g, u32 first, u32 past, ls_graph **out) {
  const u32 *old = ls_buffer_read(g->off);
  u32 *off = ls_malloc(((size_t)g->n + 1) * sizeof *off);
  if (!old || !off) return ls_free(off), LS_EMEM;
  const u32 low = old[first], high = old[past];
  for (u64 v = 0; v <= g->n; v++) off[v] = (old[v] < low ? low : old[v] > high ? high : old[v]) - low;
  ls_buffer *arrays[6] = {0}, *t = NULL, *ids = ls_buffer_retain(g->ids);
  ls_status st = ls_buffer_wrap(LS_U32, (u64)g->n + 1, off, NULL, &arrays[0]);
  if (st) ls_free(off);
  if (!st) st = cut(g->to, low, high - low, &arrays[1]);
  if (!st) st = cut(g->w, low, high - low, &arrays[2]);
  if (!st) st = cut(g->t, low, high - low, &t);
  char name[256];
  ls_graph_rows_name(g, first, past, name);
  if (st) {
    for (int i = 0; i < 3; i++) ls_buffer_release(arrays[i]);
  } else {
    st = ls_graph_from_buffers(g->n, high - low, g->wtype, arrays, name, out);
  }
  if (st) {
    ls_buffer_release(t);
    ls_buffer_release(ids);
    return st;
  }
  complete(g, *out, ids, t);
  return LS_OK;
}

/* --- subgraph --------------------------------------------------------------------------------------------
 */

typedef struct parts { /* the arrays of a new graph under construction */
  u32 *off, *to;
  u8 *w, *t;
  i64 *ids;
} parts;

static void drop(parts *p) {
  ls_free(p->off);
  ls_free(p->to);
  ls_free(p->w);
  ls_free(p->t);
  ls_free(p->ids);
}

typedef struct old_graph { /* the arrays of the graph that the new one is derived from */
  const u32 *off, *to;
  const u8 *w, *t; /* NULL: none */
  size_t wsize, tsize;
} old_graph;

static ls_status read_old(old_graph *o, const ls_graph *g, ls_buffer *off, ls_buffer *to, ls_buffer *w,
                          ls_buffer *t) {
  *o = (old_graph){.wsize = ls_dtype_size(g->wtype), .tsize = ls_dtype_size(g->ttype)};
  o->off = ls_buffer_read(off);
  o->to = ls_buffer_read(to);
  if (w) o->w = ls_buffer_read(w);
  if (t) o->t = ls_buffer_read(t);
  return o->off && o->to && (o->w || !w) && (o->t || !t) ? LS_OK : LS_EMEM;
}

/* Copies weight and time of old edge e to new edge `at`. */
static inline void copy_values(const old_graph *o, u64 e, parts *p, u64 at) {
  if (o->w) memcpy(p->w + at * o->wsize, o->w + e * o->wsize, o->wsize);
  if (o->t) memcpy(p->t + at * o->tsize, o->t + e * o->tsize, o->tsize);
}

static ls_status room_for_values(const old_graph *o, u64 m, parts *p) {
  if (o->w && !(p->w = ls_malloc(m * o->wsize))) return LS_EMEM;
  if (o->t && !(p->t = ls_malloc(m * o->tsize))) return LS_EMEM;
  return LS_OK;
}

/* Converts degrees, off[v + 1] = degree of v, to row offsets. Returns the number of edges. */
static u64 sum_degrees(u32 *off, u32 n) {
  u64 m = 0;
  off[0] = 0;
  for (u32 v = 0; v < n; v++) {
    m += off[v + 1];
    off[v + 1] = (u32)m;
  }
  return m;
}

ls_status ls_graph_number(const ls_graph *g, const u32 *vertices, u32 count, u32 *number) {
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

static void copy_kept(const old_graph *g, const u32 *vertices, u32 count, const u32 *number, parts *p) {
  const u32 *off = g->off, *to = g->to;
#pragma omp parallel for schedule(dynamic, 1024) if (count > SMALL)
  for (u32 i = 0; i < count; i++) {
    u64 at = p->off[i];
    for (u32 e = off[vertices[i]]; e < off[vertices[i] + 1]; e++) {
      u32 target = number[to[e]];
      if (target == LS_NO_VERTEX) continue;
      p->to[at] = target;
      copy_values(g, e, p, at);
      at++;
    }
  }
}

/* Makes a graph from the arrays in p, which it takes over even on failure; the rest is inherited from g. */
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
  if (!st && p->t) {
    st = ls_graph_take_times(*out, p->t, g->ttype);
    if (st) ls_graph_release(*out);
  } else {
    ls_free(p->t);
  }
  if (st) {
    ls_buffer_release(ids);
    return st;
  }
  complete(g, *out, ids, (*out)->t);
  return LS_OK;
}

static ls_status part_of(ls_graph *g, const u32 *vertices, u32 count, const char *what, ls_graph **out) {
  old_graph o;
  if (read_old(&o, g, g->off, g->to, g->w, g->t)) return LS_EMEM;
  parts p = {0};
  u64 m = 0;
  u32 *number = ls_malloc(g->n * sizeof *number);
  ls_status st = number ? ls_graph_number(g, vertices, count, number) : LS_EMEM;
  if (!st && !(p.off = ls_malloc(((size_t)count + 1) * sizeof *p.off))) st = LS_EMEM;
  if (!st && !(p.ids = ls_malloc(count * sizeof *p.ids))) st = LS_EMEM;
  if (!st) {
    count_kept(o.off, o.to, vertices, count, number, p.off + 1);
    m = sum_degrees(p.off, count);
    st = stop();
  }
  if (!st && !(p.to = ls_malloc(m * sizeof *p.to))) st = LS_EMEM;
  if (!st) st = room_for_values(&o, m, &p);
  if (!st) {
    copy_kept(&o, vertices, count, number, &p);
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

ls_status ls_graph_part(const ls_graph *g, const u32 *vertices, u32 count, ls_buffer *const arrays[4],
                        ls_graph **out) {
  ls_buffer *const six[6] = {arrays[0], arrays[1], arrays[2]};
  char name[256];
  snprintf(name, sizeof name, "%.200s part", g->name);
  ls_buffer *ids = NULL;
  i64 *labels = ls_malloc(count * sizeof *labels);
  ls_status st = labels ? ls_graph_from_buffers(count, arrays[1]->count, g->wtype, six, name, out) : LS_EMEM;
  if (st) {
    for (int i = 0; !labels && i < 3; i++) ls_buffer_release(arrays[i]);
    ls_buffer_release(arrays[3]);
    ls_free(labels);
    return st;
  }
  for (u32 i = 0; i < count; i++) labels[i] = ls_graph_label(g, vertices[i]);
  st = ls_buffer_wrap(LS_I64, count, labels, NULL, &ids);
  if (st) ls_free(labels);
  complete(g, *out, ids, arrays[3]);
  if (st) ls_graph_release(*out);
  return st;
}

/* --- permute ---------------------------------------------------------------------------------------------
 */

ls_status ls_graph_permute(ls_graph *g, const u32 *to, ls_graph **out) {
  u32 *from = ls_malloc(g->n * sizeof *from); /* the inverse: part_of lists old vertices in their new order */
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

/* Makes a graph with both directions of every edge. Rows of its transpose are sorted. */
static ls_status both_ways(ls_graph *g, ls_graph **out) {
  old_graph o;
  if (read_old(&o, g, g->off, g->to, g->w, g->t)) return LS_EMEM;
  const u32 *off = o.off, *to = o.to;
  u64 m = g->m;
  parts p = {0};
  u32 *src = ls_malloc(2 * m * sizeof *src), *dst = ls_malloc(2 * m * sizeof *dst);
  ls_status st = src && dst ? room_for_values(&o, 2 * m, &p) : LS_EMEM;
  if (!st) {
#pragma omp parallel for schedule(dynamic, 1024) if (g->n > SMALL)
    for (u32 v = 0; v < g->n; v++)
      for (u32 e = off[v]; e < off[v + 1]; e++) {
        src[e] = dst[m + e] = v;
        dst[e] = src[m + e] = to[e];
      }
    for (u64 half = 0; half < 2; half++) {
      if (o.w) memcpy(p.w + half * m * o.wsize, o.w, m * o.wsize);
      if (o.t) memcpy(p.t + half * m * o.tsize, o.t, m * o.tsize);
    }
    st = ls_graph_from_edges(g->n, 2 * m, src, dst, p.w, g->wtype, g->name, out);
    if (!st && o.t) st = ls_graph_list_times(*out, src, p.t, g->ttype);
  }
  ls_free(src);
  ls_free(dst);
  drop(&p);
  return st;
}

/* Writes the lightest edge of each run of equal targets in v's sorted row, unless p->to is NULL. Returns the
 * number of runs. */
static u32 thin_row(const old_graph *both, ls_dtype wtype, u32 v, parts *p) {
  const u32 *off = both->off, *to = both->to;
  u32 kept = 0;
  for (u64 e = off[v], next; e < off[v + 1]; e = next, kept++) {
    u64 best = e;
    for (next = e + 1; next < off[v + 1] && to[next] == to[e]; next++)
      if (lighter(wtype, both->w, next, best)) best = next;
    if (!p->to) continue;
    u64 at = (u64)p->off[v] + kept;
    p->to[at] = to[e];
    copy_values(both, best, p, at);
  }
  return kept;
}

static ls_status thin(const ls_graph *g, ls_graph *both, ls_graph **out) {
  old_graph o;
  if (read_old(&o, g, both->roff, both->rto, both->rw, both->rt)) return LS_EMEM;
  parts p = {.off = ls_malloc(((size_t)g->n + 1) * sizeof *p.off)};
  if (!p.off) return LS_EMEM;
#pragma omp parallel for schedule(dynamic, 1024) if (g->n > SMALL)
  for (u32 v = 0; v < g->n; v++) p.off[v + 1] = thin_row(&o, g->wtype, v, &p);
  u64 m = sum_degrees(p.off, g->n);
  p.to = ls_malloc(m * sizeof *p.to);
  ls_status st = p.to ? room_for_values(&o, m, &p) : LS_EMEM;
  if (!st) st = stop();
  if (st) {
    drop(&p);
    return st;
  }
#pragma omp parallel for schedule(dynamic, 1024) if (g->n > SMALL)
  for (u32 v = 0; v < g->n; v++) thin_row(&o, g->wtype, v, &p);
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
