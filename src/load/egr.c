/* ECL graphs (Burtscher, Texas State University): little-endian 32-bit integers, which are the numbers of
 * vertices and of edges, the row offsets, the targets of the edges and, optionally, their weights. */
#include <string.h>

#include "core/mem.h"
#include "load/format.h"
#include "load/graph.h"
#include "core/sink.h"
#include "core/source.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "binary formats are read as they lie in memory: little-endian"
#endif

/* Nothing may follow the last array. */
static ls_status check_end(ls_source *s) {
  u8 more;
  size_t got;
  ls_status st = ls_source_read(s, &more, 1, &got);
  if (st || !got) return st;
  return ls_fail(LS_EINPUT, "%s: byte %llu: expected the end of the file, found more", s->path,
                 (unsigned long long)s->at - 1);
}

/* Reads the weights, if the file does not end before them. */
static ls_status read_weights(ls_source *s, u64 m, void **out) {
  u64 left;
  bool sized = ls_source_left(s, &left);
  if (m == 0 || (sized && left == 0)) return LS_OK;
  if (sized) return ls_load_array(s, m, sizeof(i32), "the edges' weights", out);
  u8 first[4];
  size_t got;
  ls_status st = ls_source_read(s, first, 4, &got);
  if (st || !got) return st;
  void *rest = NULL;
  if (got == 4) st = ls_load_array(s, m - 1, sizeof(i32), "the edges' weights", &rest);
  if (got < 4)
    st = ls_fail(LS_EINPUT, "%s: byte %llu: the file ends within the edges' weights", s->path,
                 (unsigned long long)s->at);
  i32 *w = st ? NULL : ls_malloc(m * sizeof *w);
  if (w) {
    memcpy(w, first, 4);
    memcpy(w + 1, rest, (m - 1) * sizeof *w);
  }
  ls_free(rest);
  *out = w;
  return st ? st : w ? LS_OK : LS_EMEM;
}

static ls_status load(ls_source *s, const ls_load_options *o, ls_graph **out) {
  i32 sizes[2];
  size_t got;
  ls_status st = ls_source_read(s, sizes, sizeof sizes, &got);
  if (st) return st;
  if (got < sizeof sizes)
    return ls_fail(LS_EINPUT, "%s: byte %zu: the file ends within the numbers of vertices and edges", s->path,
                   got);
  for (int i = 0; i < 2; i++)
    if (sizes[i] < 0)
      return ls_fail(LS_EINPUT, "%s: byte %d: %d %s", s->path, 4 * i, sizes[i], i ? "edges" : "vertices");
  u32 n = (u32)sizes[0];
  u64 m = (u64)sizes[1], off_at = 8, to_at = off_at + 4 * (n + 1ull), w_at = to_at + 4 * m;
  void *off = NULL, *to = NULL, *w = NULL;
  ls_dtype type = LS_NONE;
  st = ls_load_room(s, n, m, LS_NONE);
  if (!st) st = ls_load_array(s, n + 1ull, sizeof(u32), "the rows' offsets", &off);
  if (!st) st = ls_load_array(s, m, sizeof(u32), "the edges' ends", &to);
  if (!st) st = ls_load_check_rows(s->path, n, m, off, off_at, to, to_at);
  if (!st) st = read_weights(s, m, &w);
  if (!st) st = check_end(s);
  if (!st && w && !o->drop_weights) {
    void *raw = w;
    st = ls_load_convert(s->path, w_at, m, LS_I32, raw, o, &type, &w);
    if (st || w != raw) ls_free(raw);
  } else {
    ls_free(w);
    w = NULL;
  }
  if (!st) return ls_load_finish(s, o, n, m, off, to, w, type, 0, out);
  ls_free(off);
  ls_free(to);
  ls_free(w);
  return st;
}

static ls_status save(const ls_graph *g, ls_sink *s) {
  if (g->n > INT32_MAX || g->m > INT32_MAX)
    return ls_fail(LS_EARG,
                   "%s: .egr files have at most 2^31 - 1 vertices and edges, the graph has %u and %llu",
                   s->path, g->n, (unsigned long long)g->m);
  if (g->w && (ls_dtype_is_real(g->wtype) || g->scale != 1))
    return ls_fail(LS_EARG, "%s: .egr weights are i32, not %s%s", s->path, ls_dtype_name(g->wtype),
                   g->scale != 1 ? " with a scale" : "");
  const i64 *wide = g->wtype == LS_I64 ? g->w->host : NULL;
  for (u64 e = 0; wide && e < g->m; e++)
    if (wide[e] != (i32)wide[e])
      return ls_fail(LS_EARG, "%s: .egr weights are i32, and that of edge %llu is %lld", s->path,
                     (unsigned long long)e, (long long)wide[e]);
  s->total = 0;
  i32 sizes[2] = {(i32)g->n, (i32)g->m};
  ls_sink_bytes(s, sizes, sizeof sizes);
  ls_sink_bytes(s, g->off->host, (g->n + 1ull) * sizeof(u32));
  ls_sink_bytes(s, g->to->host, g->m * sizeof(u32));
  for (u64 e = 0; wide && e < g->m && !s->st; e++) {
    i32 w = (i32)wide[e];
    ls_sink_bytes(s, &w, sizeof w);
  }
  if (g->w && !wide) ls_sink_bytes(s, g->w->host, g->m * sizeof(i32));
  return s->st;
}

/* The head has n > 0, m >= 0, a first row offset of 0, and a second row offset from 0 to m. */
static bool looks_like(const char *head, size_t bytes) {
  i32 x[4];
  if (bytes < sizeof x) return false;
  memcpy(x, head, sizeof x);
  return x[0] > 0 && x[1] >= 0 && x[2] == 0 && x[3] >= 0 && x[3] <= x[1];
}

const ls_format ls_format_egr = {
    "egr", ".egr", "ECL graph: binary rows, i32 weights or none", looks_like, load, save, false, false,
};
