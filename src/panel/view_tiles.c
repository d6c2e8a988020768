/* Which tiles of a matrix the last step updated: the pivot, its row and column, or the rest. */
#include <stdio.h>
#include <string.h>

#include "lua/session.h"
#include "panel/model.h"
#include "panel/view.h"

typedef enum part { PIVOT, CROSS, REST, NOT_TILED } part;

/* What is known of the stopped run: the update that ran last, its pivot and the tiles a side. */
typedef struct sweep {
  part last;
  u64 tiles, pivot, seq;
  const ls_seen *matrix;
} sweep;

static part part_of(const char *name) {
  static const char *const endings[] = {"_pivot", "_cross", "_rest"};
  const size_t n = strlen(name);
  for (int i = 0; i < 3; i++) {
    const size_t k = strlen(endings[i]);
    if (n > k && strcmp(name + n - k, endings[i]) == 0) return (part)i;
  }
  return NOT_TILED;
}

static const ls_seen *square(const ls_model *m) {
  const ls_seen *best = NULL;
  for (int i = 0; i < m->nbuffers; i++)
    if (m->buffers[i].cols > 1 && (!best || m->buffers[i].changed > best->changed)) best = &m->buffers[i];
  return best;
}

static bool find(sweep *w) {
  const ls_model *m = ls_model_now();
  const ls_stop *stop = ls_session_stop();
  f64 k, tiles;
  if (!stop || !stop->recorded || !ls_model_number(m, "k", &k) || !ls_model_number(m, "tiles", &tiles))
    return false;
  *w = (sweep){part_of(stop->record.prim->name), (u64)tiles, (u64)k, stop->record.seq, square(m)};
  return w->last != NOT_TILED && tiles >= 1 && k >= 0 && k < tiles;
}

/* What a tile was to the last update, and whether it was written by it. */
static part part_at(const sweep *w, u64 i, u64 j) {
  return i == w->pivot && j == w->pivot ? PIVOT : i == w->pivot || j == w->pivot ? CROSS : REST;
}

static const struct {
  char sign;
  ls_style style;
  const char *name;
} looks[3] = {{'P', LS_CURRENT, "pivot"}, {'+', LS_SERIES1, "row, column"}, {'o', LS_SERIES3, "rest"}};

static void draw_cell(const ls_view_draw *d, const sweep *w, int row, int col, int width, u64 i, u64 j) {
  const part p = part_at(w, i, j);
  const bool written = p == w->last;
  const bool read = (w->last == CROSS && p == PIVOT) || (w->last == REST && p == CROSS);
  const ls_style style = written ? looks[p].style : LS_DIM;
  const u32 sign = written ? (u32)looks[p].sign : read ? 'r' : '.';
  for (int k = 0; k < width; k++)
    ls_draw_char(d->canvas, d->in, row, col + k, style, width > 1 && k == width - 1 ? ' ' : sign);
}

static void draw(const ls_view_draw *d) {
  sweep w;
  char text[96];
  if (!find(&w)) {
    ls_draw_cut(d->canvas, d->in, 0, 0, d->in.cols, LS_DIM, "no tiled update has run: start fw(g), step");
    return;
  }
  int col = 0;
  for (int p = 0; p < 3; p++) {
    const bool last = (part)p == w.last;
    snprintf(text, sizeof text, "%c %s%s", looks[p].sign, looks[p].name, last ? " <-" : "");
    col = ls_draw_cut(d->canvas, d->in, 0, col, d->in.cols - col, last ? looks[p].style : LS_DIM, text) + 3;
  }
  ls_draw_cut(d->canvas, d->in, 0, col, d->in.cols - col, LS_DIM, "r read");
  const u64 t = w.tiles, pairs = (t - 1) * (t - 1), items[3] = {1, 2 * (t - 1), pairs};
  snprintf(text, sizeof text, "#%llu pivot %llu of %llu, %llu of %llu tiles written",
           (unsigned long long)w.seq, (unsigned long long)w.pivot, (unsigned long long)t,
           (unsigned long long)items[w.last], (unsigned long long)(t * t));
  if (d->in.rows > 3) ls_draw_cut(d->canvas, d->in, 1, 0, d->in.cols, LS_TEXT_STYLE, text);
  const int top = d->in.rows > 3 ? 2 : 1;
  int width = (u64)d->in.cols >= 4 * t ? 4 : (u64)d->in.cols >= 2 * t ? 2 : 1;
  int shown_rows = d->in.rows - top, shown_cols = d->in.cols / width;
  if (d->state->cursor < 0) d->state->scroll = (int)w.pivot - shown_rows / 2; /* the pivot stays in sight */
  ls_view_settle(d, (int)t, shown_rows);
  int first_col = (u64)shown_cols >= t ? 0
                  : d->state->column   ? d->state->column
                                       : (int)w.pivot - shown_cols / 2;
  if (first_col > (int)t - shown_cols) first_col = (int)t - shown_cols;
  if (first_col < 0) first_col = 0;
  for (int i = 0; i < shown_rows && (u64)(d->state->scroll + i) < t; i++)
    for (int j = 0; j < shown_cols && (u64)(first_col + j) < t; j++)
      draw_cell(d, &w, top + i, j * width, width, (u64)(d->state->scroll + i), (u64)(first_col + j));
}

static void caption(const ls_view_state *st, char *out, size_t bytes) {
  (void)st;
  sweep w;
  if (find(&w) && w.matrix)
    snprintf(out, bytes, "tiles: %s %llux%llu in %llux%llu", w.matrix->name,
             (unsigned long long)w.matrix->rows, (unsigned long long)w.matrix->cols,
             (unsigned long long)w.tiles, (unsigned long long)w.tiles);
  else
    snprintf(out, bytes, "tiles");
}

const ls_view ls_view_tiles = {"tiles", "tiles", 2, 12, draw, NULL, "", caption};
