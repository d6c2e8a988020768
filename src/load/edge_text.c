#include "load/edge_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "core/mem.h"
#include "core/escape.h"
#include "core/wait.h"
#include "load/graph.h"

/* The edges of one piece, packed into one block: times, weights, sources, targets. */
struct edge_text_run {
  ls_edge_run edges;
  ls_dtype wtype;
  const i64 *t; /* in the block; NULL: not timed */
  int places;
  u64 lines, entries;
  bool failed;
  char message[256];
};

enum { MIN_PIECE = 1 << 12, MAX_PIECE = 1 << 20, HEAD_PIECE = 1 << 16 };

static unsigned threads(void) {
#ifdef _OPENMP
  return (unsigned)omp_get_max_threads();
#else
  return 1;
#endif
}

/* Four pieces per thread, within limits, so that the pieces that are being parsed are a small part of the
 * text. */
static size_t choose_piece(const ls_source *s) {
  u64 left;
  if (!ls_source_left(s, &left)) return MAX_PIECE;
  left /= 4 * threads();
  return left < MIN_PIECE ? MIN_PIECE : left > MAX_PIECE ? MAX_PIECE : (size_t)left;
}

void edge_text_open(edge_text *t, ls_source *s, const ls_load_options *o, const edge_text_form *form) {
  *t = (edge_text){.source = s, .options = o, .form = form, .piece_bytes = choose_piece(s)};
}

void edge_text_close(edge_text *t) {
  for (size_t r = 0; r < t->nruns; r++) ls_free(t->runs[r].edges.block);
  ls_free(t->runs);
  ls_free(t->carry);
  ls_free(t->head);
}

/* Keeps this thread's failure and its message for the thread that reports it. */
static ls_status keep_failure(edge_text *t, ls_status st) {
  if (!t->st) {
    t->st = st;
    snprintf(t->message, sizeof t->message, "%s", ls_error());
  }
  return st;
}

