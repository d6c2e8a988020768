/* The tiles view shows which tiles of a matrix the last step updated: the pivot, its row and column, or the
 * rest. */
#include <stdio.h>
#include <string.h>

#include "session/session.h"
#include "panel/views/view_data.h"
#include "panel/views/view.h"

/* The role of a tile in an update. */
typedef enum part { PIVOT, CROSS, REST } part;

typedef struct span { /* tiles first .. past - 1 */
  u64 first, past;
} span;

/* The last update of the stopped run, its pivot, and the number of tiles per side. */
typedef struct sweep {
  ls_tiles last; /* which tiles it wrote */
  u64 tiles, pivot, number;
  u64 vertex;          /* for LS_TILES_STEP: the vertex of that step */
  span row, col, deep; /* for LS_TILES_PART: rows and columns written, and the range of the product's sum */
  const ls_seen *matrix;
} sweep;

static const ls_seen *square(const ls_view_data *m) {
  const ls_seen *best = NULL;
  for (int i = 0; i < m->nbuffers; i++)
    if (m->buffers[i].cols > 1 && (!best || m->buffers[i].changed > best->changed)) best = &m->buffers[i];
  return best;
}

/* The tiles of the elements at .. at + size - 1, given the names of the script's variables for `at` and
 * `size`. False if these are unknown or out of range. */
static bool span_of(const ls_view_data *m, const char *at_name, const char *size_name, u64 tiles, span *out) {
  f64 at, size, tile;
  if (!ls_view_data_number(m, at_name, &at) || !ls_view_data_number(m, size_name, &size) ||
      !ls_view_data_number(m, "tile", &tile))
    return false;
  if (!(at >= 0 && size >= 1 && tile >= 1)) return false;
  *out = (span){(u64)(at / tile), (u64)((at + size + tile - 1) / tile)};
  return out->past <= tiles;
}

static bool find(sweep *w) {
  enum { STEP_TILE = 32 };
  const ls_view_data *m = ls_view_data_now();
  const ls_stop *stop = ls_session_stop();
  f64 k, tiles;
  if (!stop || !stop->recorded || !ls_view_data_number(m, "k", &k) ||
      !ls_view_data_number(m, "tiles", &tiles))
    return false;
  const ls_tiles last = stop->record.prim->tiles;
  if (last == LS_TILES_NONE || !(tiles >= 1) || !(k >= 0)) return false;
  *w = (sweep){
      .last = last, .tiles = (u64)tiles, .pivot = (u64)k, .number = stop->record.number, .matrix = square(m)};
  if (last == LS_TILES_STEP) w->vertex = (u64)k, w->pivot = w->vertex / STEP_TILE;
  if (last == LS_TILES_PART) {
    if (!span_of(m, "i", "rows", w->tiles, &w->row) || !span_of(m, "j", "cols", w->tiles, &w->col) ||
        !span_of(m, "k", "deep", w->tiles, &w->deep))
      return false;
    w->pivot = w->deep.first;
  }
  return w->pivot < w->tiles;
}

static bool in_span(span s, u64 i) { return i >= s.first && i < s.past; }

/* The role of a tile with respect to the pivot of the last update. For LS_TILES_PART, CROSS is a tile in the
 * rows or the columns of `deep`. */
static part part_at(const sweep *w, u64 i, u64 j) {
  if (w->last == LS_TILES_PART) return in_span(w->deep, i) || in_span(w->deep, j) ? CROSS : REST;
  return i == w->pivot && j == w->pivot ? PIVOT : i == w->pivot || j == w->pivot ? CROSS : REST;
}

static bool reads(const sweep *w, part p, u64 i, u64 j) {
  if (w->last == LS_TILES_PART)
    return (in_span(w->row, i) && in_span(w->deep, j)) || (in_span(w->deep, i) && in_span(w->col, j));
  return ((w->last == LS_TILES_CROSS || w->last == LS_TILES_UPPER) && p == PIVOT) ||
         (w->last == LS_TILES_REST && p == CROSS);
}

/* Does the last update write tiles of this part at all? */
static bool writes_any(const sweep *w, part p) {
  if (w->last == LS_TILES_PART) return p == part_at(w, w->row.first, w->col.first);
  return (w->last == LS_TILES_UPPER && p != PIVOT) || w->last == LS_TILES_STEP ||
         (w->last == LS_TILES_PIVOT && p == PIVOT) || (w->last == LS_TILES_CROSS && p == CROSS) ||
         (w->last == LS_TILES_REST && p == REST);
}

static bool writes(const sweep *w, part p, u64 i, u64 j) {
  if (w->last == LS_TILES_PART) return in_span(w->row, i) && in_span(w->col, j);
  return writes_any(w, p) && (w->last != LS_TILES_UPPER || (i <= w->pivot && j >= w->pivot));
}

static u64 written(const sweep *w) {
  const u64 t = w->tiles, k = w->pivot;
  switch (w->last) {
  case LS_TILES_PIVOT: return 1;
  case LS_TILES_CROSS: return 2 * (t - 1);
  case LS_TILES_REST: return (t - 1) * (t - 1);
  case LS_TILES_STEP: return t * t;
  case LS_TILES_PART: return (w->row.past - w->row.first) * (w->col.past - w->col.first);
  default: return (k + 1) * (t - k) - 1;
  }
}

