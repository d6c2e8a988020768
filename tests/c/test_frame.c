/* Whole pictures at every size from 1 x 1 to 220 columns and 70 rows, of a search that stands at a stop:
 * boxes close, rows are as wide as the terminal, and what a canvas holds can be shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "lua/session.h"
#include "panel/frame.h"
#include "panel/snapshot.h"

enum { ROWS = 70, COLS = 220, UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8 };

static void say_nothing(const ls_stop *stop) { (void)stop; }

static int opened(void **state) {
  (void)state;
  int n;
  if (!ls_session_open()) return -1;
  ls_session_on_stop(say_nothing);
  ls_session_may_pause(true);
  if (ls_session_eval("g = gen.grid{9, 9, one_way = 0.8, seed = 5}", "=test", &n) != LS_DONE) return -1;
  if (ls_session_start("scc.forward_backward(g)") != LS_PAUSED) return -1;
  return ls_session_step(20) == LS_PAUSED ? 0 : -1;
}

static int closed(void **state) {
  (void)state;
  ls_session_close();
  return 0;
}

static u8 lines_at(const ls_canvas *c, int row, int col) {
  const ls_cell *cell = ls_canvas_at(c, row, col);
  return cell ? cell->flags & LS_CELL_LINES : 0;
}

/* Sides are drawn from corner to corner; titles stand in the upper and lower rules alone. */
static void check_box(const ls_canvas *c, ls_rect box) {
  const int bottom = box.row + box.rows - 1, right = box.col + box.cols - 1;
  const struct {
    int row, col;
    u8 lines;
  } corners[] = {{box.row, box.col, DOWN | RIGHT},
                 {box.row, right, DOWN | LEFT},
                 {bottom, box.col, UP | RIGHT},
                 {bottom, right, UP | LEFT}};
  for (int i = 0; i < 4; i++)
    if ((lines_at(c, corners[i].row, corners[i].col) & corners[i].lines) != corners[i].lines)
      fail_msg("%dx%d: the box at %d,%d of %dx%d has no corner at %d,%d", c->cols, c->rows, box.row, box.col,
               box.rows, box.cols, corners[i].row, corners[i].col);
  for (int row = box.row + 1; row < bottom; row++)
    if ((lines_at(c, row, box.col) & (UP | DOWN)) != (UP | DOWN) ||
        (lines_at(c, row, right) & (UP | DOWN)) != (UP | DOWN))
      fail_msg("%dx%d: the box at %d,%d has a hole in row %d", c->cols, c->rows, box.row, box.col, row);
}

/* Every cell is taken by one column: wide characters have their second half, and nothing else is empty. */
static void check_rows(const ls_canvas *c) {
  for (int row = 0; row < c->rows; row++) {
    int width = 0;
    for (int col = 0; col < c->cols; col++) {
      const ls_cell *cell = ls_canvas_at(c, row, col);
      if (cell->flags & LS_CELL_REST)
        assert_int_equal(cell->ch, 0);
      else if (ls_char_width(cell->ch) < 1 || cell->ch < ' ')
        fail_msg("%dx%d: U+%04X at %d,%d", c->cols, c->rows, cell->ch, row, col);
      else
        width += ls_char_width(cell->ch);
      if (cell->style >= LS_STYLES || (!c->utf8 && cell->ch > 126))
        fail_msg("%dx%d: style %d, U+%04X", c->cols, c->rows, cell->style, cell->ch);
    }
    if (width != c->cols) fail_msg("%dx%d: row %d is %d columns wide", c->cols, c->rows, row, width);
  }
}

static void draw_checked(ls_frame *f, ls_canvas *c, int rows, int cols) {
  int row, col;
  assert_int_equal(ls_canvas_resize(c, rows, cols), LS_OK);
  ls_frame_draw(f, c, &row, &col);
  if (row >= 0) assert_true(row < rows && col >= 0 && col < cols);
  check_rows(c);
  for (int i = 0; i < f->layout.panes; i++)
    if (f->layout.pane[i].rows >= 2) check_box(c, f->layout.pane[i]);
}

static void all_sizes(ls_symbols symbols, bool utf8, int step) {
  ls_canvas c = {.symbols = symbols, .utf8 = utf8};
  ls_frame f;
  ls_frame_init(&f);
  const char said[] = "> step 20\n#20 reach_forward 1.2 us grown 3->5\n> print('Č漢')\n";
  ls_pane_write(&f.pane, said, sizeof said - 1);
  for (int rows = 1; rows <= ROWS; rows += step)
    for (int cols = 1; cols <= COLS; cols += step) draw_checked(&f, &c, rows, cols);
  ls_canvas_free(&c);
  ls_pane_free(&f.pane);
}

static void sizes_braille(void **state) {
  (void)state;
  all_sizes(LS_BRAILLE, true, 1);
}
static void sizes_block(void **state) {
  (void)state;
  all_sizes(LS_BLOCK, true, 3);
}
static void sizes_ascii(void **state) {
  (void)state;
  all_sizes(LS_ASCII, false, 3);
}

/* Each view by itself in all the room, and with the keys. */
static void zoomed(void **state) {
  (void)state;
  ls_canvas c = {.symbols = LS_BRAILLE, .utf8 = true};
  static const int sizes[][2] = {{24, 80}, {15, 60}, {14, 60}, {60, 200}, {3, 20}, {70, 60}, {16, 220}};
  for (int v = 0; ls_views[v]; v++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      ls_frame f;
      ls_frame_init(&f);
      f.view[1] = v;
      f.zoomed = f.focus = 1;
      draw_checked(&f, &c, sizes[i][0], sizes[i][1]);
      f.running = true;
      draw_checked(&f, &c, sizes[i][0], sizes[i][1]);
    }
  ls_canvas_free(&c);
}

/* A snapshot holds every letter of the picture, whatever has become a shape. */
static void snapshots(void **state) {
  (void)state;
  ls_canvas c = {.symbols = LS_BRAILLE, .utf8 = true};
  assert_int_equal(ls_canvas_resize(&c, 3, 12), LS_OK);
  ls_draw_box(&c, ls_canvas_all(&c), LS_DIM);
  ls_draw_text(&c, ls_canvas_all(&c), 1, 1, LS_NUMBER, "a<b & \"c\"");
  ls_draw_char(&c, ls_canvas_all(&c), 1, 10, LS_SERIES1, 0x28ff);
  char *svg = NULL, *html = NULL;
  size_t bytes;
  FILE *f = open_memstream(&svg, &bytes);
  ls_snapshot_svg(&c, f, false);
  fclose(f);
  f = open_memstream(&html, &bytes);
  ls_snapshot_html(&c, f, true);
  fclose(f);
  assert_non_null(strstr(svg, ">a&lt;b</text>"));
  assert_non_null(strstr(svg, ">&amp;</text>"));
  const char *dots = strstr(svg, " d' d='");
  assert_non_null(dots);
  int count = 0;
  for (dots += 7; *dots != '\''; dots++) count += *dots == 'M';
  assert_int_equal(count, 8);
  assert_non_null(strstr(html, "a&lt;b &amp; \"c\""));
  free(svg);
  free(html);
  assert_int_equal(ls_snapshot_save(&c, "/nowhere/a.svg", false), LS_EIO);
  assert_int_equal(ls_snapshot_save(&c, "a.doc", false), LS_EARG);
  ls_canvas_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_braille), cmocka_unit_test(sizes_block),
                                     cmocka_unit_test(sizes_ascii), cmocka_unit_test(zoomed),
                                     cmocka_unit_test(snapshots)};
  return cmocka_run_group_tests(tests, opened, closed);
}
