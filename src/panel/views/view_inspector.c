/* The inspector view: one buffer in detail, with a histogram, the values around an index, and which of them
 * the last step changed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/session.h"
#include "panel/views/view_data.h"
#include "panel/views/view.h"

/* A part of the buffer as it was at a stop, with which the next stop is compared. */
typedef struct stretch {
  char name[48];
  u64 first, count, seq;
  u64 end; /* end of the meaningful elements: after a queue's length, the contents are undefined */
  ls_dtype type;
  u64 *data; /* no element is wider */
} stretch;

static u64 near[2][LS_SAMPLE], everything[2][LS_SUMMED];
/* Elements around the visible ones; and all elements, if there are up to LS_SUMMED. */
static stretch now = {.data = near[0]}, before = {.data = near[1]};
static stretch all = {.data = everything[0]}, all_before = {.data = everything[1]};
static int widest; /* width of the longest value of this buffer so far: columns never shrink */

static const ls_seen *looked_at(const ls_view_data *m) {
  const ls_seen *s = *ls_view_data_looked() ? ls_view_data_buffer(m, ls_view_data_looked()) : NULL;
  return s ? s : m->nbuffers ? &m->buffers[0] : NULL;
}

static u64 present_step(void) {
  const ls_stop *stop = ls_session_stop();
  return stop && stop->recorded ? stop->record.seq : ls_trace_seq();
}

/* The end of the meaningful elements: of a queue, the length in element 0 plus 1; else all. */
static u64 end_of(const ls_seen *s) {
  u64 length = 0;
  bool none;
  if (strcmp(s->init, "empty") != 0 || s->count == 0 || !ls_seen_peek(s, 0, 1, &length)) return s->count;
  const f64 value = ls_seen_value(s->type, &length, 0, &none);
  return value < (f64)s->count - 1 ? (u64)value + 1 : s->count;
}

static bool is_of(const stretch *t, const ls_seen *s) {
  return strcmp(t->name, s->name) == 0 && t->type == s->type;
}

/* Fills *t with `count` elements from `first` on. What it held at an earlier stop moves to *earlier. */
static void refill(stretch *t, stretch *earlier, const ls_seen *s, u64 first, u64 count) {
  const u64 seq = present_step();
  if (!is_of(t, s)) {
    earlier->count = 0;
  } else if (t->seq != seq) {
    u64 *data = earlier->data;
    *earlier = *t;
    t->data = data;
  }
  snprintf(t->name, sizeof t->name, "%s", s->name);
  t->first = first;
  t->count = ls_seen_peek(s, first, count, t->data) ? count : 0;
  t->seq = seq;
  t->type = s->type;
  t->end = end_of(s);
}

/* Fills `now` with the elements around `middle`, and `all` with all elements if there are up to LS_SUMMED.
 * False: they cannot be read now. */
static bool take(const ls_seen *s, u64 middle) {
  const u64 half = LS_SAMPLE / 2;
  u64 first = 0, count = s->count;
  if (count > LS_SAMPLE) {
    first = middle / half * half;
    first = first >= half / 2 && middle - first < half / 2 ? first - half / 2 : first;
    if (first > s->count - LS_SAMPLE) first = s->count - LS_SAMPLE;
    count = LS_SAMPLE;
  }
  if (!s->buffer) /* while Lua runs: shows what the last stop showed */
    return is_of(&now, s) && now.count > 0 && now.first == first;
  if (!is_of(&now, s)) widest = 0;
  refill(&now, &before, s, first, count);
  refill(&all, &all_before, s, 0, s->count <= LS_SUMMED ? s->count : 0);
  return now.count > 0 || s->count == 0;
}

static bool changed(const stretch *t, const stretch *earlier, u64 i) {
  if (i < t->first || i >= t->first + t->count || i >= t->end) return false;
  if (i < earlier->first || i >= earlier->first + earlier->count) return false;
  if (i >= earlier->end) return true; /* a queue that has grown */
  const size_t size = ls_dtype_size(t->type);
  return memcmp((const u8 *)t->data + (i - t->first) * size,
                (const u8 *)earlier->data + (i - earlier->first) * size, size) != 0;
}

