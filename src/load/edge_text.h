/* Reads text formats in parallel: the lines are divided into pieces, threads parse different pieces, and the
 * edges of all pieces become a graph.
 *
 * A format reads its header line by line, then supplies a parser that turns the lines of a piece into edges.
 * Only the pieces that are being parsed are in memory, never the whole text. */
#ifndef LS_LOAD_EDGE_TEXT_H
#define LS_LOAD_EDGE_TEXT_H

#include <string.h>

#include "data/csr.h"
#include "load/format.h"
#include "load/number.h"
#include "core/source.h"

typedef union ls_weight {
  i64 i;
  f64 d;
} ls_weight;

typedef struct edge_piece edge_piece;

/* How a format is divided into pieces and parsed. */
typedef struct edge_text_form {
  const char *comments;    /* characters that begin a comment line, e.g. "%" */
  unsigned bytes_per_edge; /* fewest bytes of an edge: limits the number of edges of a piece */
  bool any_length;         /* lines may be longer than a piece */
  bool records;       /* edge_piece.record is set: number of lines before the piece that are not comments */
  bool blank_records; /* blank lines count as records */
  void (*parse)(edge_piece *);
} edge_text_form;

typedef struct edge_text_run edge_text_run;

typedef struct edge_text {
  ls_source *source;
  const ls_load_options *options;
  const edge_text_form *form;
  bool weighted; /* the lines hold weights: the format sets it before edge_text_edges */
  bool timed;    /* the lines hold times: set like `weighted` */
  u64 edges;     /* set by edge_text_edges: number of edges */
  u64 entries;   /* set by edge_text_edges: what the parsers counted, if not edges */
  u64 top;       /* set by edge_text_edges: the largest vertex + 1 */
  u64 lines;     /* lines read so far: of the header, then of the whole text */
  u64 records;

  char *carry; /* read, but not yet in a piece */
  size_t carry_bytes, carry_room;
  char *head; /* the lines from which the header is read */
  size_t head_room;
  const char *head_at, *head_end;
  bool end;
  edge_text_run *runs;
  size_t nruns, runs_room;
  size_t piece_bytes;
  ls_status st; /* of the first failure while reading, with its message */
  char message[512];
} edge_text;

struct edge_piece {
  const edge_text *text;
  const void *format;   /* the argument of edge_text_edges */
  const char *at, *end; /* whole lines, each ended by '\n' */
  u64 record;           /* records before the piece */
  u64 line;             /* current line of the piece, from 1; counted by the parser */
  u32 *src, *dst;
  ls_weight *w;
  i64 *t; /* NULL: not timed */
  u64 count;
  u64 entries;
  u32 top;     /* the largest vertex */
  bool keep;   /* weights are wanted */
  bool simple; /* no option needs a check or conversion: integers of 64 bits are stored unchanged */
  bool real;   /* w holds doubles */
  bool fits;   /* all weights fit i32 */
  int places;  /* with the option `scaled`: w holds weights * 10^places */
  bool failed;
  char message[256];
};

void edge_text_open(edge_text *t, ls_source *s, const ls_load_options *o, const edge_text_form *form);
void edge_text_close(edge_text *t);

