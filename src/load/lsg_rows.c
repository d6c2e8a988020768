/* Parts of a .lsg: the rows of some vertices. Only these rows are read and checked, so that each of several
 * processes reads its own. */
#include <string.h>

#include "core/mem.h"
#include "data/ops.h"
#include "load/graph.h"
#include "load/load.h"
#include "load/lsg.h"

body *ls_lsg_body(const ls_graph *g) {
  ls_owner *o = g->to ? g->to->owner : NULL;
  body *b = o && o->destroy == ls_lsg_destroy ? (body *)o : NULL;
  return b && b->in_parts ? b : NULL;
}

bool ls_lsg_in_parts(const ls_graph *g, u64 *checksum) {
  const body *b = ls_lsg_body(g);
  if (b) *checksum = b->h.checksum;
  return b != NULL;
}

u32 ls_lsg_offset(const ls_graph *g, u32 v) {
  const body *b = ls_lsg_body(g);
  return ((const u32 *)ls_lsg_at(b, b->h.part[OFF].at))[v];
}

/* Owner of arrays in the mapped file. Using them does not check the rest of the file. */
typedef struct piece {
  ls_owner owner;
  body *b;
} piece;

static void destroy_piece(ls_owner *o) {
  piece *p = (piece *)o;
  if (--p->b->owner.refs == 0) ls_lsg_destroy(&p->b->owner);
  ls_free(p);
}
static ls_status check_piece(ls_owner *o) { return ls_mapping_check(((piece *)o)->b->map); }

static ls_status bad_offset(const body *b, int i, u64 v, const char *what, u64 found, u64 than) {
  return ls_fail(LS_EINPUT, "%s: byte %llu: offset %llu of vertex %llu %s %llu", b->path,
                 (unsigned long long)(b->h.part[i].at + 4 * v), (unsigned long long)found,
                 (unsigned long long)v, what, (unsigned long long)than);
}

/* The offsets of a graph that has only the rows [first, past) and whose other rows are empty; *out is from
 * ls_malloc. The edges of these rows are [*low, *high). */
static ls_status offsets(const body *b, int i, u32 first, u32 past, u32 **out, u64 *low, u64 *high) {
  const u64 n = b->h.n, m = b->h.m;
  const u32 *file = ls_lsg_at(b, b->h.part[i].at);
  u32 *off = ls_malloc((n + 1) * sizeof *off);
  if (!off) return LS_EMEM;
  ls_status st = LS_OK;
  memcpy(off + first, file + first,
         ((u64)past - first + 1) * sizeof *off); /* copied first, so that what is checked is what is used */
  if (first == 0 && off[0] != 0) st = bad_offset(b, i, 0, "should be", off[0], 0);
  if (!st && past == n && off[n] != m) st = bad_offset(b, i, n, "should be the number of edges,", off[n], m);
  for (u64 v = first; v < past && !st; v++)
    if (off[v] > off[v + 1])
      st = bad_offset(b, i, v + 1, "is less than the previous offset,", off[v + 1], off[v]);
  if (!st && off[past] > m) st = bad_offset(b, i, past, "is more than the number of edges,", off[past], m);
  if (st) {
    ls_free(off);
    return st;
  }
  const u32 from = off[first], to = off[past];
  for (u64 v = 0; v <= n; v++) off[v] = v <= first ? 0 : v >= past ? to - from : off[v] - from;
  *out = off, *low = from, *high = to;
  return LS_OK;
}

static ls_status check(const body *b, int i, u64 low, u64 count, ls_dtype type, const void *x) {
  const u64 at = b->h.part[i].at;
  if (i == TO || i == RTO) return ls_load_check_ends(b->path, at, low, count, (u32)b->h.n, x);
  if (i == W || i == RW) return ls_load_check_weights(b->path, at, low, count, type, x);
  return ls_load_check_times(b->path, at, low, count, type, x);
}

static ls_status wrap(piece *p, int i, u64 low, u64 count, ls_dtype type, ls_buffer **out) {
  const body *b = p->b;
  if (type == LS_NONE || !b->h.part[i].at) return LS_OK;
  void *x = (void *)((uintptr_t)ls_lsg_at(b, b->h.part[i].at) + low * ls_dtype_size(type));
  const ls_status st = check(b, i, low, count, type, x);
  return st ? st : ls_buffer_wrap(type, count, x, &p->owner, out);
}

ls_status ls_lsg_rows(const ls_graph *g, u32 first, u32 past, bool in_edges, ls_graph **out, u64 *edge) {
  body *b = ls_lsg_body(g);
  const int o = in_edges ? ROFF : OFF;
  const ls_dtype ttype = ls_lsg_types[b->h.ttype];
  ls_buffer *arrays[6] = {0}, *t = NULL;
  u32 *off = NULL;
  u64 low = 0, high = 0;
  if (first > past || past > b->h.n)
    return ls_fail(LS_EINPUT, "%s: byte %llu: the offsets do not rise between the vertices %u and %u",
                   b->path, (unsigned long long)b->h.part[o].at, past, first);
  piece *p = ls_calloc(1, sizeof *p);
  if (!p) return LS_EMEM;
  *p = (piece){.owner = {.refs = 1, .destroy = destroy_piece, .check = check_piece}, .b = b};
  b->owner.refs++;
  ls_status st = offsets(b, o, first, past, &off, &low, &high);
  if (!st && (st = ls_buffer_wrap(LS_U32, b->h.n + 1, off, NULL, &arrays[0]))) ls_free(off);
  if (!st) st = wrap(p, o + 1, low, high - low, LS_U32, &arrays[1]);
  if (!st) st = wrap(p, o + 2, low, high - low, ls_lsg_types[b->h.wtype], &arrays[2]);
  if (!st) st = wrap(p, in_edges ? RT : T, low, high - low, ttype, &t);
  if (!st) st = ls_mapping_check(b->map); /* data that could not be read are zeros */
  char name[256];
  ls_graph_rows_name(g, first, past, name);
  if (st)
    for (int i = 0; i < 3; i++) ls_buffer_release(arrays[i]);
  else
    st = ls_graph_from_buffers(g->n, high - low, g->wtype, arrays, name, out);
  if (st) {
    ls_buffer_release(t);
  } else {
    ls_graph_inherit(g, *out);
    (*out)->ids = ls_buffer_retain(g->ids);
    (*out)->t = t;
    if (t) (*out)->ttype = ttype, t->read_only = true;
    if (in_edges) (*out)->reversed = !g->reversed;
    *edge = low;
  }
  if (--p->owner.refs == 0) destroy_piece(&p->owner);
  return st;
}

bool ls_lsg_in_edges(const ls_graph *g) {
  const body *b = ls_lsg_body(g);
  return b && b->h.part[ROFF].at;
}
