/* Matrix Market (Boisvert, Pozo, Remington 1996): entry (i, j) of a square matrix is the edge i -> j.
 *
 * For a symmetric matrix the file has one triangle, and an entry off the diagonal is two edges. In the dense
 * "array" form, which has an entry for every position, a zero is not an edge. */
#include <string.h>
#include <strings.h>

#include "core/text.h"
#include "load/format.h"
#include "load/edge_text.h"
#include "load/write.h"

typedef enum symmetry { GENERAL, SYMMETRIC, SKEW } symmetry;

typedef struct head {
  bool array, pattern;
  symmetry symmetry;
  u64 n, entries;
} head;

/* Adds the edge of an entry and, if the matrix is symmetric, its reverse. False: failed. */
static bool add_entry(edge_piece *pc, const head *h, u64 i, u64 j, const ls_number *x, const char *word) {
  if (!h->pattern && !edge_piece_weight(pc, x, word)) return false;
  edge_piece_edge(pc, i, j);
  if (h->symmetry == GENERAL || i == j) return true;
  ls_number other;
  if (!h->pattern) {
    other = *x;
    if (h->symmetry == SKEW) {
      char text[48];
      if (x->whole && !x->wide && x->i == INT64_MIN)
        return edge_piece_fail(pc, "weight %s has no negative in 64 bits", edge_text_word(word, text));
      other.i = (i64) - (u64)x->i;
      other.d = -x->d;
      other.minus = !x->minus;
    }
    if (!edge_piece_weight(pc, &other, word)) return false;
  }
  edge_piece_edge(pc, j, i);
  return true;
}

static bool right_triangle(edge_piece *pc, const head *h, u64 i, u64 j) {
  if (h->symmetry == SKEW && i == j)
    edge_piece_fail(pc, "a skew-symmetric matrix has no diagonal, found entry (%llu, %llu)",
                    (unsigned long long)i + 1, (unsigned long long)j + 1);
  else if (h->symmetry != GENERAL && i < j)
    edge_piece_fail(pc, "a symmetric matrix is given by its lower triangle, found entry (%llu, %llu)",
                    (unsigned long long)i + 1, (unsigned long long)j + 1);
  return !pc->failed;
}

/* Skips blank lines and comments; NULL at the piece's end. */
static const char *next_entry(edge_piece *pc, const char *p) {
  while (p < pc->end) {
    pc->line++;
    const char *q = ls_blanks(p);
    if (*q != '\n' && *q != '%') return q;
    p = ls_line_end(q) + 1;
  }
  return NULL;
}

static void parse_coordinates(edge_piece *pc, const head *h) {
  const char *p = pc->at, *word = NULL;
  ls_number x = {0};
  while ((p = next_entry(pc, p))) {
    u64 i = 0, j = 0;
    if (!edge_piece_vertex(pc, &p, 1, h->n, &i) || !edge_piece_vertex(pc, &p, 1, h->n, &j) ||
        !right_triangle(pc, h, i, j) || (!h->pattern && !edge_piece_number(pc, &p, "a number", &x, &word)) ||
        !edge_piece_line_end(pc, &p) || !add_entry(pc, h, i, j, &x, word))
      return;
    pc->entries++;
  }
}

/* The position of the k-th entry of the array form, which is stored column by column; in a triangle each
 * column begins at the diagonal (skew: below it). False: there is none. */
static bool array_place(const head *h, u64 k, u64 *i, u64 *j) {
  if (h->symmetry == GENERAL) {
    *i = h->n ? k % h->n : 0;
    *j = h->n ? k / h->n : 0;
    return *j < h->n;
  }
  u64 skip = h->symmetry == SKEW, lo = 0, hi = h->n; /* lo: the last column that begins at or before k */
  if (k >= h->entries) return false;
#define COLUMN_BEGINS(c) ((c) * (h->n - skip) - ((c) * ((c)-1)) / 2)
  while (hi - lo > 1) {
    u64 mid = lo + (hi - lo) / 2;
    if (COLUMN_BEGINS(mid) <= k)
      lo = mid;
    else
      hi = mid;
  }
  *j = lo;
  *i = lo + skip + (k - COLUMN_BEGINS(lo));
#undef COLUMN_BEGINS
  return true;
}

