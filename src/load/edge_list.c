/* Reads the head of an edge list. The meaning of columns is given by one of:
 *
 *   source,target,weight     a first line of names (spreadsheets, igraph, networkx, pandas)
 *   # FromNodeId  ToNodeId   the last comment before the edges, if it has one word per column (SNAP)
 *   % bip weighted           KONECT (Kunegis 2013), followed by "% EDGES SOURCES TARGETS"
 *
 * In KONECT files ids count from 1, with "bip" separately for sources and targets. Without any of these
 * lines, columns are source, target, weight. Guesses, and columns that are not read, are reported in notes.
 */
#include "load/edge_list.h"

#include <stdio.h>
#include <strings.h>

#include "core/escape.h"
#include "core/source.h"
#include "core/text.h"

enum { UNKNOWN = COLUMN_UNREAD + 1, NAME_BYTES = 24 };

#define EXPECTED "expected source, target and weight in any order (or from, to; src, dst; u, v; w)"

static int column_called(const char *name) {
  static const struct {
    const char *name;
    edge_list_column column;
  } names[] = {
      {"source", COLUMN_SOURCE},     {"src", COLUMN_SOURCE},       {"from", COLUMN_SOURCE},
      {"fromnodeid", COLUMN_SOURCE}, {"u", COLUMN_SOURCE},         {"target", COLUMN_TARGET},
      {"dst", COLUMN_TARGET},        {"dest", COLUMN_TARGET},      {"destination", COLUMN_TARGET},
      {"to", COLUMN_TARGET},         {"tonodeid", COLUMN_TARGET},  {"v", COLUMN_TARGET},
      {"weight", COLUMN_WEIGHT},     {"w", COLUMN_WEIGHT},         {"", COLUMN_UNREAD}, /* pandas' index */
      {"id", COLUMN_UNREAD},         {"edge_id", COLUMN_UNREAD},   {"label", COLUMN_UNREAD},
      {"time", COLUMN_UNREAD},       {"timestamp", COLUMN_UNREAD},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcasecmp(names[i].name, name) == 0) return (int)names[i].column;
  return UNKNOWN;
}

/* A line of column names. */
typedef struct heading {
  int columns;
  u8 column[EDGE_LIST_COLUMNS];             /* edge_list_column or UNKNOWN */
  char name[EDGE_LIST_COLUMNS][NAME_BYTES]; /* shortened */
  int count[UNKNOWN + 1];
  bool commas;
} heading;

static const char *read_name(const char *p, bool commas, char out[NAME_BYTES]) {
  const bool quoted = *p == '"';
  size_t n = 0;
  for (p += quoted; *p != '\n' && (quoted ? *p != '"' : *p != ',' && (commas || !ls_ends_word(*p))); p++)
    if (n + 1 < NAME_BYTES) out[n++] = *p;
  if (!quoted)
    while (n && (out[n - 1] == ' ' || out[n - 1] == '\t' || out[n - 1] == '\r')) n--;
  out[n] = 0;
  return edge_list_separator(p + (*p == '"'));
}

static heading read_heading(const char *line) {
  heading a = {.commas = memchr(line, ',', (size_t)(ls_line_end(line) - line)) != NULL};
  for (const char *p = ls_blanks(line); *p != '\n'; a.columns++) {
    char name[NAME_BYTES];
    p = read_name(p, a.commas, name);
    if (a.columns >= EDGE_LIST_COLUMNS) continue;
    const int c = column_called(name);
    a.column[a.columns] = (u8)c;
    a.count[c]++;
    memcpy(a.name[a.columns], name, sizeof name);
  }
  return a;
}

/* A column's name for messages: in quotes, or "without a name". */
static const char *called(const heading *a, int c, char out[64]) {
  char text[48];
  if (!*a->name[c]) return "without a name";
  snprintf(out, 64, "\"%s\"", ls_escaped(a->name[c], 0, text, sizeof text));
  return out;
}