static const struct {
  char sign;
  u32 shade; /* used if the canvas has block characters */
  ls_style style;
  const char *name;
} looks[] = {{'P', 0x2588, LS_CURRENT, "pivot"},
             {'+', 0x2593, LS_SERIES1, "row, column"},
             {'o', 0x2592, LS_SERIES3, "rest"},
             {'r', 0x2591, LS_DIM, "read"},
             {'.', 0xb7, LS_DIM, ""}};
enum { READ = REST + 1, UNTOUCHED };

static u32 sign_of(const ls_canvas *c, int look) {
  return ls_canvas_ascii(c) ? (u32)looks[look].sign : looks[look].shade;
}

/* The size of a tile: as large as the space allows, about square, with a gap at its right and below it. */
typedef struct cell {
  int cols, rows;
} cell;

static cell cell_for(ls_rect in, u64 tiles) {
  static const cell sizes[] = {{12, 6}, {10, 5}, {8, 4}, {6, 3}, {4, 2}, {4, 1}, {2, 1}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (tiles * (u64)sizes[i].cols <= (u64)in.cols + 1 && tiles * (u64)sizes[i].rows <= (u64)in.rows + 1)
      return sizes[i];
  return (cell){2 * tiles <= (u64)in.cols ? 2 : 1, 1};
}

static void draw_cell(const ls_view_draw *d, const sweep *w, ls_rect in, cell size, int row, int col, u64 i,
                      u64 j) {
  const part p = part_at(w, i, j);
  const int look = writes(w, p, i, j) ? (int)p : reads(w, p, i, j) ? READ : UNTOUCHED;
  const int high = size.rows > 2 ? size.rows - 1 : size.rows, wide = size.cols > 1 ? size.cols - 1 : 1;
  for (int y = 0; y < high; y++)
    for (int x = 0; x < wide; x++)
      ls_draw_char(d->canvas, in, row + y, col + x, looks[look].style, sign_of(d->canvas, look));
}

/* Writes the line below the legend: which update it was. */
static void stage(const sweep *w, char *out, size_t bytes) {
  char what[80];
  if (w->last == LS_TILES_PART)
    snprintf(what, sizeof what, "product over %llu to %llu of %llu", (unsigned long long)w->deep.first,
             (unsigned long long)w->deep.past - 1, (unsigned long long)w->tiles);
  else if (w->last == LS_TILES_STEP)
    snprintf(what, sizeof what, "vertex %llu", (unsigned long long)w->vertex);
  else
    snprintf(what, sizeof what, "pivot %llu of %llu", (unsigned long long)w->pivot,
             (unsigned long long)w->tiles);
  snprintf(out, bytes, "#%llu %s, %llu of %llu tiles written", (unsigned long long)w->number, what,
           (unsigned long long)written(w), (unsigned long long)(w->tiles * w->tiles));
}

static void draw(const ls_view_draw *d) {
  sweep w;
  char text[192];
  if (!find(&w)) {
    ls_draw_words(d->canvas, d->in, 0, 0, LS_DIM, "no tiled update has run: type `start fw(g)`, then `step`");
    return;
  }
  int col = 0;
  for (int look = 0; look <= READ; look++) {
    const bool last = look < READ && writes_any(&w, (part)look);
    ls_draw_char(d->canvas, d->in, 0, col, looks[look].style, sign_of(d->canvas, look));
    snprintf(text, sizeof text, "%s%s", looks[look].name, last ? " <-" : "");
    col = ls_draw_cut(d->canvas, d->in, 0, col + 2, d->in.cols - col - 2, last ? looks[look].style : LS_DIM,
                      text) +
          3;
  }
  const u64 t = w.tiles;
  stage(&w, text, sizeof text);
  if (d->in.rows > 3) ls_draw_cut(d->canvas, d->in, 1, 0, d->in.cols, LS_TEXT_STYLE, text);
  const int top = d->in.rows > 3 ? 2 : 1;
  const ls_rect in = ls_rect_cut(d->in, top);
  const cell size = cell_for(in, t);
  const int shown_rows = (in.rows + 1) / size.rows > 0 ? (in.rows + 1) / size.rows : 1,
            shown_cols = (in.cols + 1) / size.cols;
  if (d->state->cursor < 0) d->state->scroll = (int)w.pivot - shown_rows / 2; /* keeps the pivot visible */
  ls_view_settle(d, (int)t, shown_rows);
  int first_col = (u64)shown_cols >= t ? 0
                  : d->state->column   ? d->state->column
                                       : (int)w.pivot - shown_cols / 2;
  if (first_col > (int)t - shown_cols) first_col = (int)t - shown_cols;
  if (first_col < 0) first_col = 0;
  for (int i = 0; i < shown_rows && (u64)(d->state->scroll + i) < t; i++)
    for (int j = 0; j < shown_cols && (u64)(first_col + j) < t; j++)
      draw_cell(d, &w, in, size, i * size.rows, j * size.cols, (u64)(d->state->scroll + i),
                (u64)(first_col + j));
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

const ls_view ls_view_tiles = {"tiles", "tiles", 2, 12, draw, NULL, "", caption, NULL};
