/* The canvas: text, rules, bars, dots, and that nothing leaves its rectangle. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/mem.h"
#include "panel/canvas/canvas.h"
#include "panel/views/view.h"

static ls_canvas make(int rows, int cols, ls_symbols symbols) {
  ls_canvas c = {.symbols = symbols, .utf8 = symbols != LS_ASCII};
  assert_int_equal(ls_canvas_resize(&c, rows, cols), LS_OK);
  return c;
}

/* Compares the canvas with text, and frees it. */
static void expect(ls_canvas *c, const char *text) {
  char *shown = ls_canvas_text(c);
  assert_non_null(shown);
  assert_string_equal(shown, text);
  ls_free(shown);
  ls_canvas_free(c);
}

static void test_text(void **state) {
  (void)state;
  ls_canvas c = make(3, 10, LS_BRAILLE);
  ls_rect all = ls_canvas_all(&c);
  assert_int_equal(ls_draw_text(&c, all, 0, 0, LS_TEXT_STYLE, "a\tb"), 9);
  assert_int_equal(ls_draw_text(&c, all, 1, 6, LS_TEXT_STYLE, "Češka"), 11);
  ls_draw_right(&c, all, 2, 10, LS_TEXT_STYLE, "42");
  expect(&c, "a       b\n      Češk\n        42\n");

  c = make(1, 8, LS_BRAILLE);
  ls_draw_cut(&c, ls_canvas_all(&c), 0, 0, 6, LS_TEXT_STYLE, "abcdefgh");
  ls_draw_char(&c, ls_canvas_all(&c), 0, 7, LS_TEXT_STYLE, '|');
  expect(&c, "abcde… |\n");

  c = make(3, 10, LS_BRAILLE);
  assert_int_equal(ls_draw_words(&c, ls_canvas_all(&c), 0, 1, LS_TEXT_STYLE, "one two é, unbreakable"), 3);
  assert_int_equal(ls_draw_words(NULL, ls_canvas_all(&c), 0, 1, LS_TEXT_STYLE, "one two é, unbreakable"), 3);
  expect(&c, " one two\n é,\n unbreaka…\n");

  c = make(1, 8, LS_ASCII);
  ls_draw_cut(&c, ls_canvas_all(&c), 0, 0, 8, LS_TEXT_STYLE, "abécdefgh");
  expect(&c, "ab?cdef~\n");

  c = make(1, 8, LS_BRAILLE);
  ls_draw_char(&c, ls_canvas_all(&c), 0, 0, LS_TEXT_STYLE, 0x1b);
  ls_draw_char(&c, ls_canvas_all(&c), 0, 1, LS_TEXT_STYLE, 0x9b);
  ls_draw_char(&c, ls_canvas_all(&c), 0, 2, LS_TEXT_STYLE, 0xffff);
  expect(&c, "???\n");

  /* control and invisible characters are shown as escapes */
  c = make(2, 24, LS_BRAILLE);
  assert_int_equal(ls_draw_text(&c, ls_canvas_all(&c), 0, 0, LS_TEXT_STYLE, "\x1b[m\xff\xc3|"), 15);
  assert_int_equal(ls_text_width("\u202e\u00e9\xc2\x9b"), 15);
  ls_draw_cut(&c, ls_canvas_all(&c), 1, 0, 16, LS_TEXT_STYLE, "\u202e\u00e9\xc2\x9b|");
  expect(&c, "\\x1b[m\\xff\\xc3|\n\\u{202e}é\\u{9b}|\n");
}

static void test_wide(void **state) {
  (void)state;
  ls_canvas c = make(2, 5, LS_BRAILLE);
  ls_rect all = ls_canvas_all(&c);
  ls_draw_text(&c, all, 0, 0, LS_TEXT_STYLE, "図図図"); /* there is no room for the third */
  ls_draw_text(&c, all, 1, 0, LS_TEXT_STYLE, "図図");
  ls_draw_char(&c, all, 1, 1, LS_TEXT_STYLE, 'x'); /* on the right half of the first */
  ls_draw_char(&c, all, 1, 2, LS_TEXT_STYLE, 'y'); /* on the left half of the second */
  assert_int_equal(ls_canvas_at(&c, 0, 1)->flags, LS_CELL_REST);
  expect(&c, "図図\n xy\n");
  assert_int_equal(ls_text_width("a図e\u0301"), 4);
}