/* Returns the meaningful values of the buffer, or a sample of them. *count: how many are returned; *meant:
 * how many there are. */
static const void *values(const ls_seen *s, u64 *count, u64 *meant) {
  static u64 sample[LS_SUMMED];
  const bool queue = strcmp(s->init, "empty") == 0 && s->count > 0; /* element 0 is the length, not an item */
  *meant = now.end - queue;
  if (all.count == s->count) {
    *count = *meant;
    return (const u8 *)all.data + queue * ls_dtype_size(s->type);
  }
  if (queue) {
    *count = *meant < LS_SUMMED ? *meant : LS_SUMMED;
    if (!ls_seen_peek(s, 1, *count, sample)) *count = 0;
  } else {
    *count = s->buffer ? ls_seen_sample(s, sample) : 0;
  }
  return sample;
}

/* --- the head ---------------------------------------------------------------------------------------- */

static void describe(const ls_view_draw *d, const ls_seen *s) {
  char text[64];
  ls_canvas *c = d->canvas;
  int col = ls_draw_cut(c, d->in, 0, 0, d->in.cols, LS_NUMBER, s->name) + 2;
  ls_seen_shape(s, text, sizeof text);
  col = ls_draw_cut(c, d->in, 0, col, d->in.cols - col, LS_TEXT_STYLE, text) + 2;
  col = ls_draw_cut(c, d->in, 0, col, d->in.cols - col, LS_TEXT_STYLE, ls_seen_where(s)) + 2;
  if (ls_trace_number(s->changed)) {
    snprintf(text, sizeof text, "written #%llu", (unsigned long long)ls_trace_number(s->changed));
    col = ls_draw_cut(c, d->in, 0, col, d->in.cols - col, LS_TEXT_STYLE, text) + 2;
  }
  ls_draw_cut(c, d->in, 0, col, d->in.cols - col, LS_DIM, s->doc);
}

/* of: how often each label occurs; NULL if the buffer's values are not labels. */
static void summary(const ls_view_draw *d, const ls_seen *s, const ls_histogram *h, const ls_label_counts *of,
                    u64 seen, u64 meant) {
  const char *about = seen < meant ? "~" : "";
  char text[160], low[LS_NUMBER_CHARS] = "-", high[LS_NUMBER_CHARS] = "-";
  if (seen > h->unknown) {
    ls_number_text(s->type, h->lo, low);
    ls_number_text(s->type, h->hi, high);
  }
  const f64 none = seen ? 100 * (f64)h->unknown / (f64)seen : 0;
  if (of)
    snprintf(text, sizeof text, "%s%llu class%s  none %s%.3g%%", seen < meant ? ">=" : "",
             (unsigned long long)of->classes, of->classes == 1 ? "" : "es", about, none);
  else
    snprintf(text, sizeof text, "min %s%s  max %s%s  none %s%.3g%%", about, low, about, high, about, none);
  int col = ls_draw_cut(d->canvas, d->in, 1, 0, d->in.cols, LS_DIM, text);
  const bool whole = all.count == s->count;
  const stretch *t = whole ? &all : &now, *earlier = whole ? &all_before : &before;
  if (earlier->count == 0) return;
  u64 different = 0, both = 0;
  for (u64 i = t->first; i < t->first + t->count; i++) {
    both += i >= earlier->first && i < earlier->first + earlier->count;
    different += changed(t, earlier, i);
  }
  if (both == 0) return;
  snprintf(text, sizeof text, "%s%llu changed since #%llu%s", different ? "*" : "",
           (unsigned long long)different, (unsigned long long)ls_trace_number(earlier->seq),
           both < s->count ? " near here" : "");
  ls_draw_cut(d->canvas, d->in, 1, col + 2, d->in.cols - col - 2, different ? LS_CHANGED : LS_DIM, text);
}

/* --- the histogram ----------------------------------------------------------------------------------- */

