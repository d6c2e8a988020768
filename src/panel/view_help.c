/* The panel's keys, and those of each view. */
#include <stdio.h>
#include <string.h>

#include "panel/view.h"

static const char *const keys[][2] = {
    {"F1  ^X1", "this help"},
    {"F2  ^X2", "another view in this pane"},
    {"F4  ^X4", "the script, where it stands"},
    {"F5  ^X5", "continue; while it runs: pause"},
    {"F6  ^X6", "until ..."},
    {"F7  ^X7", "to the next iteration mark"},
    {"F8  ^X8", "step: one primitive"},
    {"F9  ^X9", "breakpoint on the script's line, on or off"},
    {"^Xo", "the next pane gets the keys; Esc: the prompt"},
    {"^Xa", "the panel, on and off"},
    {"PgUp PgDn", "a page up or down"},
    {"/  n", "search the focused view; the next match"},
};

enum { KEYS = sizeof keys / sizeof *keys };

static void line(const ls_view_draw *d, int i, const char *key, const char *text) {
  int row = i - d->state->scroll;
  if (row < 0 || row >= d->in.rows) return;
  int col = ls_draw_cut(d->canvas, d->in, row, 0, 11, LS_NUMBER, key);
  ls_draw_cut(d->canvas, d->in, row, col < 12 ? 12 : col + 1, d->in.cols - 12, LS_TEXT_STYLE, text);
}

static void draw(const ls_view_draw *d) {
  int views = 0;
  for (int i = 0; ls_views[i]; i++) views++;
  ls_view_settle(d, KEYS + views, d->in.rows);
  for (int i = 0; i < KEYS; i++) line(d, i, keys[i][0], keys[i][1]);
  for (int i = 0; i < views; i++) {
    const ls_view *v = ls_views[i];
    line(d, KEYS + i, v->name, *v->keys ? v->keys : v->title);
  }
}

const ls_view ls_view_help = {"help", "help", 1, 12, draw, NULL, "", NULL};
