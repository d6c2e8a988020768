#include "panel/canvas/frame.h"

#include <stdio.h>
#include <string.h>

int ls_view_number(const ls_view *v) {
  for (int i = 0; ls_views[i]; i++)
    if (ls_views[i] == v) return i;
  return 0;
}

ls_view_state *ls_frame_state(ls_frame *f, int pane) { return &f->state[f->view[pane]]; }

void ls_frame_init(ls_frame *f) {
  static const char *const usual[LS_PANES] = {"script",   "convergence", "timing", "graph",  "buffers",
                                              "roofline", "inspector",   "log",    "devices"};
  memset(f, 0, sizeof *f);
  f->focus = LS_PROMPT;
  f->zoomed = -1;
  f->wanted = -1;
  for (int i = 0; i < LS_MOST_VIEWS; i++) f->state[i].cursor = -1;
  bool used[LS_MOST_VIEWS] = {false};
  int next = 0;
  for (int i = 0; i < LS_PANES; i++) {
    const ls_view *v = ls_view_find(usual[i]);
    f->view[i] = v ? ls_view_number(v) : -1;
    if (v) used[f->view[i]] = true;
  }
  for (int i = 0; i < LS_PANES; i++) {
    while (f->view[i] < 0 && ls_views[next] && used[next]) next++;
    if (f->view[i] < 0) f->view[i] = ls_views[next] ? next++ : 0;
  }
}

int ls_frame_pane_of(const ls_frame *f, int view) {
  for (int i = 0; i < f->layout.panes; i++)
    if (f->view[i] == view && f->layout.pane[i].rows > 0) return i;
  return -1;
}

int ls_frame_reading_pane(const ls_frame *f) {
  const int last = f->layout.panes - 1;
  return last < LS_READING ? last : LS_READING;
}

void ls_frame_put(ls_frame *f, int pane, int view) {
  for (int i = 0; i < LS_PANES; i++)
    if (f->view[i] == view) f->view[i] = f->view[pane];
  f->view[pane] = view;
  f->wanted = view;
}

/* --- rules and titles -------------------------------------------------------------------------------- */

static void draw_title(ls_canvas *c, ls_rect pane, const char *title, bool focused) {
  char text[128];
  int room = pane.cols - 4;
  if (room < 3) return;
  snprintf(text, sizeof text, " %s ", title);
  ls_draw_cut(c, pane, 0, 2, room, focused ? LS_FOCUS : LS_TITLE, text);
}

static void draw_place(ls_canvas *c, ls_rect pane, const ls_view_state *st, int title_width) {
  char text[48];
  if (st->page <= 0 || st->lines <= st->page) return;
  int last = st->scroll + st->page;
  snprintf(text, sizeof text, " %d-%d/%d ", st->scroll + 1, last < st->lines ? last : st->lines, st->lines);
  if ((int)strlen(text) + title_width + 7 <= pane.cols)
    ls_draw_right(c, pane, 0, pane.cols - 2, LS_DIM, text);
}

static void draw_pane(ls_frame *f, ls_canvas *c, int i) {
  const ls_view *v = ls_views[f->view[i]];
  ls_rect pane = f->layout.pane[i];
  ls_view_state *st = ls_frame_state(f, i);
  bool focused = f->focus == i;
  ls_view_draw d = {c, ls_rect_inside(pane), st, focused, f->running, true};
  char caption[96];
  ls_view_draw_into(v, &d);
  snprintf(caption, sizeof caption, "%s", v->title);
  if (v->caption) v->caption(st, caption, sizeof caption);
  draw_title(c, pane, caption, focused);
  draw_place(c, pane, st, ls_text_width(caption));
}

/* --- the key line ------------------------------------------------------------------------------------ */

static const char *const keys[][2] = {{"F1", "Help"},  {"F2", "View"}, {"F4", "Source"}, {"F5", "Cont"},
                                      {"F6", "Until"}, {"F7", "Iter"}, {"F8", "Step"},   {"F9", "Break"}};