/* The number of all elements, from one that was counted in a sample: `seen` of `meant`. */
static const char *estimate(u64 counted, u64 seen, u64 meant, char out[16]) {
  return ls_full_count((f64)counted * (f64)meant / (f64)(seen ? seen : 1), seen < meant, out);
}

/* Draws a line: a label, a bar, and the number of elements. */
static void draw_amount(const ls_view_draw *d, ls_rect in, int row, const char *label, f64 share,
                        const char *number) {
  ls_draw_right(d->canvas, in, row, 10, LS_DIM, ls_text_width(label) <= 10 ? label : "...");
  ls_draw_bar(d->canvas, in, row, 11, in.cols - 19, share, LS_BAR);
  ls_draw_right(d->canvas, in, row, in.cols, LS_TEXT_STYLE, number);
}

static u64 fullest(const ls_histogram *h) {
  u64 most = 1;
  for (u32 k = 0; k < h->bins; k++)
    if (h->count[k] > most) most = h->count[k];
  return most;
}

/* Draws one line per bin, labelled with its lower end. */
static void draw_bins(const ls_view_draw *d, ls_rect in, const ls_seen *s, const ls_histogram *h, u64 seen,
                      u64 meant) {
  const f64 most = (f64)fullest(h);
  for (u32 k = 0; k < h->bins && (int)k < in.rows; k++) {
    char text[LS_NUMBER_CHARS], count[16];
    if (h->lo.real)
      snprintf(text, sizeof text, "%.5g", h->lo.r + (f64)k * h->width.r);
    else
      ls_number_text(s->type, (ls_number){.i = h->lo.i + (ls_i128)k * h->width.i}, text);
    draw_amount(d, in, (int)k, text, (f64)h->count[k] / most, estimate(h->count[k], seen, meant, count));
  }
}

/* Draws one line per class; the last line sums up the others. */
static void draw_labels(const ls_view_draw *d, ls_rect in, const ls_label_counts *of, u64 seen, u64 meant) {
  const u64 most = of->listed && of->of[0].count > of->rest ? of->of[0].count : of->rest ? of->rest : 1;
  for (int k = 0; k < of->listed + (of->rest > 0) && k < in.rows; k++) {
    char text[16] = "others", count[16];
    const u64 here = k < of->listed ? of->of[k].count : of->rest;
    if (k < of->listed) snprintf(text, sizeof text, "%u", of->of[k].label);
    draw_amount(d, in, k, text, (f64)here / (f64)most, estimate(here, seen, meant, count));
  }
}

/* Draws the largest classes in one line, as label:number. */
static void draw_greatest(const ls_view_draw *d, int row, const ls_label_counts *of, u64 seen, u64 meant) {
  int col = ls_draw_cut(d->canvas, d->in, row, 0, d->in.cols, LS_DIM, "greatest ");
  for (int k = 0; k < of->listed; k++) {
    char text[40], count[16];
    snprintf(text, sizeof text, "%u:%s", of->of[k].label, estimate(of->of[k].count, seen, meant, count));
    if (col + ls_text_width(text) > d->in.cols) break;
    col = ls_draw_cut(d->canvas, d->in, row, col, d->in.cols - col, LS_TEXT_STYLE, text) + 2;
  }
}

/* Draws all bins in one line, one shaded cell per bin. */
static void draw_shades(const ls_view_draw *d, int row, const ls_histogram *h) {
  const f64 most = (f64)fullest(h);
  int col = ls_draw_cut(d->canvas, d->in, row, 0, d->in.cols, LS_DIM, "spread ");
  for (u32 k = 0; k < h->bins; k++)
    ls_draw_heat(d->canvas, d->in, row, col + (int)k, (f64)h->count[k] / most, LS_BAR);
}

/* --- values ------------------------------------------------------------------------------------------ */

typedef struct grid {
  ls_rect in;
  int label, cell, per_line;
  u64 columns; /* of a matrix: elements per row; else 0 */
  u64 wanted;  /* the index that was searched for; UINT64_MAX: none */
} grid;