static ls_status check_heading(const edge_text *t, const heading *a, const char *line) {
  char text[64];
  if (!a->count[COLUMN_SOURCE] && !a->count[COLUMN_TARGET])
    return edge_text_expected(t, "a vertex, or names of columns (source, target, weight)", line);
  if (a->columns > EDGE_LIST_COLUMNS)
    return edge_text_fail(t, "expected at most %d columns, found %d", EDGE_LIST_COLUMNS, a->columns);
  for (int c = 0; c < a->columns; c++)
    if (a->column[c] == UNKNOWN)
      return edge_text_fail(t, "column %d is called %s: " EXPECTED "; id, label and time are skipped", c + 1,
                            called(a, c, text));
  static const char *const what[] = {"sources", "targets", "weights"};
  for (int k = COLUMN_SOURCE; k <= COLUMN_WEIGHT; k++) {
    if (a->count[k] > 1)
      return edge_text_fail(t, "%d columns are called %s: " EXPECTED ", each once", a->count[k], what[k]);
    if (!a->count[k] && k != COLUMN_WEIGHT)
      return edge_text_fail(t, "no column is called %s: " EXPECTED, k == COLUMN_SOURCE ? "source" : "target");
  }
  return LS_OK;
}

/* Adds a note for each column that is not read; first: the line of the first edge, or NULL. */
static void note_unread(const edge_text *t, const edge_list *h, const heading *a, const char *first) {
  const char *p = first ? ls_blanks(first) : NULL;
  for (int c = 0; c < h->columns; c++) {
    char text[64];
    if (h->column[c] == COLUMN_UNREAD) {
      if (a)
        ls_load_note(t->options, "column %d, %s, is not read", c + 1, called(a, c, text));
      else if (p)
        ls_load_note(t->options, "column %d (%s in line %llu) is not read%s", c + 1, edge_text_word(p, text),
                     (unsigned long long)t->lines, c == 3 ? ": times of a network are not kept" : "");
    }
    while (p && !ls_ends_word(*p) && *p != ',') p++;
    if (p) p = edge_list_separator(p);
  }
}

static void take_heading(edge_list *h, const heading *a) {
  h->columns = a->columns;
  memcpy(h->column, a->column, sizeof h->column);
  h->named = true;
}

/* Uses the words of a comment as column names. The caller has checked that there is one word per column and
 * that source and target are among them. If no word means weight, the first unknown word does, for example
 * "Sign" of SNAP. */
static void take_comment(const edge_text *t, edge_list *h, heading *a, const char *first) {
  for (int c = 0; c < a->columns; c++) {
    char text[64];
    if (a->column[c] != UNKNOWN) continue;
    a->column[c] = a->count[COLUMN_WEIGHT]++ ? COLUMN_UNREAD : COLUMN_WEIGHT;
    if (a->column[c] == COLUMN_WEIGHT && t->options->weights == LS_NONE && !t->options->drop_weights)
      ls_load_note(t->options, "column %d, %s, is taken for weights; {weights = \"none\"} leaves them out",
                   c + 1, called(a, c, text));
  }
  take_heading(h, a);
  note_unread(t, h, a, first);
}

static const char *find_word(const char *line, const char *what) {
  const char *end = ls_line_end(line), *p = memmem(line, (size_t)(end - line), what, strlen(what));
  return p ? ls_blanks(p + strlen(what)) : NULL;
}

/* Reads SNAP's line "# Nodes: N Edges: M". */
static ls_status read_sizes(const edge_text *t, const char *line, edge_list *h) {
  const char *p = find_word(line, "Nodes:");
  if (!p || !find_word(line, "Edges:")) return LS_OK;
  h->sizes = true;
  if (!edge_text_natural(t, p, "the number of vertices", LS_MAX_VERTICES, &h->n)) return LS_EINPUT;
  if (!edge_text_natural(t, find_word(line, "Edges:"), "the number of edges", LS_MAX_EDGES, &h->m))
    return LS_EINPUT;
  return LS_OK;
}

