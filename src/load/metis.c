/* METIS and Chaco (Karypis, Kumar 1998): "N M [FMT [NCON]]", then one line per vertex with its neighbours,
 * which are numbered from 1.
 *
 * Graphs are undirected: each of the M edges must be in two lines, which is checked. FMT's digits say whether
 * lines have vertex sizes, vertex weights (NCON of them) and edge weights; the first two are skipped. */
#include <stdio.h>
#include <string.h>

#include "load/format.h"
#include "load/graph.h"
#include "load/edge_text.h"
#include "load/write.h"

typedef struct head {
  u64 n, m, skip; /* skip: how many numbers precede the neighbours on a line */
  bool weighted;
} head;

static bool skip_numbers(edge_piece *pc, const char **p, u64 count) {
  for (u64 i = 0; i < count; i++) {
    ls_number x;
    *p = ls_blanks(*p);
    const char *q = ls_number_read(*p, &x);
    if (!q || !ls_ends_word(*q)) return edge_piece_expected(pc, "a vertex's size or weight", *p);
    *p = q;
  }
  return true;
}

static void parse(edge_piece *pc) {
  const head *h = pc->format;
  const char *p = pc->at;
  char word[48];
  u64 u = pc->record;
  while (p < pc->end) {
    pc->line++;
    p = ls_blanks(p);
    if (*p == '%') {
      p = ls_line_end(p) + 1;
      continue;
    }
    if (u >= h->n && *p != '\n') {
      edge_piece_fail(pc, "expected the end after the lines of %llu %s, found %s", (unsigned long long)h->n,
                      h->n == 1 ? "vertex" : "vertices", edge_text_word(p, word));
      return;
    }
    if (u < h->n && !skip_numbers(pc, &p, h->skip)) return;
    while (*(p = ls_blanks(p)) != '\n') {
      u64 v = 0;
      if (!edge_piece_vertex(pc, &p, 1, h->n, &v) || (h->weighted && !edge_piece_read_weight(pc, &p))) return;
      edge_piece_edge(pc, u, v);
    }
    p++;
    u++;
  }
}

static const edge_text_form form = {.comments = "%",
                                    .bytes_per_edge = 2,
                                    .any_length = true,
                                    .records = true,
                                    .blank_records = true,
                                    .parse = parse};

static ls_status read_head(edge_text *t, head *h) {
  const char *line;
  do line = edge_text_line(t);
  while (line && *ls_blanks(line) == '%');
  if (!line)
    return t->st ? ls_fail(t->st, "%s", t->message) : edge_text_fail(t, "the file ends before \"N M [FMT]\"");
  u64 format = 0, ncon = 0;
  const char *p = edge_text_natural(t, line, "the number of vertices", LS_MAX_VERTICES, &h->n);
  if (p) p = edge_text_natural(t, p, "the number of edges", LS_MAX_EDGES / 2, &h->m);
  if (p && *ls_blanks(p) != '\n') {
    p = edge_text_natural(t, p, "the format", 111, &format);
    if (p && (format % 10 > 1 || format / 10 % 10 > 1))
      return edge_text_fail(t, "expected a format of digits 0 and 1, found %llu", (unsigned long long)format);
    ncon = format / 10 % 10;
    if (p && *ls_blanks(p) != '\n') {
      p = edge_text_natural(t, p, "the number of vertex weights", 1000, &ncon);
      if (p && format / 10 % 10 == 0 && ncon)
        return edge_text_fail(t, "the number of vertex weights is given, but FMT has no vertex weights");
      if (p && format / 10 % 10 && !ncon)
        return edge_text_fail(t, "expected 1 weight per vertex or more, since FMT has them, found 0");
    }
  }
  if (!p) return LS_EINPUT;
  if (*ls_blanks(p) != '\n') return edge_text_expected(t, "the end of the line", p);
  h->skip = format / 100 + ncon;
  h->weighted = format % 10;
  return LS_OK;
}

/* An edge whose reverse edge is missing or has another weight. */
typedef struct one_way {
  bool found, there; /* there: the reverse edge exists, but has another weight */
  u32 from, to;
  char weight[2][40];
} one_way;

static void weight_text(const ls_graph *g, const void *w, u64 e, char out[40]) {
  switch (g->wtype) {
  case LS_I32: snprintf(out, 40, "%d", ((const i32 *)w)[e]); break;
  case LS_I64: snprintf(out, 40, "%lld", (long long)((const i64 *)w)[e]); break;
  case LS_F32: out[ls_number_write_f32(((const f32 *)w)[e], out)] = 0; break;
  default: out[ls_number_write(((const f64 *)w)[e], out)] = 0;
  }
}

/* Finds the first edge of g that its transpose lacks. The in-edges of `rows` are the sorted rows of g, those
 * of `back` the sorted rows of the transpose. */
static void find_one_way(const ls_graph *g, const ls_graph *rows, const ls_graph *back, one_way *out) {
  const u32 *off = rows->roff->host, *to = rows->rto->host, *roff = back->roff->host, *rto = back->rto->host;
  const u8 *w = g->w ? rows->rw->host : NULL, *rw = g->w ? back->rw->host : NULL;
  const size_t size = ls_dtype_size(g->wtype);
  for (u32 v = 0; v < g->n; v++)
    for (u64 e = off[v], r = roff[v]; e < off[v + 1];) {
      const bool more = r < roff[v + 1];
      if (more && rto[r] < to[e]) { /* g lacks the edge v -> rto[r]: found in row rto[r] */
        r++;
        continue;
      }
      if (more && rto[r] == to[e] && (!w || memcmp(w + e * size, rw + r * size, size) == 0)) {
        e++, r++;
        continue;
      }
      *out = (one_way){.found = true, .there = more && rto[r] == to[e], .from = v, .to = to[e]};
      if (out->there) weight_text(g, w, e, out->weight[0]), weight_text(g, rw, r, out->weight[1]);
      return;
    }
}