static void draw_value(const ls_view_draw *d, const grid *g, int row, int col, u64 i) {
  char text[32];
  if (i < now.first || i >= now.first + now.count) return;
  if (i >= now.end) {
    ls_draw_right(d->canvas, g->in, row, col + g->cell, LS_DIM, ".");
    return;
  }
  ls_seen_text(now.type, now.data, i - now.first, text, sizeof text);
  bool here = i == g->wanted, new = changed(&now, &before, i);
  ls_style style = here ? LS_FOUND : new ? LS_CHANGED : strcmp(text, "-") == 0 ? LS_DIM : LS_TEXT_STYLE;
  if (here || new)
    ls_draw_char(d->canvas, g->in, row, col + g->cell - 1 - ls_text_width(text), style, here ? '>' : '*');
  ls_draw_right(d->canvas, g->in, row, col + g->cell, style, text);
}

static void draw_grid(const ls_view_draw *d, const ls_seen *s, ls_rect in) {
  grid g = {.in = in, .wanted = UINT64_MAX};
  char text[32];
  for (u64 i = 0; i < now.count && now.first + i < now.end; i++) {
    ls_seen_text(now.type, now.data, i, text, sizeof text);
    int w = ls_text_width(text);
    if (w > widest) widest = w;
  }
  g.cell = (widest > 2 ? widest : 2) + 2;
  g.label = snprintf(NULL, 0, "%llu", (unsigned long long)s->count) + 1;
  char *end;
  if (*d->state->search) {
    u64 i = strtoull(d->state->search, &end, 10);
    if (!*end && i < s->count) g.wanted = i;
  }
  int fit = (in.cols - g.label) / g.cell;
  if (fit < 1) fit = 1;
  static const int nice[] = {64, 50, 40, 32, 25, 20, 16, 10, 8, 5, 4, 2, 1};
  if (s->cols) {
    g.columns = s->cols;
    g.per_line = fit;
  } else {
    for (size_t k = 0; k < sizeof nice / sizeof *nice && !g.per_line; k++)
      if (nice[k] <= fit) g.per_line = nice[k];
  }
  u64 lines = s->cols ? s->rows : (s->count + (u64)g.per_line - 1) / (u64)g.per_line;
  int shown = lines < 0x7fffffff ? (int)lines : 0x7fffffff;
  static char last_search[64];
  if (strcmp(last_search, d->state->search) != 0 && g.wanted != UINT64_MAX)
    d->state->cursor = (int)(s->cols ? g.wanted / s->cols : g.wanted / (u64)g.per_line);
  snprintf(last_search, sizeof last_search, "%s", d->state->search);
  ls_view_settle(d, shown, in.rows);
  if (s->cols && (u64)d->state->column + 1 > s->cols) d->state->column = (int)s->cols - 1;
  for (int row = 0; row < in.rows && d->state->scroll + row < shown; row++) {
    u64 line = (u64)(d->state->scroll + row);
    u64 first = s->cols ? line * s->cols + (u64)d->state->column : line * (u64)g.per_line;
    u64 stop = s->cols ? (line + 1) * s->cols : s->count;
    bool chosen = d->focused && d->state->cursor == (int)line;
    snprintf(text, sizeof text, "%llu%c", (unsigned long long)(s->cols ? line : first), chosen ? '>' : ' ');
    ls_draw_right(d->canvas, in, row, g.label + 1, chosen ? LS_CURSOR : LS_DIM, text);
    for (int k = 0; k < g.per_line && first + (u64)k < stop; k++)
      draw_value(d, &g, row, g.label + k * g.cell, first + (u64)k);
  }
}

/* An element near the middle of the visible ones. It may be off by a page, because a stretch covers many
 * pages. */
static u64 middle(const ls_view_draw *d, const ls_seen *s) {
  const u64 line = (u64)(d->state->scroll > 0 ? d->state->scroll : 0);
  if (s->cols) return line * s->cols + s->cols * (u64)d->in.rows / 2;
  u64 per_line = d->state->lines > 0 ? (s->count + (u64)d->state->lines - 1) / (u64)d->state->lines : 1;
  return line * per_line;
}