/* --- KONECT ------------------------------------------------------------------------------------------------
 */

typedef struct konect {
  bool plain;   /* "unweighted" */
  bool dynamic; /* the third column is not necessarily a weight */
} konect;

/* Reads "% sym|asym|bip KIND"; the kinds are those of the KONECT handbook. */
static bool read_konect(const char *line, edge_list *h, konect *k) {
  static const char *const kinds[] = {"unweighted",    "positive",         "posweighted",
                                      "signed",        "multisigned",      "weighted",
                                      "multiweighted", "multiposweighted", "dynamic"};
  char shape[NAME_BYTES], kind[NAME_BYTES];
  const char *p = read_name(ls_blanks(line + 1), false, shape);
  if (*line != '%' || (strcmp(shape, "sym") != 0 && strcmp(shape, "asym") != 0 && strcmp(shape, "bip") != 0))
    return false;
  read_name(p, false, kind);
  size_t i = 0;
  while (i < sizeof kinds / sizeof *kinds && strcmp(kinds[i], kind) != 0) i++;
  if (i == sizeof kinds / sizeof *kinds) return false;
  h->konect = true;
  h->base = 1;
  h->two_sided = strcmp(shape, "bip") == 0;
  h->both_ways = strcmp(shape, "asym") != 0;
  *k = (konect){.plain = i == 0, .dynamic = strcmp(kind, "dynamic") == 0};
  return true;
}

/* Reads KONECT's line "% EDGES SOURCES TARGETS". */
static bool read_konect_sizes(const char *line, edge_list *h) {
  const char *p = line + 1;
  u64 x[3];
  for (int i = 0; i < 3; i++) {
    p = ls_natural_read(ls_blanks(p), &x[i]);
    if (!p || !ls_ends_word(*p)) return false;
  }
  if (x[0] > LS_MAX_EDGES || x[1] > LS_MAX_VERTICES || x[2] > LS_MAX_VERTICES) return false;
  h->sizes = true;
  h->m = x[0];
  h->limit[0] = x[1];
  h->limit[1] = x[2];
  return true;
}

static ls_status finish_konect(const edge_text *t, edge_list *h, const konect *k) {
  if (h->two_sided) {
    if (!h->sizes)
      return edge_text_fail(
          t, "expected a comment \"%% EDGES LEFT RIGHT\" below \"%% bip\": ids of both sides begin at 1, "
             "so the number of vertices on the left must be given");
    if (h->limit[0] + h->limit[1] > LS_MAX_VERTICES)
      return edge_text_fail(t, "%llu vertices, more than %llu",
                            (unsigned long long)(h->limit[0] + h->limit[1]),
                            (unsigned long long)LS_MAX_VERTICES);
    h->shift = (u32)h->limit[0];
    h->n = h->limit[0] + h->limit[1];
    ls_load_note(t->options,
                 "KONECT, two sides of %llu and %llu vertices: vertex j on the right gets number %llu + j, "
                 "counted from 1; edges go both ways",
                 (unsigned long long)h->limit[0], (unsigned long long)h->limit[1],
                 (unsigned long long)h->limit[0]);
  } else {
    if (h->sizes) {
      h->n = h->limit[0] > h->limit[1] ? h->limit[0] : h->limit[1];
      h->limit[0] = h->limit[1] = h->n;
    }
    if (h->both_ways) ls_load_note(t->options, "KONECT, undirected: edges go both ways");
  }
  for (int c = 0; c < h->columns; c++)
    if (k->plain && h->column[c] == COLUMN_WEIGHT) h->column[c] = COLUMN_UNREAD;
  h->named |= !k->dynamic;
  return LS_OK;
}

/* --- the whole head ----------------------------------------------------------------------------------------
 */

static int count_columns(const char *p) {
  int count = 0;
  for (p = ls_blanks(p); *p != '\n'; count++) {
    while (!ls_ends_word(*p) && *p != ',') p++;
    p = edge_list_separator(p);
  }
  return count;
}