static void draw_keys(const ls_frame *f, ls_canvas *c) {
  ls_rect in = {c->rows - 1, 0, 1, c->cols};
  ls_draw_blank(c, in);
  if (f->asking) {
    int col = ls_draw_text(c, in, 0, 0, LS_KEY, "/");
    col = ls_draw_text(c, in, 0, col, LS_TEXT_STYLE, f->asking);
    ls_draw_text(c, in, 0, col + 2, LS_DIM, "Enter finds, Esc leaves");
    return;
  }
  int col = 0;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    bool pause = f->running && strcmp(keys[i][0], "F5") == 0;
    col = ls_draw_text(c, in, 0, col, LS_KEY, keys[i][0]);
    col = ls_draw_text(c, in, 0, col, LS_KEY_TEXT, pause ? "Pause" : keys[i][1]) + 1;
  }
  static const char *const more[][2] = {{"^Xa", "panel"}, {"^Xo", "focus"}, {"^Xz", "zoom"}};
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
    int width = (int)(strlen(more[i][0]) + strlen(more[i][1])) + 2;
    if (col + width > c->cols) break;
    col = ls_draw_text(c, in, 0, col + 1, LS_KEY, more[i][0]);
    col = ls_draw_text(c, in, 0, col + 1, LS_KEY_TEXT, more[i][1]);
  }
}

/* --- the picture ------------------------------------------------------------------------------------- */

static void draw_prompt(ls_frame *f, ls_canvas *c, int *row, int *col) {
  ls_rect in = f->layout.prompt;
  ls_pane_draw(&f->pane, c, in, &f->typing, row, col);
  if (*row >= 0) *row += in.row, *col += in.col;
}

static void draw_prompt_rule(const ls_frame *f, ls_canvas *c) {
  ls_rect rule = {f->layout.prompt.row - 1, 0, 1, c->cols};
  char text[48];
  draw_title(c, rule, "prompt", f->focus == LS_PROMPT);
  snprintf(text, sizeof text, " %d more below ", f->pane.scroll);
  if (f->pane.scroll > 0)
    ls_draw_right(c, rule, 0, c->cols - 2, LS_WARN, text);
  else if (f->pane.above)
    ls_draw_right(c, rule, 0, c->cols - 2, LS_WARN, " PgUp: more above ");
}

/* The panes to hide (bit i: pane i): those whose view is empty while another pane's is not. While something
 * runs, panes may appear, but none disappears. */
static u32 hidden_panes(const ls_frame *f) {
  u32 hidden = 0;
  bool any = false;
  for (int i = 0; i < f->layout.panes; i++) {
    const ls_view *v = ls_views[f->view[i]];
    if (!v->empty) continue;
    const bool stays = i == f->focus || i == f->zoomed || f->view[i] == f->wanted;
    if ((f->running && !(f->hidden >> i & 1)) || !v->empty())
      any = true;
    else if (!stays)
      hidden |= 1u << i;
  }
  return any ? hidden : 0;
}

void ls_frame_lay_out(ls_frame *f, int rows, int cols) {
  const ls_view *alone = f->zoomed >= 0 ? ls_views[f->view[f->zoomed]] : NULL;
  const bool reading =
      ls_views[f->view[LS_READING]] == &ls_view_lesson || alone == &ls_view_lesson || alone == &ls_view_help;
  ls_layout_make(rows, cols, f->zoomed, reading, 0, &f->layout); /* first, to know the number of panes */
  f->hidden = hidden_panes(f);
  if (f->hidden) ls_layout_make(rows, cols, f->zoomed, reading, f->hidden, &f->layout);
}

void ls_frame_draw(ls_frame *f, ls_canvas *c, int *row, int *col) {
  ls_canvas_clear(c);
  ls_frame_lay_out(f, c->rows, c->cols);
  if (f->focus >= f->layout.panes || (f->focus >= 0 && f->layout.pane[f->focus].rows == 0))
    f->focus = LS_PROMPT;
  const ls_layout *l = &f->layout;
  if (l->status) ls_status_draw(c, (ls_rect){0, 0, 1, c->cols}, f->running);
  for (int i = 0; i < l->panes; i++)
    if (l->pane[i].rows > 0) ls_draw_box(c, l->pane[i], LS_DIM);
  for (int i = 0; i < l->panes; i++)
    if (l->pane[i].rows > 0) draw_pane(f, c, i);
  draw_prompt(f, c, row, col);
  if (l->panes > 0) draw_prompt_rule(f, c);
  if (l->keys) draw_keys(f, c);
}

void ls_frame_draw_prompt(ls_frame *f, ls_canvas *c, int *row, int *col) {
  draw_prompt(f, c, row, col);
  if (f->layout.keys) draw_keys(f, c);
}