static void parse_array(edge_piece *pc, const head *h) {
  const char *p = pc->at, *word;
  ls_number x = {0}; /* all fields are set, because add_entry copies it */
  u64 i = 0, j = 0;
  bool placed = false;
  while ((p = next_entry(pc, p))) {
    if (!placed && !array_place(h, pc->record + pc->entries, &i, &j)) {
      edge_piece_fail(pc, "more than the %llu entries of the matrix", (unsigned long long)h->entries);
      return;
    }
    placed = true;
    if (!edge_piece_number(pc, &p, "a number", &x, &word) || !edge_piece_line_end(pc, &p)) return;
    bool zero = x.whole ? !x.wide && x.i == 0 : x.digits == 0;
    if (!zero && !add_entry(pc, h, i, j, &x, word)) return;
    pc->entries++;
    if (++i == h->n) placed = false; /* the next column */
  }
}

static void parse(edge_piece *pc) {
  const head *h = pc->format;
  if (h->array)
    parse_array(pc, h);
  else
    parse_coordinates(pc, h);
}

static const edge_text_form coordinate_form = {.comments = "%", .bytes_per_edge = 2, .parse = parse};
static const edge_text_form array_form = {
    .comments = "%", .bytes_per_edge = 1, .records = true, .parse = parse};

/* The banner's next word, lower case; "" at the end of the line. */
static const char *next_word(const char *p, char *word, size_t bytes) {
  size_t n = 0;
  p = ls_blanks(p);
  for (; !ls_ends_word(*p); p++)
    if (n + 1 < bytes) word[n++] = (char)(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p);
  word[n] = 0;
  return p;
}

static ls_status unknown(const edge_text *t, const char *word, const char *expected) {
  char line[36];
  size_t n = strlen(word) < sizeof line - 1 ? strlen(word) : sizeof line - 2;
  memcpy(line, word, n);
  line[n] = '\n';
  return edge_text_expected(t, expected, line);
}

static ls_status read_banner(edge_text *t, head *h) {
  char banner[20], object[20], form[20], field[20], symmetry_word[20];
  const char *p = edge_text_line(t);
  if (!p) return t->st ? ls_fail(t->st, "%s", t->message) : edge_text_fail(t, "the file is empty");
  p = next_word(p, banner, sizeof banner);
  p = next_word(p, object, sizeof object);
  p = next_word(p, form, sizeof form);
  p = next_word(p, field, sizeof field);
  next_word(p, symmetry_word, sizeof symmetry_word);
  if (strcmp(banner, "%%matrixmarket") != 0)
    return unknown(t, banner, "the banner \"%%MatrixMarket matrix ...\"");
  if (strcmp(object, "matrix") != 0) return unknown(t, object, "\"matrix\"");
  h->array = strcmp(form, "array") == 0;
  if (!h->array && strcmp(form, "coordinate") != 0) return unknown(t, form, "\"coordinate\" or \"array\"");
  h->pattern = strcmp(field, "pattern") == 0;
  if (strcmp(field, "complex") == 0)
    return edge_text_fail(t, "complex weights: edges have real, integer or no weights");
  if (!h->pattern && strcmp(field, "real") != 0 && strcmp(field, "integer") != 0 &&
      strcmp(field, "double") != 0)
    return unknown(t, field, "\"real\", \"integer\" or \"pattern\"");
  if (strcmp(symmetry_word, "general") == 0)
    h->symmetry = GENERAL;
  else if (strcmp(symmetry_word, "symmetric") == 0)
    h->symmetry = SYMMETRIC;
  else if (strcmp(symmetry_word, "skew-symmetric") == 0)
    h->symmetry = SKEW;
  else if (strcmp(symmetry_word, "hermitian") == 0)
    return edge_text_fail(t, "a hermitian matrix is complex: edges have real, integer or no weights");
  else
    return unknown(t, symmetry_word, "\"general\", \"symmetric\" or \"skew-symmetric\"");
  if (h->pattern && (h->array || h->symmetry == SKEW))
    return edge_text_fail(t, "a pattern matrix has no %s form", h->array ? "array" : "skew-symmetric");
  return LS_OK;
}