static void test_boxes(void **state) {
  (void)state;
  ls_canvas c = make(4, 7, LS_BRAILLE);
  ls_draw_box(&c, (ls_rect){0, 0, 3, 4}, LS_DIM);
  ls_draw_box(&c, (ls_rect){0, 3, 3, 4}, LS_DIM);
  ls_draw_box(&c, (ls_rect){2, 0, 2, 7}, LS_DIM);
  expect(&c, "┌──┬──┐\n│  │  │\n├──┴──┤\n└─────┘\n");
  c = make(3, 5, LS_ASCII);
  ls_draw_box(&c, ls_canvas_all(&c), LS_DIM);
  expect(&c, "+---+\n|   |\n+---+\n");
}

static void test_amounts(void **state) {
  (void)state;
  ls_canvas c = make(5, 4, LS_BRAILLE);
  const f64 shares[] = {0.5, 0.53, 1.5, 0.001, NAN};
  for (int i = 0; i < 5; i++) ls_draw_bar(&c, ls_canvas_all(&c), i, 0, 4, shares[i], LS_BAR);
  expect(&c, "██\n██▏\n████\n▏\n\n");
  c = make(2, 4, LS_HALF_BLOCK);
  ls_draw_bar(&c, ls_canvas_all(&c), 0, 0, 4, 0.625, LS_BAR);
  for (int i = 0; i < 4; i++) ls_draw_heat(&c, ls_canvas_all(&c), 1, i, i / 3.0, LS_BAR);
  expect(&c, "██▌\n ░▓█\n");
  c = make(1, 4, LS_ASCII);
  ls_draw_bar(&c, ls_canvas_all(&c), 0, 0, 4, 0.74, LS_BAR);
  expect(&c, "###\n");
}

static void test_plots(void **state) {
  (void)state;
  const ls_xy points[] = {{0, 0}, {1, 1}, {NAN, 0}, {0, 1}};
  const ls_axes axes = {0, 1, 0, 1, false, false};
  ls_canvas c = make(2, 4, LS_BRAILLE);
  ls_draw_line(&c, ls_canvas_all(&c), &axes, points, 4, LS_SERIES1);
  expect(&c, "⠁ ⡠⠊\n⡠⠊\n");
}

static void test_dots(void **state) {
  (void)state;
  ls_canvas c = make(1, 2, LS_BRAILLE);
  ls_rect all = ls_canvas_all(&c);
  ls_draw_dot(&c, all, 0, 0, LS_SERIES1);
  ls_draw_dot(&c, all, 3, 3, LS_SERIES1);
  ls_draw_dot(&c, all, 4, 0, LS_SERIES1);
  ls_draw_dot(&c, all, -1, -5, LS_SERIES1);
  expect(&c, "⠁⢀\n");
  c = make(1, 3, LS_ASCII);
  all = ls_canvas_all(&c);
  ls_draw_dot(&c, all, 0, 0, LS_SERIES1);
  ls_draw_dot(&c, all, 1, 1, LS_SERIES1);
  ls_draw_dot(&c, all, 2, 0, LS_SERIES1);
  ls_draw_dot(&c, all, 2, 1, LS_SERIES1);
  expect(&c, "'.:\n");
  c = make(1, 3, LS_HALF_BLOCK);
  all = ls_canvas_all(&c);
  ls_draw_segment(&c, all, 0, 1, 2, 1, LS_SERIES1);
  ls_draw_dot(&c, all, 1, 0, LS_SERIES1);
  expect(&c, "▄█▄\n");
}

static void test_numbers(void **state) {
  (void)state;
  char out[16];
  assert_string_equal(ls_short_count(812, out), "812");
  assert_string_equal(ls_short_count(999.7, out), "1.00k");
  assert_string_equal(ls_short_count(12104, out), "12.1k");
  assert_string_equal(ls_short_count(1207945, out), "1.21M");
  assert_string_equal(ls_short_count(0.25, out), "0.25");
  assert_string_equal(ls_short_count(INFINITY, out), "inf");
  assert_string_equal(ls_short_time(1.31e-3, out), "1.31ms");
  assert_string_equal(ls_short_time(0, out), "0");
  assert_string_equal(ls_short_time(75, out), "75.0s");
  assert_string_equal(ls_short_bytes(3.5 * 1024 * 1024, out), "3.50M");
}

/* Every drawing call, at places inside and outside of rectangles inside and outside of canvases: cells
 * outside of the rectangle keep their contents. */
