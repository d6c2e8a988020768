/* The whole picture at every size, with a paused algorithm: every box is closed, everything is in its place,
 * and drawing twice gives the same picture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/mem.h"
#include "lua/open.h"
#include "panel/canvas/frame.h"

static bool same_picture(const ls_canvas *a, const ls_canvas *b) {
  if (a->rows != b->rows || a->cols != b->cols) return false;
  for (size_t i = 0; i < (size_t)a->rows * (size_t)a->cols; i++)
    if (a->cells[i].ch != b->cells[i].ch || a->cells[i].style != b->cells[i].style) return false;
  return true;
}

static ls_frame f;

static int open_session(void **state) {
  (void)state;
  int n;
  if (!ls_session_open()) return -1;
  ls_frame_init(&f);
  ls_session_eval("g = gen.grid{40, 40, one_way = 0.7, seed = 3}", "=test", &n);
  for (int i = 0; i < 30; i++) ls_pane_write(&f.pane, "a line of output that is somewhat long\n", 39);
  f.typing = (ls_typing){"> ", "what is typed", 4};
  return ls_session_start("scc.forward_backward(g)") == LS_PAUSED && ls_session_step(40) == LS_PAUSED ? 0
                                                                                                      : -1;
}

static int close_session(void **state) {
  (void)state;
  ls_pane_free(&f.pane);
  ls_session_close();
  return 0;
}

static bool is_rule(const ls_canvas *c, int row, int col) {
  return (ls_canvas_at(c, row, col)->flags & LS_CELL_LINES) != 0;
}

/* Asserts that all four borders of the box are drawn with rules; the lower one may contain the prompt's
 * title. */
static void check_box(const ls_canvas *c, ls_rect box) {
  int last_row = box.row + box.rows - 1, last_col = box.col + box.cols - 1;
  for (int row = box.row; row <= last_row; row++) {
    assert_true(is_rule(c, row, box.col));
    assert_true(is_rule(c, row, last_col));
  }
}

static void check(int rows, int cols, ls_symbols symbols) {
  ls_canvas c = {.symbols = symbols, .utf8 = symbols != LS_ASCII}, again = c;
  int row, col;
  assert_int_equal(ls_canvas_resize(&c, rows, cols), LS_OK);
  assert_int_equal(ls_canvas_resize(&again, rows, cols), LS_OK);
  ls_frame_draw(&f, &c, &row, &col);
  assert_true(row < rows && col < cols && (row < 0 || col >= 0));
  for (int i = 0; i < f.layout.panes; i++)
    if (f.layout.pane[i].rows > 0) check_box(&c, f.layout.pane[i]);
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < cols; k++) {
      const ls_cell *cell = ls_canvas_at(&c, i, k);
      if (symbols == LS_ASCII) assert_true(cell->ch >= ' ' && cell->ch < 0x7f);
      assert_true(cell->ch >= ' ' || (cell->flags & LS_CELL_REST));
      assert_true(cell->style < LS_STYLES);
    }
  ls_frame_draw(&f, &again, &row, &col);
  /* the memory in use, which the devices view shows, may change between two drawings */
  bool steady = ls_frame_pane_of(&f, ls_view_number(&ls_view_devices)) < 0;
  if (steady) assert_true(same_picture(&c, &again));
  ls_frame_draw_prompt(&f, &again, &row, &col);
  if (steady) assert_true(same_picture(&c, &again));
  ls_canvas_free(&c);
  ls_canvas_free(&again);
}

static void test_every_size(void **state) {
  (void)state;
  const ls_symbols sets[] = {LS_BRAILLE, LS_HALF_BLOCK, LS_ASCII};
  for (int rows = 1; rows <= 70; rows++)
    for (int cols = 1 + rows % 3; cols <= 220; cols += cols < 90 ? 3 : 7)
      check(rows, cols, sets[(rows + cols) % 3]);
}

static void test_focus_and_zoom(void **state) {
  (void)state;
  for (int i = 0; i < LS_PANES; i++) {
    f.focus = i;
    for (int zoomed = -1; zoomed <= i; zoomed += i + 1) {
      f.zoomed = zoomed;
      check(60, 200, LS_BRAILLE);
      check(24, 80, LS_ASCII);
      f.focus = i;
    }
  }
  f.focus = LS_PROMPT;
  f.zoomed = -1;
}

/* Every key that a view handles, in every view and every pane. */
static void test_keys(void **state) {
  (void)state;
  u32 seed = 3;
  for (int v = 0; ls_views[v]; v++) {
    ls_frame_put(&f, 1, v);
    f.focus = 1;
    for (int turn = 0; turn < 60; turn++) {
      seed = seed * 1664525u + 1013904223u;
      int key = turn % 2 ? LS_KEY_UP + (int)((seed >> 10) % 11) : ' ' + (int)((seed >> 10) % 95);
      ls_view_state *st = ls_frame_state(&f, 1);
      if (ls_views[v]->key) ls_views[v]->key(st, key);
      if (turn % 7 == 0) st->cursor = (int)((seed >> 8) % 10000) - 1;
      if (turn % 11 == 0) snprintf(st->search, sizeof st->search, "%c", 'a' + turn % 26);
      check(24 + turn % 20, 80 + turn, turn % 2 ? LS_BRAILLE : LS_ASCII);
    }
  }
  ls_pane_free(&f.pane);
  ls_frame_init(&f);
}

static void test_places(void **state) {
  (void)state;
  for (int i = 0; i < LS_PANES; i++)
    for (int k = 0; k < i; k++) assert_int_not_equal(f.view[i], f.view[k]);
  ls_frame_put(&f, 0, f.view[5]);
  for (int i = 0; i < LS_PANES; i++)
    for (int k = 0; k < i; k++) assert_int_not_equal(f.view[i], f.view[k]);
  assert_string_equal(ls_views[f.view[5]]->name, "script");
  ls_pane_free(&f.pane);
  ls_frame_init(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_size), cmocka_unit_test(test_focus_and_zoom),
                                     cmocka_unit_test(test_places), cmocka_unit_test(test_keys)};
  return cmocka_run_group_tests(tests, open_session, close_session);
}