static ls_status read_sizes(edge_text *t, head *h) {
  const char *line;
  u64 rows;
  do line = edge_text_line(t);
  while (line && (*ls_blanks(line) == '%' || *ls_blanks(line) == '\n'));
  if (!line)
    return t->st ? ls_fail(t->st, "%s", t->message)
                 : edge_text_fail(t, "the file ends before the line of sizes");
  const char *p = edge_text_natural(t, line, "the number of rows", LS_MAX_VERTICES, &rows);
  if (p) p = edge_text_natural(t, p, "the number of columns", LS_MAX_VERTICES, &h->n);
  if (p && !h->array) p = edge_text_natural(t, p, "the number of entries", LS_MAX_EDGES, &h->entries);
  if (!p) return LS_EINPUT;
  if (*ls_blanks(p) != '\n') return edge_text_expected(t, "the end of the line", p);
  if (rows != h->n)
    return edge_text_fail(t, "%llu row%s, %llu column%s: a graph is a square matrix",
                          (unsigned long long)rows, ls_plural(rows), (unsigned long long)h->n,
                          ls_plural(h->n));
  if (h->array) {
    u64 n = h->n;
    h->entries = h->symmetry == GENERAL ? n * n : n % 2 ? (n + 1) / 2 * n : n / 2 * (n + 1);
    if (h->symmetry == SKEW) h->entries -= n;
  }
  return LS_OK;
}

static ls_status load(ls_source *s, const ls_load_options *o, ls_graph **out) {
  edge_text t;
  head h = {0};
  edge_text_open(&t, s, o, &coordinate_form);
  ls_status st = read_banner(&t, &h);
  if (!st) st = read_sizes(&t, &h);
  if (h.array) t.form = &array_form;
  t.weighted = !h.pattern;
  if (!st) st = edge_text_edges(&t, &h);
  if (!st && t.entries != h.entries)
    st = edge_text_fail(&t, "expected %llu %s, as announced, found %llu", (unsigned long long)h.entries,
                        h.entries == 1 ? "entry" : "entries", (unsigned long long)t.entries);
  if (!st) st = edge_text_graph(&t, h.n, 1, out);
  edge_text_close(&t);
  return st;
}

static ls_status save(const ls_graph *g, ls_sink *s) {
  bool real = ls_dtype_is_real(g->wtype) || g->scale != 1;
  ls_sink_text(s, "%%%%MatrixMarket matrix coordinate %s general\n%% %.200s\n",
               !g->w  ? "pattern"
               : real ? "real"
                      : "integer",
               g->name);
  if (g->scale != 1) ls_sink_text(s, "%% load with scale = %.17g to get these integers back\n", g->scale);
  ls_sink_text(s, "%u %u %llu\n", g->n, g->n, (unsigned long long)g->m);
  ls_write_edges(s, g, 0, 1, ' ', 0);
  return s->st;
}

static bool looks_like(const char *head_text, size_t bytes) {
  return bytes > 14 && strncasecmp(head_text, "%%MatrixMarket", 14) == 0;
}

const ls_format ls_format_mtx = {
    "mtx",      ".mtx .mm", "Matrix Market: entry (i, j) of a square matrix is the edge i -> j; 1-based",
    looks_like, load,       save,
    false,      false,
};
