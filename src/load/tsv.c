/* Edge lists as SNAP and others keep them: "U V" or "U V W" a line, split by blanks or, in CSV, by commas;
 * 0-based ids are kept as they are. */
#include <string.h>

#include "core/text.h"
#include "load/format.h"
#include "load/edge_text.h"
#include "load/write.h"

static inline const char *separator(const char *p) {
  p = ls_blanks(p);
  return *p == ',' ? ls_blanks(p + 1) : p;
}

static bool read_id(edge_piece *pc, const char **p, u64 *out) {
  const char *word = *p, *q = ls_natural_read(word, out);
  char text[48];
  if (!q || !(ls_ends_word(*q) || *q == ',')) {
    edge_piece_fail(pc, "expected a vertex, found %s", edge_text_word(word, text));
    return false;
  }
  if (*out >= LS_MAX_VERTICES) {
    edge_piece_fail(pc, "vertex %s > %llu", edge_text_word(word, text), LS_MAX_VERTICES - 1);
    return false;
  }
  *p = separator(q);
  return true;
}

static void parse(edge_piece *pc) {
  const char *p = pc->at;
  char word[48];
  while (p < pc->end) {
    pc->line++;
    p = ls_blanks(p);
    if (*p == '\n') {
      p++;
      continue;
    }
    if (*p == '#' || *p == '%') {
      p = ls_line_end(p) + 1;
      continue;
    }
    u64 u, v;
    if (!read_id(pc, &p, &u) || !read_id(pc, &p, &v)) return;
    if (pc->text->weighted) {
      if (*p == '\n') {
        edge_piece_fail(pc, "expected a weight as on the first line, found the end of the line");
        return;
      }
      if (!edge_piece_read_weight(pc, &p)) return;
    } else if (*p != '\n') {
      edge_piece_fail(pc, "expected the end of the line as on the first line, found %s",
                      edge_text_word(p, word));
      return;
    }
    if (!edge_piece_line_end(pc, &p)) return;
    edge_piece_edge(pc, u, v);
  }
}

static const edge_text_form form = {.comments = "#%", .bytes_per_edge = 4, .parse = parse};

static const char *find_word(const char *line, const char *what) {
  const char *end = ls_line_end(line), *p = memmem(line, (size_t)(end - line), what, strlen(what));
  return p ? ls_blanks(p + strlen(what)) : NULL;
}

/* SNAP's "# Nodes: N Edges: M". */
static ls_status read_comment(const edge_text *t, const char *line, u64 *n, u64 *m, bool *announced) {
  const char *p = find_word(line, "Nodes:");
  if (!p || !find_word(line, "Edges:")) return LS_OK;
  *announced = true;
  if (!edge_text_natural(t, p, "the number of vertices", LS_MAX_VERTICES, n)) return LS_EINPUT;
  if (!edge_text_natural(t, find_word(line, "Edges:"), "the number of edges", LS_MAX_EDGES, m))
    return LS_EINPUT;
  return LS_OK;
}

static int columns(const char *p) {
  int count = 0;
  for (; *(p = separator(p)) != '\n'; count++)
    while (!ls_ends_word(*p) && *p != ',') p++;
  return count;
}

/* Comments, a CSV's line of names, and a look at the first edge: has it a weight? */
static ls_status read_head(edge_text *t, u64 *n, u64 *m) {
  const char *line;
  bool announced = false;
  bool names = false;
  while ((line = edge_text_line(t))) {
    const char *p = ls_blanks(line);
    if (*p == '\n') continue;
    if (*p == '#' || *p == '%') {
      ls_status st = read_comment(t, line, n, m, &announced);
      if (st) return st;
      continue;
    }
    if (!names && ((unsigned)(*p | 32) - 'a' < 26 || *p == '"') &&
        memchr(p, ',', (size_t)(ls_line_end(p) - p))) {
      names = true;
      continue;
    }
    int count = columns(line);
    if (count != 2 && count != 3) {
      char word[48];
      return edge_text_fail(t, "expected \"U V\" or \"U V W\", found %d columns from %s on", count,
                            edge_text_word(p, word));
    }
    t->weighted = count == 3;
    edge_text_unread(t, line);
    return LS_OK;
  }
  if (t->st) return ls_fail(t->st, "%s", t->message);
  return announced ? LS_OK : edge_text_fail(t, "no edges, and no \"# Nodes: N Edges: M\"");
}

static ls_status load(ls_source *s, const ls_load_options *o, ls_graph **out) {
  edge_text t;
  u64 n = 0, m = 0;
  edge_text_open(&t, s, o, &form);
  ls_status st = read_head(&t, &n, &m);
  if (!st) st = edge_text_edges(&t, NULL);
  if (!st && t.edges < m)
    st = edge_text_fail(&t, "expected %llu edge%s, as announced, found %llu", (unsigned long long)m,
                        ls_plural(m), (unsigned long long)t.edges);
  if (!st) st = edge_text_graph(&t, t.top > n ? t.top : n, 0, out);
  edge_text_close(&t);
  return st;
}

static ls_status save_with(const ls_graph *g, ls_sink *s, char between) {
  ls_rows rows = ls_rows_of(g);
  ls_sink_text(s, "# %.200s\n# Nodes: %u Edges: %llu\n", g->name, g->n, (unsigned long long)g->m);
  if (g->scale != 1) ls_sink_text(s, "# load with scale = %.17g to get these integers back\n", g->scale);
  for (u32 v = 0; v < g->n && !s->st; v++)
    for (u32 e = rows.off[v]; e < rows.off[v + 1]; e++, s->done++) {
      ls_sink_integer(s, v);
      ls_sink_char(s, between);
      ls_sink_integer(s, rows.to[e]);
      if (g->w) {
        ls_sink_char(s, between);
        ls_write_weight(s, &rows, e);
      }
      ls_sink_char(s, '\n');
    }
  return s->st;
}

static ls_status save(const ls_graph *g, ls_sink *s) {
  return save_with(g, s, ls_path_ends(s->path, ".csv") ? ',' : '\t');
}

/* Comments, then a line of two or three numbers. */
static bool looks_like(const char *head, size_t bytes) {
  const char *p = head, *end = p + bytes;
  while (p < end && (*p == '#' || *p == '%' || *p == '\n' || *p == '\r')) {
    if (bytes > 14 && strncmp(p, "%%MatrixMarket", 14) == 0) return false;
    p = memchr(p, '\n', (size_t)(end - p));
    if (!p) return false;
    p++;
  }
  const char *line_end = memchr(p, '\n', (size_t)(end - p));
  int words = 0;
  bool in_word = false;
  for (; p < (line_end ? line_end : end); p++) {
    bool digit = *p && strchr("0123456789+-.eE", *p);
    if (!digit && !ls_ends_word(*p) && *p != ',') return false;
    words += digit && !in_word;
    in_word = digit;
  }
  return words == 2 || words == 3;
}

const ls_format ls_format_tsv = {
    "tsv",
    ".tsv .txt .el .csv .edges",
    "edge list, U V [W] on each line (SNAP, CSV); ids from 0 kept",
    looks_like,
    load,
    save,
    false,
};
