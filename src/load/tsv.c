/* Edge lists as used by SNAP, KONECT and others: "U V" or "U V W" on each line, separated by blanks or, in
 * CSV, by commas. edge_list.c finds the meaning of the columns. Ids that count from 0 are vertex numbers. */
#include <string.h>

#include "core/text.h"
#include "load/format.h"
#include "load/edge_list.h"
#include "load/write.h"

/* Reads an id; *out is its vertex. */
static bool read_id(edge_piece *pc, const edge_list *h, const char **p, int side, u64 *out) {
  const char *word = *p, *q = ls_natural_read(word, out);
  char text[48];
  if (!q || !(ls_ends_word(*q) || *q == ',')) return edge_piece_expected(pc, "a vertex", word);
  if (*out < h->base)
    return edge_piece_fail(pc, "vertex %s is less than %u, the first id; pass {base = 0} if ids count from 0",
                           edge_text_word(word, text), h->base);
  *out -= h->base;
  if (*out >= h->limit[side]) {
    const char *n = h->konect && h->sizes
                        ? h->two_sided ? side ? "the number of targets, " : "the number of sources, " : "n = "
                        : "";
    return edge_piece_fail(pc, "vertex %s is greater than %s%llu", edge_text_word(word, text), n,
                           (unsigned long long)h->limit[side] - 1 + h->base);
  }
  *p = edge_list_separator(q);
  return true;
}

static bool read_weight(edge_piece *pc, const char **p, ls_number *x, const char **word) {
  *word = *p;
  const char *q = ls_number_read(*p, x);
  if (q && (ls_ends_word(*q) || *q == ',')) {
    *p = edge_list_separator(q);
    return true;
  }
  return edge_piece_expected(pc, **p == '\n' ? "a weight as on the first line" : "a weight", *p);
}

/* Skips a field with any contents; within quotes, commas are contents, too. In a file with commas the last
 * field may be missing. */
static bool skip_field(edge_piece *pc, const edge_list *h, const char **at, bool last) {
  const char *p = *at;
  if (*p == '\n' && !(last && h->commas))
    return edge_piece_fail(pc, "expected %d columns as on the first line, found the end of the line",
                           h->columns);
  if (*p == '"') {
    for (p++; *p != '\n' && (*p != '"' || p[1] == '"'); p++) p += *p == '"';
    p += *p == '"';
  }
  while (*p != '\n' && *p != ',' && (h->commas || !ls_ends_word(*p))) p++;
  *at = edge_list_separator(p);
  return true;
}

static bool read_line(edge_piece *pc, const edge_list *h, const char **p) {
  u64 end[2] = {0};
  ls_number x = {0};
  const char *word = NULL;
  for (int c = 0; c < h->columns; c++) {
    const edge_list_column what = h->column[c];
    if (what == COLUMN_WEIGHT   ? !read_weight(pc, p, &x, &word)
        : what == COLUMN_UNREAD ? !skip_field(pc, h, p, c == h->columns - 1)
                                : !read_id(pc, h, p, (int)what, &end[what]))
      return false;
  }
  if (**p != '\n') return edge_piece_expected(pc, "the end of the line as on the first line", *p);
  ++*p;
  end[1] += h->shift;
  if (pc->text->weighted && !edge_piece_weight(pc, &x, word)) return false;
  edge_piece_edge(pc, end[0], end[1]);
  if (!h->both_ways || end[0] == end[1]) return true;
  if (pc->text->weighted && !edge_piece_weight(pc, &x, word)) return false;
  edge_piece_edge(pc, end[1], end[0]);
  return true;
}

static void parse(edge_piece *pc) {
  const char *p = pc->at;
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
    if (!read_line(pc, pc->format, &p)) return;
    pc->entries++;
  }
}

static const edge_text_form form = {.comments = "#%", .bytes_per_edge = 4, .parse = parse};
static const edge_text_form both_ways = {.comments = "#%", .bytes_per_edge = 2, .parse = parse};

/* Adds a note if ids may count from 1: in such a file, read from 0, vertex 0 has no edges, and there is one
 * vertex more than the file says. */
static void note_base(const edge_text *t, const edge_list *h, const ls_graph *g) {
  if (t->options->based || h->konect || !g->m || t->top <= h->n) return;
  const u32 *off = g->off->host, *to = g->to->host;
  if (off[1]) return;
  for (u64 e = 0; e < g->m; e++)
    if (to[e] == 0) return;
  ls_load_note(t->options, "vertex 0 has no edge: if ids count from 1 here, load it with {base = 1}; "
                           "{base = 0} says that they don't");
}

static ls_status load(ls_source *s, const ls_load_options *o, ls_graph **out) {
  edge_text t;
  edge_list h;
  edge_text_open(&t, s, o, &form);
  ls_status st = edge_list_head(&t, &h);
  if (h.both_ways) t.form = &both_ways;
  if (!st) st = edge_text_edges(&t, &h);
  if (!st && t.entries < h.m)
    st = edge_text_fail(&t, "expected %llu edge%s, as announced, found %llu", (unsigned long long)h.m,
                        ls_plural(h.m), (unsigned long long)t.entries);
  if (!st) st = edge_text_graph(&t, t.top > h.n ? t.top : h.n, h.base, out);
  if (!st) note_base(&t, &h, *out);
  edge_text_close(&t);
  return st;
}

static ls_status save_with(const ls_graph *g, ls_sink *s, char between) {
  ls_sink_text(s, "# %.200s\n# Nodes: %u Edges: %llu\n", g->name, g->n, (unsigned long long)g->m);
  ls_sink_text(s, "# source%ctarget%s\n", between, !g->w ? "" : between == ',' ? ",weight" : "\tweight");
  if (g->scale != 1) ls_sink_text(s, "# load with scale = %.17g to get these integers back\n", g->scale);
  ls_write_edges(s, g, 0, 0, between, 0);
  return s->st;
}

static ls_status save(const ls_graph *g, ls_sink *s) {
  return save_with(g, s, ls_path_ends(s->path, ".csv") ? ',' : '\t');
}

/* Comments, then a line of two to four numbers. Not if Matrix Market's banner comes first. */
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
  return words >= 2 && words <= 4;
}

const ls_format ls_format_tsv = {
    "tsv",
    ".tsv .txt .el .wel .csv .edges",
    "edge list, U V [W] on each line (SNAP, KONECT, CSV); ids from 0 kept, or from 1 by base = 1",
    looks_like,
    load,
    save,
    false,
    true,
};