static void draw(const ls_view_draw *d) {
  static ls_histogram h;
  static ls_label_counts of;
  const ls_view_data *m = ls_view_data_now();
  const ls_seen *s = looked_at(m);
  if (!s) {
    ls_draw_cut(d->canvas, d->in, 0, 0, d->in.cols, LS_DIM,
                "no buffer yet: load a graph, or start an algorithm");
    return;
  }
  describe(d, s);
  if (s->closed || !take(s, middle(d, s))) {
    ls_draw_cut(d->canvas, d->in, 1, 0, d->in.cols, LS_DIM,
                s->closed ? "closed" : "its values are seen at the next stop");
    return;
  }
  u64 seen, meant;
  const void *data = values(s, &seen, &meant);
  const bool beside = d->in.cols >= 72 && d->in.rows >= 6;
  const int side = d->in.cols >= 110 ? 36 : 28;
  ls_reduce_histogram(s->type, data, seen,
                      beside ? (u32)(d->in.rows - 3)
                             : (u32)(d->in.cols > 20 ? (d->in.cols - 8 < 64 ? d->in.cols - 8 : 64) : 8),
                      &h);
  if (s->labels) {
    const int room = beside ? d->in.rows - 4 : 8; /* one line is for the remaining classes */
    ls_seen_count_labels(data, seen, room < LS_LABELS ? room : LS_LABELS, &of);
  }
  if (d->in.rows >= 3) summary(d, s, &h, s->labels ? &of : NULL, seen, meant);
  int top = d->in.rows >= 3 ? 2 : 1;
  if (beside) {
    ls_rect right = ls_rect_columns(ls_rect_cut(d->in, 3), d->in.cols - side, side);
    if (s->labels)
      draw_labels(d, right, &of, seen, meant);
    else
      draw_bins(d, right, s, &h, seen, meant);
    const ls_rect head = ls_rect_columns(d->in, d->in.cols - side, side);
    ls_draw_right(d->canvas, head, 2, 10, LS_TITLE, s->labels ? "class" : "from");
    ls_draw_right(d->canvas, head, 2, side, LS_TITLE, "how many");
  } else if (d->in.rows >= 5 && s->labels) {
    draw_greatest(d, top++, &of, seen, meant);
  } else if (d->in.rows >= 5) {
    draw_shades(d, top++, &h);
  }
  ls_rect grid_in = ls_rect_cut(d->in, top);
  if (beside) grid_in = ls_rect_columns(grid_in, 0, d->in.cols - side - 2);
  draw_grid(d, s, grid_in);
}

static bool key(ls_view_state *st, int k) {
  if (k != LS_KEY_LEFT && k != LS_KEY_RIGHT && k != '<' && k != '>') return false;
  const ls_view_data *m = ls_view_data_now();
  const ls_seen *s = looked_at(m);
  if (!s || m->nbuffers == 0) return true;
  if (s->cols && (k == LS_KEY_LEFT || k == LS_KEY_RIGHT))
    return false; /* the panel scrolls along the rows of the matrix */
  const int by = k == LS_KEY_LEFT || k == '<' ? m->nbuffers - 1 : 1;
  ls_view_data_look(m->buffers[((int)(s - m->buffers) + by) % m->nbuffers].name);
  st->cursor = st->scroll = st->column = 0;
  return true;
}

static void caption(const ls_view_state *st, char *out, size_t bytes) {
  (void)st;
  const ls_seen *s = looked_at(ls_view_data_now());
  snprintf(out, bytes, "inspector: %s", s ? s->name : "nothing yet");
}

static bool empty(void) { return ls_view_data_now()->nbuffers == 0; }

const ls_view ls_view_inspector = {
    "inspector", "inspector", 2, 16, draw, key, "< > another buffer; / an index; * marks what changed",
    caption,     empty};
