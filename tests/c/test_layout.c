/* The layout at every size from 1 x 1 to 70 x 220: panes do not overlap, leave no gap, and lie on the screen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "panel/canvas/layout.h"

static char owner[70][220];

/* Marks a rectangle's cells as taken; rectangles may share their borders but not their insides. */
static void claim(ls_rect r, int rows, int cols, char who) {
  assert_true(r.row >= 0 && r.col >= 0 && r.rows >= 1 && r.cols >= 1);
  assert_true(r.row + r.rows <= rows && r.col + r.cols <= cols);
  for (int i = r.row; i < r.row + r.rows; i++)
    for (int k = r.col; k < r.col + r.cols; k++) {
      assert_true(owner[i][k] == 0 || (owner[i][k] == '+' && who == '+'));
      owner[i][k] = who;
    }
}

static void claim_rules(ls_rect r, int rows, int cols) {
  claim((ls_rect){r.row, r.col, 1, r.cols}, rows, cols, '+');
  claim((ls_rect){r.row + r.rows - 1, r.col, 1, r.cols}, rows, cols, '+');
  claim((ls_rect){r.row, r.col, r.rows, 1}, rows, cols, '+');
  claim((ls_rect){r.row, r.col + r.cols - 1, r.rows, 1}, rows, cols, '+');
}

static void check(int rows, int cols, int zoomed, bool reading, u32 hidden) {
  ls_layout l;
  ls_layout_make(rows, cols, zoomed, reading, hidden, &l);
  if (l.panes > 0 && (hidden & ((1u << l.panes) - 1)) == (1u << l.panes) - 1)
    hidden = 0; /* not all panes can be hidden */
  memset(owner, 0, sizeof owner);
  assert_int_equal(l.status, rows >= 3 && cols >= 20);
  assert_int_equal(l.panes > 0, rows >= 15 && cols >= 60);
  assert_int_equal(l.keys, l.panes > 0);
  if (l.status) claim((ls_rect){0, 0, 1, cols}, rows, cols, 's');
  if (l.keys) claim((ls_rect){rows - 1, 0, 1, cols}, rows, cols, 'k');
  claim(l.prompt, rows, cols, 'p');
  for (int i = 0; i < l.panes; i++) {
    if (zoomed >= 0 && zoomed < l.panes && i != zoomed) {
      assert_int_equal(l.pane[i].rows, 0);
      continue;
    }
    if ((zoomed < 0 || zoomed >= l.panes) && hidden >> i & 1) {
      assert_int_equal(l.pane[i].rows, 0);
      continue;
    }
    assert_true(l.pane[i].rows >= 5 && l.pane[i].cols >= 28);
    claim_rules(l.pane[i], rows, cols);
    claim(ls_rect_inside(l.pane[i]), rows, cols, (char)('0' + i));
  }
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < cols; k++) assert_int_not_equal(owner[i][k], 0);
}

static void test_every_size(void **state) {
  (void)state;
  for (int rows = 1; rows <= 70; rows++)
    for (int cols = 1; cols <= 220; cols++) {
      check(rows, cols, -1, false, 0);
      check(rows, cols, -1, true, 0);
    }
}

static void test_zoom(void **state) {
  (void)state;
  for (int rows = 10; rows <= 70; rows += 7)
    for (int cols = 50; cols <= 220; cols += 17)
      for (int zoomed = 0; zoomed < LS_PANES; zoomed++) check(rows, cols, zoomed, false, 5);
}

/* If any panes are hidden, the others leave no gap. */
static void test_hidden(void **state) {
  (void)state;
  for (int rows = 12; rows <= 70; rows += 3)
    for (int cols = 55; cols <= 220; cols += 23)
      for (u32 hidden = 0; hidden < 1u << LS_PANES; hidden++) check(rows, cols, -1, hidden & 1, hidden);
}

static void test_usual_sizes(void **state) {
  (void)state;
  ls_layout l;
  ls_layout_make(24, 80, -1, false, 0, &l);
  assert_int_equal(l.panes, 3);
  assert_int_equal(l.pane[0].row, l.pane[1].row);
  assert_true(l.pane[2].row > l.pane[0].row && l.pane[2].cols == 80);
  assert_true(l.prompt.rows >= 5);
  ls_layout_make(24, 80, -1, true, 0, &l); /* with a lesson */
  assert_true(ls_rect_inside(l.pane[2]).rows >= 10 && l.pane[2].cols == 80);
  assert_true(l.prompt.rows >= 4);
  ls_layout_make(16, 60, 1, true, 0,
                 &l); /* on a small screen a lesson takes everything except the prompt's rows */
  assert_true(ls_rect_inside(l.pane[1]).rows >= 8 && l.pane[1].cols == 60 && l.prompt.rows >= 3);
  ls_layout_make(60, 200, -1, false, 0, &l);
  assert_int_equal(l.panes, 9);
  ls_layout_make(40, 120, -1, false, 0, &l);
  assert_int_equal(l.panes, 5);
  ls_layout_make(24, 80, -1, false, 1 << 1,
                 &l); /* the convergence pane is hidden: the source takes the whole width */
  assert_true(l.pane[0].cols == 80 && l.pane[1].rows == 0 && l.pane[2].cols == 80);
  ls_layout_make(24, 80, -1, true, 3, &l);
  assert_true(l.pane[2].row == 1 && l.pane[2].rows > 12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_size), cmocka_unit_test(test_zoom),
                                     cmocka_unit_test(test_hidden), cmocka_unit_test(test_usual_sizes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