static bool begins_heading(const char *p) {
  return (unsigned)(*p | 32) - 'a' < 26 || *p == '"' || *p == '_' || *p == ',' || (u8)*p >= 0x80;
}

/* Without names the columns are source, target, weight, and a fourth that is not read. */
static ls_status positions(const edge_text *t, edge_list *h, const char *line) {
  char word[48];
  h->columns = count_columns(line);
  if (h->columns < 2 || h->columns > 4)
    return edge_text_fail(t, "expected \"U V\" or \"U V W\", found %d column%s from %s on", h->columns,
                          ls_plural((u64)h->columns), edge_text_word(line, word));
  for (int c = 0; c < h->columns; c++) h->column[c] = (u8)c;
  return LS_OK;
}

/* Adds a note if the meaning of the third column is a guess. */
static void note_guesses(const edge_text *t, const edge_list *h) {
  const ls_load_options *o = t->options;
  const bool asked = o->weights != LS_NONE || o->drop_weights || o->scaled || o->scale > 0;
  bool weighted = false;
  for (int c = 0; c < h->columns; c++) weighted |= h->column[c] == COLUMN_WEIGHT;
  if (!h->named && weighted && !asked && !ls_path_ends(t->source->path, ".wel"))
    ls_load_note(o, "column 3 is taken for weights; {weights = \"none\"} leaves them out");
}

static ls_status first_edge(edge_text *t, edge_list *h, const konect *k, heading *comment, const char *line) {
  const int columns = count_columns(line);
  h->commas = memchr(line, ',', (size_t)(ls_line_end(line) - line)) != NULL;
  const heading *names = !h->konect && comment && columns == comment->columns ? comment : NULL;
  const bool placed = !h->named && !names; /* the position of a column determines its meaning */
  ls_status st = LS_OK;
  if (placed)
    st = positions(t, h, line);
  else if (!h->named)
    take_comment(t, h, comment, line);
  if (!st && h->konect) st = finish_konect(t, h, k);
  if (st) return st;
  if (placed) note_unread(t, h, NULL, line);
  note_guesses(t, h);
  if (t->options->based) h->base = t->options->base;
  for (int c = 0; c < h->columns; c++) t->weighted |= h->column[c] == COLUMN_WEIGHT;
  edge_text_unread(t, line);
  return LS_OK;
}

ls_status edge_list_head(edge_text *t, edge_list *h) {
  static const char mark[] = "\xef\xbb\xbf"; /* byte order mark of UTF-8, which spreadsheets write */
  const char *line;
  heading comment;
  bool commented = false;
  konect k = {0};
  *h = (edge_list){.limit = {LS_MAX_VERTICES, LS_MAX_VERTICES}};
  while ((line = edge_text_line(t))) {
    if (t->lines == 1 && strncmp(line, mark, 3) == 0) line += 3;
    const char *p = ls_blanks(line);
    if (*p == '\n') continue;
    if (*p == '#' || *p == '%') {
      ls_status st = read_sizes(t, p, h);
      if (st) return st;
      if (h->konect ? read_konect_sizes(p, h) : read_konect(p, h, &k)) continue;
      comment = read_heading(p + 1);
      commented = comment.count[COLUMN_SOURCE] == 1 && comment.count[COLUMN_TARGET] == 1 &&
                  comment.columns <= EDGE_LIST_COLUMNS;
      continue;
    }
    if (h->named || !begins_heading(p)) return first_edge(t, h, &k, commented ? &comment : NULL, line);
    const heading a = read_heading(line);
    ls_status st = check_heading(t, &a, line);
    if (st) return st;
    take_heading(h, &a);
    note_unread(t, h, &a, NULL);
  }
  if (t->st) return ls_fail(t->st, "%s", t->message);
  if (h->konect && h->sizes) return finish_konect(t, h, &k);
  return h->sizes ? LS_OK : edge_text_fail(t, "no edges, and no \"# Nodes: N Edges: M\"");
}