/* The next line of the header, ended by '\n'; NULL at the end or after a failure (t->st). */
const char *edge_text_line(edge_text *t);
/* Pushes the line back: it does not belong to the header. */
void edge_text_unread(edge_text *t, const char *line);
/* Fails with the message "path:line: ...", where line is the last one read. */
ls_status edge_text_fail(const edge_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Fails with "expected WHAT, found ..." and the word at p. */
ls_status edge_text_expected(const edge_text *t, const char *what, const char *p);

/* Parses the rest of the text. format: passed to the parser as edge_piece.format. */
ls_status edge_text_edges(edge_text *t, const void *format);
/* Builds the graph from the parsed edges. */
ls_status edge_text_graph(edge_text *t, u64 n, i64 label_base, ls_graph **out);

/* --- for parsers ------------------------------------------------------------------------------------- */

/* Both return false. edge_piece_expected: "expected WHAT, found ..." and the word at p. */
bool edge_piece_fail(edge_piece *pc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
bool edge_piece_expected(edge_piece *pc, const char *what, const char *p);
/* The word at p, shortened and made printable; "the end of the line" if there is none. */
const char *edge_text_word(const char *p, char out[48]);

static inline const char *ls_blanks(const char *p) {
  while (*p == ' ' || *p == '\t' || *p == '\r') p++;
  return p;
}

static inline const char *ls_line_end(const char *p) { return rawmemchr(p, '\n'); }

static inline bool ls_ends_word(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* Multiplies weights by 10^places; false if one overflows 64 bits. */
bool ls_weights_times_ten(i64 *w, u64 count, int places);
/* Stores a weight that may need a check or a conversion; false: failed. `word` is its text. */
bool edge_piece_any_weight(edge_piece *pc, const ls_number *x, const char *word);

/* Stores the weight of the edge that is added next. False: failed. */
static inline bool edge_piece_weight(edge_piece *pc, const ls_number *x, const char *word) {
  if (!pc->keep) return true;
  if (!pc->simple || pc->real || !x->whole || x->wide) return edge_piece_any_weight(pc, x, word);
  pc->w[pc->count].i = x->i;
  pc->fits &= x->i == (i32)x->i;
  return true;
}

static inline void edge_piece_edge(edge_piece *pc, u64 u, u64 v) {
  pc->src[pc->count] = (u32)u;
  pc->dst[pc->count] = (u32)v;
  u32 top = (u32)(u > v ? u : v);
  if (top > pc->top) pc->top = top;
  pc->count++;
}

/* Reads a number from `base` to n - 1 + base; *out is the vertex, the number minus base. False: failed. */
static inline bool edge_piece_vertex(edge_piece *pc, const char **p, u64 base, u64 n, u64 *out) {
  const char *word = ls_blanks(*p), *q = ls_natural_read(word, out);
  if (q && ls_ends_word(*q) && *out - base < n) {
    *out -= base;
    *p = q;
    return true;
  }
  char text[48];
  if (!q || !ls_ends_word(*q)) return edge_piece_expected(pc, "a vertex", word);
  if (*out < base)
    return edge_piece_fail(pc, "vertex %s is less than %llu, the first id", edge_text_word(word, text),
                           (unsigned long long)base);
  return edge_piece_fail(pc, "vertex %s is greater than %s = %llu", edge_text_word(word, text),
                         base ? "n" : "n - 1", (unsigned long long)(n - 1 + base));
}

/* Reads a number; *word is its text. False: failed. */
static inline bool edge_piece_number(edge_piece *pc, const char **p, const char *what, ls_number *x,
                                     const char **word) {
  *word = ls_blanks(*p);
  const char *q = ls_number_read(*word, x);
  if (q && ls_ends_word(*q)) {
    *p = q;
    return true;
  }
  return edge_piece_expected(pc, what, *word);
}

/* Reads the weight of the edge that is added next. False: failed. */
static inline bool edge_piece_read_weight(edge_piece *pc, const char **p) {
  ls_number x;
  const char *word;
  return edge_piece_number(pc, p, "a weight", &x, &word) && edge_piece_weight(pc, &x, word);
}

/* Reads the time of the edge that is added next. False: failed. */
bool edge_piece_read_time(edge_piece *pc, const char **p);

/* Checks that the line ends here, and moves to the next one. False: failed. */
static inline bool edge_piece_line_end(edge_piece *pc, const char **p) {
  const char *q = ls_blanks(*p);
  if (*q == '\n') {
    *p = q + 1;
    return true;
  }
  return edge_piece_expected(pc, "the end of the line", q);
}

/* Reads a natural number of a header and returns its end; NULL, with the message set, if there is none or it
 * exceeds `most`. */
const char *edge_text_natural(const edge_text *t, const char *p, const char *what, u64 most, u64 *out);

#endif
