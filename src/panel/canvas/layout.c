#include "panel/canvas/layout.h"

#include <string.h>

typedef struct shape {
  int rows, cols; /* minimum size of the screen */
  int bands;      /* rows of panes */
  int across[3];  /* panes in each band */
  int weight[4];  /* relative heights of the bands and, last, of the prompt */
  int reading[4]; /* the same while a text is read in the second band */
} shape;

/* The first shape that fits the screen is used. */
static const shape shapes[] = {
    {52, 160, 3, {3, 3, 3}, {5, 4, 3, 4}, {4, 6, 2, 4}}, /* nine panes */
    {34, 160, 2, {3, 3, 0}, {5, 4, 0, 4}, {4, 6, 0, 3}},
    {40, 100, 3, {2, 2, 1}, {5, 4, 3, 4}, {4, 6, 2, 4}},
    {30, 100, 2, {2, 2, 0}, {5, 4, 0, 4}, {4, 6, 0, 3}},
    {20, 60, 2, {2, 1, 0}, {8, 5, 0, 6}, {5, 10, 0, 4}}, /* 80 x 24 */
    {15, 60, 1, {2, 0, 0}, {6, 0, 0, 5}, {8, 0, 0, 3}},
};

/* The pane at each place of each band. Panes 0, 1 and 2 are neighbours even if there are nine panes. */
static const int places[3][3] = {{0, 1, 3}, {2, 4, 5}, {6, 7, 8}};

static int place(const shape *s, int band, int i) {
  if (s->across[0] == 2 && s->bands > 1) /* two columns: 0 1 / 2 3 / 4 */
    return band * 2 + i;
  return places[band][i];
}

/* The position of border i, if [from, from + length] is split into `count` parts that share their borders. */
static int border(int from, int length, int count, int i) { return from + length * i / count; }

static void make_bands(const shape *s, const int *weight, int top, int rows, int cols, u32 hidden,
                       ls_layout *out) {
  int shown[3] = {0}, bands = 0, total = weight[3], sum = 0, row = top;
  for (int b = 0; b < s->bands; b++) {
    for (int i = 0; i < s->across[b]; i++) {
      shown[b] += !(hidden >> place(s, b, i) & 1);
      if (place(s, b, i) >= out->panes) out->panes = place(s, b, i) + 1;
    }
    if (shown[b]) bands++, total += weight[b];
  }
  if (bands == 0) {
    make_bands(s, weight, top, rows, cols, 0, out);
    return;
  }
  const int content = rows - (bands + 1); /* without the borders */
  for (int b = 0, made = 1; b < s->bands; b++) {
    if (!shown[b]) continue;
    sum += weight[b];
    const int end = top + made++ + content * sum / total; /* the row of the lower border */
    for (int i = 0, at = 0; i < s->across[b]; i++) {
      const int p = place(s, b, i);
      if (hidden >> p & 1) continue;
      const int left = border(0, cols - 1, shown[b], at), right = border(0, cols - 1, shown[b], at + 1);
      out->pane[p] = (ls_rect){row, left, end - row + 1, right - left + 1};
      at++;
    }
    row = end;
  }
  out->prompt = (ls_rect){row + 1, 0, top + rows - row - 1, cols};
}

void ls_layout_make(int rows, int cols, int zoomed, bool reading, u32 hidden, ls_layout *out) {
  memset(out, 0, sizeof *out);
  const shape *s = NULL;
  for (size_t i = 0; !s && i < sizeof shapes / sizeof *shapes; i++)
    if (rows >= shapes[i].rows && cols >= shapes[i].cols) s = &shapes[i];
  out->status = rows >= 3 && cols >= 20;
  out->keys = s != NULL;
  int top = out->status, left = rows - top - out->keys;
  out->prompt = (ls_rect){top, 0, left, cols};
  if (!s) return;
  make_bands(s, reading ? s->reading : s->weight, top, left, cols, hidden, out);
  if (zoomed < 0 || zoomed >= out->panes) return;
  for (int i = 0; i < out->panes; i++) out->pane[i] = (ls_rect){0, 0, 0, 0};
  out->pane[zoomed] = (ls_rect){top, 0, out->prompt.row - top, cols};
}