/* Transposing sorts each row, so a graph is symmetric if its transpose equals the transpose of the transpose.
 */
static ls_status check_symmetric(const ls_graph *g, one_way *out) {
  ls_graph *t = NULL, *tt = NULL;
  ls_buffer *arrays[6] = {ls_buffer_retain(g->off), ls_buffer_retain(g->to), ls_buffer_retain(g->w)};
  ls_status st = ls_graph_from_buffers(g->n, g->m, g->wtype, arrays, "", &t);
  if (!st) st = ls_graph_transpose(t);
  if (!st) {
    ls_buffer *back[6] = {ls_buffer_retain(t->roff), ls_buffer_retain(t->rto), ls_buffer_retain(t->rw)};
    st = ls_graph_from_buffers(g->n, g->m, g->wtype, back, "", &tt);
  }
  if (!st) st = ls_graph_transpose(tt);
  if (!st) find_one_way(g, tt, t, out);
  ls_graph_release(t);
  ls_graph_release(tt);
  return st;
}

/* Reads the file again to find the line number for the message, unless the input is not a regular file. */
static ls_status fail_one_way(ls_source *s, const ls_load_options *o, const one_way *x) {
  const unsigned long long from = x->from + 1ull, to = x->to + 1ull;
  char text[200];
  if (x->there)
    snprintf(text, sizeof text, "the edge from %llu to %llu weighs %s, but %s in the line of vertex %llu",
             from, to, x->weight[0], x->weight[1], to);
  else
    snprintf(text, sizeof text,
             "vertex %llu has the neighbour %llu, but vertex %llu does not have %llu in return", from, to, to,
             from);
  ls_source again;
  if (!s->regular || ls_source_open(&again, s->path)) return ls_fail(LS_EINPUT, "%s: %s", s->path, text);
  edge_text t;
  head h = {0};
  edge_text_open(&t, &again, o, &form);
  u64 v = 0;
  const char *line = NULL;
  ls_status st = read_head(&t, &h);
  while (!st && v <= x->from && (line = edge_text_line(&t))) v += *ls_blanks(line) != '%';
  st = line ? edge_text_fail(&t, "%s", text) : ls_fail(LS_EINPUT, "%s: %s", s->path, text);
  edge_text_close(&t);
  ls_source_close(&again);
  return st;
}

static ls_status load(ls_source *s, const ls_load_options *o, ls_graph **out) {
  edge_text t;
  head h = {0};
  edge_text_open(&t, s, o, &form);
  ls_status st = read_head(&t, &h);
  t.weighted = h.weighted;
  if (!st) st = edge_text_edges(&t, &h);
  if (!st && t.records < h.n)
    st = edge_text_fail(&t, "expected lines for %llu %s, as announced, found %llu", (unsigned long long)h.n,
                        h.n == 1 ? "vertex" : "vertices", (unsigned long long)t.records);
  if (!st && t.edges != 2 * h.m)
    st = edge_text_fail(&t, "expected %llu neighbours, as %llu edge%s announced, found %llu",
                        (unsigned long long)h.m * 2, (unsigned long long)h.m, h.m == 1 ? " was" : "s were",
                        (unsigned long long)t.edges);
  if (!st) st = edge_text_graph(&t, h.n, 1, out);
  edge_text_close(&t);
  if (st) return st;
  one_way x = {0};
  st = check_symmetric(*out, &x);
  if (!st && x.found) st = fail_one_way(s, o, &x);
  if (!st) return LS_OK;
  ls_graph_release(*out);
  *out = NULL;
  return st;
}

static ls_status check_savable(const ls_graph *g, const char *path) {
  const ls_rows r = ls_rows_of(g);
  for (u32 v = 0; v < g->n; v++)
    for (u32 e = r.off[v]; e < r.off[v + 1]; e++)
      if (r.to[e] == v)
        return ls_fail(LS_EARG, "%s: METIS graphs have no loops, and vertex %u has one", path, v);
  one_way x = {0};
  ls_status st = check_symmetric(g, &x);
  if (!st && x.found)
    st = ls_fail(LS_EARG,
                 "%s: METIS graphs are undirected, and this one is not symmetric (see g:symmetrize())", path);
  return st;
}

static ls_status save(const ls_graph *g, ls_sink *s) {
  if (ls_dtype_is_real(g->wtype) || g->scale != 1)
    return ls_fail(LS_EARG, "%s: METIS weights are integers, not %s%s", s->path, ls_dtype_name(g->wtype),
                   g->scale != 1 ? " with a scale" : "");
  ls_status st = check_savable(g, s->path);
  if (st) return st;
  ls_rows rows = ls_rows_of(g);
  ls_sink_text(s, "%% %.200s\n%u %llu%s\n", g->name, g->n, (unsigned long long)g->m / 2, g->w ? " 1" : "");
  for (u32 v = 0; v < g->n && !s->st; v++) {
    for (u32 e = rows.off[v]; e < rows.off[v + 1]; e++, s->done++) {
      if (e > rows.off[v]) ls_sink_char(s, ' ');
      ls_sink_integer(s, rows.to[e] + 1ll);
      if (g->w) {
        ls_sink_char(s, ' ');
        ls_write_weight(s, &rows, e);
      }
    }
    ls_sink_char(s, '\n');
  }
  return s->st;
}

const ls_format ls_format_metis = {
    "metis",
    ".graph .metis",
    "METIS: N M [FMT], then the neighbours of each vertex; undirected, 1-based",
    NULL,
    load,
    save,
    false,
    false,
};