ls_status edge_text_fail(const edge_text *t, const char *fmt, ...) {
  char text[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  return ls_fail(LS_EINPUT, "%s:%llu: %s", t->source->path, (unsigned long long)t->lines, text);
}

/* --- dividing the text into pieces ------------------------------------------------------------------- */

static ls_status grow(char **p, size_t *room, size_t wanted) {
  if (*room >= wanted) return LS_OK;
  char *q = ls_realloc(*p, wanted);
  if (!q) return LS_EMEM;
  *p = q;
  *room = wanted;
  return LS_OK;
}

static bool begins_comment(const edge_text *t, const char *p, size_t bytes) {
  const char *end = p + bytes;
  while (p < end && (*p == ' ' || *p == '\t')) p++;
  return p < end && *p && strchr(t->form->comments, *p);
}

/* Skips a comment whose beginning already fills the buffer: keeps the comment's first character and reads on
 * to the end of its line. */
static ls_status skip_comment(edge_text *t, char *buf, size_t room, size_t *len) {
  buf[0] = *ls_blanks(buf);
  size_t got;
  do {
    ls_status st = ls_source_read(t->source, buf + 1, room - 1, &got);
    if (st) return st;
    char *line_end = memchr(buf + 1, '\n', got);
    if (line_end) {
      *len = 1 + got - (size_t)(line_end - buf - 1);
      memmove(buf + 1, line_end, *len - 1);
      return LS_OK;
    }
  } while (got == room - 1);
  *len = 1;
  return LS_OK;
}

/* Fills *buf with whole lines, about `bytes` bytes; the beginning of the line after them is kept for the next
 * call. A last line without '\n' gets one. *len = 0: the input has ended. Only one thread at a time may call
 * this. */
static ls_status take_lines(edge_text *t, size_t bytes, char **buf, size_t *room, size_t *len) {
  *len = t->carry_bytes;
  t->carry_bytes = 0;
  ls_status st = grow(buf, room, (*len > bytes ? *len : bytes) + 1);
  if (st) return st;
  if (*len) memcpy(*buf, t->carry, *len);
  for (;;) {
    size_t want = *room - 1 - *len, got;
    st = ls_source_read(t->source, *buf + *len, want, &got);
    if (st) return st;
    *len += got;
    if (got < want) {
      if (*len && (*buf)[*len - 1] != '\n') (*buf)[(*len)++] = '\n';
      return LS_OK;
    }
    char *last = memrchr(*buf, '\n', *len);
    if (last) {
      size_t rest = *len - (size_t)(last + 1 - *buf);
      st = grow(&t->carry, &t->carry_room, rest);
      if (st) return st;
      if (rest) memcpy(t->carry, last + 1, rest);
      t->carry_bytes = rest;
      *len -= rest;
      return LS_OK;
    }
    if (begins_comment(t, *buf, *len))
      st = skip_comment(t, *buf, *room - 1, len);
    else if (t->form->any_length)
      st = grow(buf, room, 2 * *room);
    else
      return ls_fail(LS_EINPUT, "%s: byte %llu: a line of more than %zu bytes that is not a comment",
                     t->source->path, (unsigned long long)(t->source->at - *len), *len);
    if (st) return st;
  }
}

/* --- the header -------------------------------------------------------------------------------------- */

const char *edge_text_line(edge_text *t) {
  if (t->st) return NULL;
  if (t->head_at == t->head_end) {
    size_t len, bytes = t->piece_bytes < HEAD_PIECE ? t->piece_bytes : HEAD_PIECE;
    ls_status st = take_lines(t, bytes, &t->head, &t->head_room, &len);
    if (st) {
      keep_failure(t, st);
      return NULL;
    }
    t->head_at = t->head;
    t->head_end = t->head + len;
    if (!len) return NULL;
  }
  const char *line = t->head_at;
  t->head_at = ls_line_end(line) + 1;
  t->lines++;
  return line;
}

void edge_text_unread(edge_text *t, const char *line) {
  t->head_at = line;
  t->lines--;
}

/* Puts the lines that were taken for the header, but not used, in front of the carried text. */
static ls_status give_back_head(edge_text *t) {
  size_t left = (size_t)(t->head_end - t->head_at);
  if (!left) return LS_OK;
  ls_status st = grow(&t->carry, &t->carry_room, left + t->carry_bytes);
  if (st) return st;
  memmove(t->carry + left, t->carry, t->carry_bytes);
  memcpy(t->carry, t->head_at, left);
  t->carry_bytes += left;
  t->head_at = t->head_end;
  return LS_OK;
}

const char *edge_text_word(const char *p, char out[48]) {
  p = ls_blanks(p);
  if (*p == '\n') return "the end of the line";
  int at = 0, taken = 0;
  for (; !ls_ends_word(*p) && taken < 20 && at + LS_ESCAPED_CHAR + 4 <= 48; taken++) {
    p += ls_escaped_char(p, SIZE_MAX, 0, out + at); /* stops at the end of the line */
    at += (int)strlen(out + at);
  }
  if (!ls_ends_word(*p)) at += snprintf(out + at, 4, "...");
  out[at] = 0;
  return out;
}

ls_status edge_text_expected(const edge_text *t, const char *what, const char *p) {
  char word[48];
  return edge_text_fail(t, "expected %s, found %s", what, edge_text_word(p, word));
}

const char *edge_text_natural(const edge_text *t, const char *p, const char *what, u64 most, u64 *out) {
  char word[48];
  p = ls_blanks(p);
  const char *q = ls_natural_read(p, out);
  if (!q || !ls_ends_word(*q)) {
    edge_text_expected(t, what, p);
    return NULL;
  }
  if (*out > most) {
    edge_text_fail(t, "%s: %s is more than %llu", what, edge_text_word(p, word), (unsigned long long)most);
    return NULL;
  }
  return q;
}

/* --- pieces ------------------------------------------------------------------------------------------ */

bool edge_piece_fail(edge_piece *pc, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(pc->message, sizeof pc->message, fmt, ap);
  va_end(ap);
  pc->failed = true;
  return false;
}

bool edge_piece_expected(edge_piece *pc, const char *what, const char *p) {
  char word[48];
  return edge_piece_fail(pc, "expected %s, found %s", what, edge_text_word(p, word));
}

/* The working memory of a thread, reused for one piece after the other. */
typedef struct desk {
  edge_piece piece;
  char *buf;
  size_t room, len;
  u64 edge_room;
  void *edges; /* w, t, src, dst of edge_room edges */
  size_t number;
} desk;

static ls_status prepare_desk(const edge_text *t, desk *d, const void *format) {
  u64 wanted = d->len / t->form->bytes_per_edge + 2;
  if (wanted > d->edge_room) {
    ls_free(d->edges);
    d->edge_room = 0;
    d->edges = ls_malloc(wanted * (2 * sizeof(u32) + sizeof(ls_weight) + (t->timed ? sizeof(i64) : 0)));
    if (!d->edges) return LS_EMEM;
    d->edge_room = wanted;
  }
  const ls_load_options *o = t->options;
  edge_piece *pc = &d->piece;
  pc->text = t;
  pc->format = format;
  pc->at = d->buf;
  pc->end = d->buf + d->len;
  pc->line = pc->count = pc->entries = pc->top = 0;
  pc->w = d->edges;
  i64 *times = (i64 *)(pc->w + d->edge_room);
  pc->t = t->timed ? times : NULL;
  pc->src = (u32 *)(t->timed ? times + d->edge_room : times);
  pc->dst = pc->src + d->edge_room;
  pc->keep = t->weighted && !o->drop_weights;
  pc->simple = o->weights == LS_NONE && !(o->scale > 0) && !o->scaled;
  pc->fits = true;
  pc->places = 0;
  pc->real = o->weights == LS_F32 || o->weights == LS_F64;
  pc->failed = false;
  return LS_OK;
}

static u64 count_records(const edge_text *t, const char *p, const char *end) {
  u64 count = 0;
  for (; p < end; p = ls_line_end(p) + 1) {
    const char *q = ls_blanks(p);
    if (*q == '\n' ? t->form->blank_records : !(*q && strchr(t->form->comments, *q))) count++;
  }
  return count;
}

/* Takes the next piece of the input; false if there is none, or loading has failed. */
static bool take_piece(edge_text *t, desk *d, const void *format) {
  if (t->st || t->end) return false;
  ls_status st = take_lines(t, t->piece_bytes, &d->buf, &d->room, &d->len);
  if (!st && ls_interrupted()) st = ls_fail(LS_EINTERRUPTED, "%s: interrupted", t->source->path);
  if (!st && !d->len) t->end = true;
  if (!st && !t->end) st = prepare_desk(t, d, format);
  if (!st && !t->end) {
    edge_text_run *runs = ls_grown(t->runs, t->nruns, &t->runs_room, 16, sizeof *runs);
    if (runs)
      t->runs = runs;
    else
      st = LS_EMEM;
  }
  if (st) keep_failure(t, st);
  if (st || t->end) return false;
  d->number = t->nruns;
  t->runs[t->nruns++] = (edge_text_run){.wtype = LS_NONE};
  d->piece.record = t->records;
  if (t->form->records) t->records += count_records(t, d->buf, d->buf + d->len);
  ls_source_progress(t->source);
  return true;
}

static ls_status pack_run(const edge_piece *pc, edge_text_run *run) {
  ls_dtype asked = pc->text->options->scaled ? LS_I64 : pc->text->options->weights;
  if (pc->keep) run->wtype = asked != LS_NONE ? asked : pc->real ? LS_F64 : pc->fits ? LS_I32 : LS_I64;
  size_t wsize = ls_dtype_size(run->wtype);
  size_t tsize = pc->t ? sizeof *pc->t : 0;
  u8 *block = ls_malloc(pc->count * (tsize + wsize + 2 * sizeof(u32)));
  if (!block) return LS_EMEM;
  if (tsize) {
    memcpy(block, pc->t, pc->count * tsize);
    run->t = (const i64 *)block;
  }
  u8 *w = block + pc->count * tsize;
  u32 *src = (u32 *)(w + pc->count * wsize), *dst = src + pc->count;
  memcpy(src, pc->src, pc->count * sizeof *src);
  memcpy(dst, pc->dst, pc->count * sizeof *dst);
  if (wsize == 8)
    memcpy(w, pc->w, pc->count * wsize);
  else if (run->wtype == LS_I32)
    for (u64 e = 0; e < pc->count; e++) ((i32 *)w)[e] = (i32)pc->w[e].i;
  else if (run->wtype == LS_F32)
    for (u64 e = 0; e < pc->count; e++) ((f32 *)w)[e] = (f32)pc->w[e].d;
  run->places = pc->places;
  run->edges =
      (ls_edge_run){.count = pc->count, .key = src, .other = dst, .w = wsize ? w : NULL, .block = block};
  return LS_OK;
}

/* Parses the thread's piece. Returns the run by value, because other threads may meanwhile reallocate
 * t->runs. */
static edge_text_run parse_desk(edge_text *t, desk *d, ls_status *st) {
  edge_text_run run = {.wtype = LS_NONE};
  t->form->parse(&d->piece);
  run.lines = d->piece.line;
  run.entries = d->piece.entries;
  run.failed = d->piece.failed;
  if (run.failed) memcpy(run.message, d->piece.message, sizeof run.message);
  *st = run.failed ? LS_OK : pack_run(&d->piece, &run);
  return run;
}

ls_status edge_text_edges(edge_text *t, const void *format) {
  ls_status begun = give_back_head(t);
  if (begun) return begun;
#pragma omp parallel
  {
    desk d = {0};
    bool more;
#pragma omp critical(edge_text)
    more = take_piece(t, &d, format);
    while (more) {
      ls_status st;
      edge_text_run run = parse_desk(t, &d, &st);
#pragma omp critical(edge_text)
      {
        t->runs[d.number] = run;
        if (d.piece.top + 1ull > t->top && run.edges.count) t->top = d.piece.top + 1ull;
        if (st) keep_failure(t, st);
        if (run.failed) t->end = true;
        more = take_piece(t, &d, format);
      }
    }
    ls_free(d.buf);
    ls_free(d.edges);
  }
  for (size_t r = 0; r < t->nruns; r++) { /* reports the first error in the text, whichever thread found it */
    const edge_text_run *run = &t->runs[r];
    t->lines += run->lines;
    t->edges += run->edges.count;
    t->entries += run->entries;
    if (run->failed) return edge_text_fail(t, "%s", run->message);
  }
  if (t->st) return ls_fail(t->st, "%s", t->message);
  if (t->edges > LS_MAX_EDGES)
    return edge_text_fail(t, "%llu edges, more than 2^32 - 1", (unsigned long long)t->edges);
  return LS_OK;
}

/* --- the graph --------------------------------------------------------------------------------------- */

static ls_dtype common_type(const edge_text *t) {
  if (!t->weighted || t->options->drop_weights) return LS_NONE;
  if (t->options->scaled) return LS_I64;
  ls_dtype type = t->options->weights;
  if (type != LS_NONE) return type;
  type = LS_I32;
  for (size_t r = 0; r < t->nruns; r++) {
    ls_dtype run = t->runs[r].wtype;
    if (t->runs[r].edges.count && run != type && type != LS_F64) type = run == LS_F64 ? LS_F64 : LS_I64;
  }
  return type;
}

/* Converts all runs to the largest of their scales; *type becomes the narrowest integer type that holds them.
 */
static ls_status rescale(edge_text *t, ls_dtype *type, f64 *scale) {
  int places = 0;
  bool fits = true;
  for (size_t r = 0; r < t->nruns; r++)
    if (t->runs[r].places > places) places = t->runs[r].places;
  for (size_t r = 0; r < t->nruns; r++) {
    edge_text_run *run = &t->runs[r];
    i64 *w = (i64 *)(uintptr_t)run->edges.w;
    if (!ls_weights_times_ten(w, run->edges.count, places - run->places))
      return ls_fail(LS_EINPUT, "%s: weights with %d decimals do not fit in 64 bits as integers",
                     t->source->path, places);
    for (u64 e = 0; e < run->edges.count && fits; e++) fits = w[e] == (i32)w[e];
  }
  *type = fits ? LS_I32 : LS_I64;
  for (size_t r = 0; r < t->nruns && fits; r++) { /* in place: element e is read before it is overwritten */
    edge_text_run *run = &t->runs[r];
    void *w = (void *)(uintptr_t)run->edges.w;
    for (u64 e = 0; e < run->edges.count; e++) {
      const i32 narrow = (i32)((const i64 *)w)[e];
      memcpy((u8 *)w + e * sizeof narrow, &narrow, sizeof narrow);
    }
    run->wtype = LS_I32;
  }
  for (*scale = 1; places; places--) *scale *= 10;
  return LS_OK;
}

/* Converts the weights of a run if their type is narrower than that of the whole file. */
static ls_status widen_run(edge_text_run *run, ls_dtype type) {
  if (run->wtype == type || type == LS_NONE || !run->edges.count) return LS_OK;
  u64 count = run->edges.count;
  size_t tsize = run->t ? sizeof *run->t : 0;
  u8 *block = ls_malloc(count * (tsize + sizeof(ls_weight) + 2 * sizeof(u32)));
  if (!block) return LS_EMEM;
  if (tsize) memcpy(block, run->t, count * tsize);
  ls_weight *w = (ls_weight *)(block + count * tsize);
  for (u64 e = 0; e < count; e++) {
    i64 i = run->wtype == LS_I32 ? ((const i32 *)run->edges.w)[e] : ((const i64 *)run->edges.w)[e];
    if (type == LS_F64)
      w[e].d = (f64)i;
    else
      w[e].i = i;
  }
  memcpy(w + count, run->edges.key, 2 * count * sizeof(u32));
  ls_free(run->edges.block);
  run->wtype = type;
  run->t = tsize ? (const i64 *)block : NULL;
  run->edges.block = block;
  run->edges.w = w;
  run->edges.key = (u32 *)(w + count);
  run->edges.other = run->edges.key + count;
  return LS_OK;
}

/* Sorts the times as the edges were sorted; frees the runs' blocks. */
static ls_status sort_times(edge_text *t, u32 n, ls_edge_run *runs, i64 **out) {
  for (size_t r = 0; r < t->nruns; r++) {
    runs[r] = t->runs[r].edges;
    runs[r].w = t->runs[r].t;
    t->runs[r].edges.block = NULL;
  }
  u32 *off, *to;
  void *times;
  ls_status st = ls_csr_sort(n, runs, t->nruns, NULL, sizeof **out, &off, &to, &times);
  if (st) return st;
  ls_free(off);
  ls_free(to);
  *out = times;
  return LS_OK;
}

static ls_status take_times(ls_graph *g, i64 *times) {
  bool fits = true;
  for (u64 e = 0; e < g->m && fits; e++) fits = times[e] == (i32)times[e];
  if (!fits) return ls_graph_take_times(g, times, LS_I64);
  i32 *narrow = ls_malloc(g->m * sizeof *narrow);
  for (u64 e = 0; e < g->m && narrow; e++) narrow[e] = (i32)times[e];
  ls_free(times);
  return narrow ? ls_graph_take_times(g, narrow, LS_I32) : LS_EMEM;
}

/* Isolated vertices take memory, but no bytes of the file. So their number is limited by the size of the
 * file: a file of thirty bytes must not take 16 GB. */
static ls_status check_vertices(const edge_text *t, u64 n) {
  enum { BELIEVED = 1 << 24, A_BYTE = 1 << 14 };
  const u64 bytes = t->source->at;
  if (n <= BELIEVED || n / A_BYTE <= bytes) return LS_OK;
  return ls_fail(LS_EINPUT,
                 "%s: %llu vertices in %llu bytes: expected at most %d per byte if there are more than %d",
                 t->source->path, (unsigned long long)n, (unsigned long long)bytes, A_BYTE, BELIEVED);
}

ls_status edge_text_graph(edge_text *t, u64 n, i64 label_base, ls_graph **out) {
  ls_load_options o = *t->options;
  const bool scaled = o.scaled && t->weighted && !o.drop_weights;
  ls_dtype type = common_type(t);
  ls_status st = check_vertices(t, n);
  if (!st) st = ls_load_room(t->source, n, t->edges, type);
  if (!st && scaled) st = rescale(t, &type, &o.scale);
  for (size_t r = 0; r < t->nruns && !st; r++) st = widen_run(&t->runs[r], type);
  ls_edge_run *runs = st ? NULL : ls_malloc((t->nruns + 1) * sizeof *runs);
  if (!runs) return st ? st : LS_EMEM;
  for (size_t r = 0; r < t->nruns; r++) {
    runs[r] = t->runs[r].edges;
    if (t->timed)
      runs[r].block = NULL; /* its times are sorted next */
    else
      t->runs[r].edges.block = NULL; /* the sort frees it */
  }
  u32 *off, *to;
  void *w;
  i64 *times = NULL;
  st = ls_csr_sort((u32)n, runs, t->nruns, NULL, ls_dtype_size(type), &off, &to, &w);
  if (!st && t->timed && (st = sort_times(t, (u32)n, runs, &times))) {
    ls_free(off);
    ls_free(to);
    ls_free(w);
  }
  ls_free(runs);
  if (!st) st = ls_load_finish(t->source, &o, (u32)n, t->edges, off, to, w, type, label_base, out);
  if (st || !times) {
    ls_free(times);
    return st;
  }
  st = take_times(*out, times);
  if (st) ls_graph_release(*out);
  return st;
}