static void test_nothing_leaves(void **state) {
  (void)state;
  const ls_symbols sets[] = {LS_BRAILLE, LS_HALF_BLOCK, LS_ASCII};
  const ls_xy points[] = {{-5, 7}, {2, -3}, {1e300, 0.5}, {0.5, 0.5}, {INFINITY, -INFINITY}};
  const ls_axes axes[] = {{0, 1, 0, 1, false, false}, {0, 0, 1, 1, true, true}, {1, 10, 1, 1e6, false, true}};
  u32 seed = 1;
  for (int turn = 0; turn < 3000; turn++) {
    ls_canvas c = make(8, 20, sets[turn % 3]);
    for (int i = 0; i < 160; i++) c.cells[i].ch = '.';
    int v[8];
    for (int i = 0; i < 8; i++) {
      seed = seed * 1664525u + 1013904223u;
      v[i] = (int)(seed >> 8) % 31 - 6;
    }
    ls_rect in = {v[0] % 9, v[1] % 21, v[2] % 10, v[3] % 22};
    ls_draw_text(&c, in, v[4], v[5], LS_BAD, "wörd 図図 \t x");
    ls_draw_cut(&c, in, v[4], v[5], v[6], LS_BAD, "wörd 図図 x");
    ls_draw_right(&c, in, v[4], v[5], LS_BAD, "図right");
    ls_draw_across(&c, in, v[4], v[5], v[6], LS_BAD);
    ls_draw_down(&c, in, v[4], v[5], v[6], LS_BAD);
    ls_draw_box(&c, in, LS_BAD);
    ls_draw_bar(&c, in, v[4], v[5], v[6], v[7] / 10.0, LS_BAD);
    ls_draw_heat(&c, in, v[4], v[5], v[7] / 10.0, LS_BAD);
    ls_draw_segment(&c, in, v[4], v[5], v[6] * 9, v[7] * 9, LS_BAD);
    ls_draw_line(&c, in, &axes[turn % 3], points, 5, LS_BAD);
    ls_draw_scatter(&c, in, &axes[turn % 3], points, 5, LS_BAD);
    ls_draw_style(&c, in, v[4], v[5], v[6], LS_BAD);
    for (int i = 0; i < 160; i++) {
      int row = i / 20 - in.row, col = i % 20 - in.col;
      bool within = row >= 0 && row < in.rows && col >= 0 && col < in.cols;
      if (!within) assert_true(c.cells[i].ch == '.' && c.cells[i].style == LS_TEXT_STYLE);
      if (sets[turn % 3] == LS_ASCII) assert_true(c.cells[i].ch >= 0x20 && c.cells[i].ch < 0x7f);
      bool rest = (c.cells[i].flags & LS_CELL_REST) != 0,
           wide_before = i % 20 && ls_char_width(c.cells[i - 1].ch) == 2;
      assert_true(rest == wide_before);
    }
    ls_canvas_free(&c);
  }
}

static void test_settle(void **state) {
  (void)state;
  ls_view_state st = {.cursor = 50, .scroll = 0};
  ls_view_draw d = {.state = &st};
  ls_view_settle(&d, 30, 10);
  assert_int_equal(st.cursor, 29);
  assert_int_equal(st.scroll, 20);
  st.cursor = 3;
  ls_view_settle(&d, 30, 10);
  assert_int_equal(st.scroll, 3);
  ls_view_settle(&d, 0, 10);
  assert_int_equal(st.cursor, 0);
  assert_int_equal(st.scroll, 0);
  snprintf(st.search, sizeof st.search, "TRIM");
  assert_true(ls_view_matches(&st, "a trim b"));
  assert_false(ls_view_matches(&st, "a tri"));
}

static void test_no_memory(void **state) {
  (void)state;
  ls_canvas c = make(2, 2, LS_ASCII);
  ls_draw_text(&c, ls_canvas_all(&c), 0, 0, LS_TEXT_STYLE, "ab");
  ls_mem_fail_at(1);
  assert_int_equal(ls_canvas_resize(&c, 50, 50), LS_EMEM);
  ls_mem_fail_at(1);
  assert_null(ls_canvas_text(&c));
  ls_mem_fail_at(0);
  expect(&c, "ab\n\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_text),    cmocka_unit_test(test_wide),
                                     cmocka_unit_test(test_boxes),   cmocka_unit_test(test_amounts),
                                     cmocka_unit_test(test_plots),   cmocka_unit_test(test_dots),
                                     cmocka_unit_test(test_numbers), cmocka_unit_test(test_nothing_leaves),
                                     cmocka_unit_test(test_settle),  cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
