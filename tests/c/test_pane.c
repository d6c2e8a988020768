/* The prompt's pane: it shows output as a terminal would, wrapped and scrolled, with the line that is being
 * typed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/mem.h"
#include "panel/canvas/pane.h"

static int row, col;

static void put(ls_pane *p, const char *s) { ls_pane_write(p, s, strlen(s)); }

/* Draws into rows x cols and compares; the cursor is left in row and col. */
static void expect(ls_pane *p, int rows, int cols, const ls_typing *typing, const char *text) {
  static const ls_typing nothing;
  ls_canvas c = {.symbols = LS_BRAILLE, .utf8 = true};
  assert_int_equal(ls_canvas_resize(&c, rows, cols), LS_OK);
  ls_pane_draw(p, &c, ls_canvas_all(&c), typing ? typing : &nothing, &row, &col);
  char *shown = ls_canvas_text(&c);
  assert_string_equal(shown, text);
  ls_free(shown);
  ls_canvas_free(&c);
}

static void test_lines(void **state) {
  (void)state;
  ls_pane p = {0};
  expect(&p, 2, 5, NULL, "\n\n");
  put(&p, "one\ntwo\n");
  expect(&p, 4, 5, NULL, "one\ntwo\n\n\n");
  put(&p, "three is long\nfour");
  expect(&p, 4, 5, NULL, "three\n is l\nong\nfour\n"); /* the last lines, wrapped */
  p.scroll = 2;
  expect(&p, 4, 5, NULL, "one\ntwo\nthree\n is l\n");
  p.scroll = 100; /* scrolling ends at the first line */
  expect(&p, 4, 5, NULL, "one\ntwo\nthree\n is l\n");
  assert_int_equal(p.scroll, 2);
  ls_pane_clear(&p);
  expect(&p, 2, 5, NULL, "\n\n");
  ls_pane_free(&p);
}

static void test_control(void **state) {
  (void)state;
  ls_pane p = {0};
  put(&p, "load:  5 %\rload: 50 %\r\033[Kdone\n"); /* progress */
  put(&p, "a\tb\bc\n\033]0;title\007x\033[5Cy\n");
  put(&p, "\033[31mred\033[m \xc3");
  put(&p, "\xa9 \xff\n"); /* a character that arrives in two writes, and an invalid byte */
  put(&p, "図");
  expect(&p, 5, 20, NULL, "done\na       c\nxy\nred é ?\n図\n");
  ls_canvas c = {.symbols = LS_ASCII};
  ls_canvas_resize(&c, 5, 20);
  static const ls_typing nothing;
  ls_pane_draw(&p, &c, ls_canvas_all(&c), &nothing, &row, &col);
  assert_int_equal(ls_canvas_at(&c, 3, 0)->style, LS_BAD);
  assert_int_equal(ls_canvas_at(&c, 3, 4)->style, LS_TEXT_STYLE);
  ls_canvas_free(&c);
  ls_pane_free(&p);
}

static void test_typing(void **state) {
  (void)state;
  ls_pane p = {0};
  put(&p, "out\n");
  ls_typing t = {"> ", "abc", 1};
  expect(&p, 3, 10, &t, "out\n> abc\n\n");
  assert_int_equal(row, 1);
  assert_int_equal(col, 3);
  t = (ls_typing){"> ", "abcdefghij", 10}; /* the cursor is on a row of its own */
  expect(&p, 3, 6, &t, "> abcd\nefghij\n\n");
  assert_int_equal(row, 2);
  assert_int_equal(col, 0);
  t = (ls_typing){"> ", "one\ntwo\tx\n\001", 3};
  expect(&p, 5, 12, &t, "out\n> one\ntwo     x\n^A\n\n");
  assert_int_equal(row, 1);
  assert_int_equal(col, 5);
  t = (ls_typing){"> ", "1\n2\n3\n4\n5\n6", 0}; /* more than fits: the cursor's row is visible */
  expect(&p, 3, 10, &t, "> 1\n2\n3\n");
  assert_int_equal(row, 0);
  t.point = 11;
  expect(&p, 3, 10, &t, "4\n5\n6\n");
  assert_int_equal(row, 2);
  t = (ls_typing){"\001\033[1m\002(ins) \001\033[m\002> ", "x", 1}; /* colours of an inputrc */
  expect(&p, 2, 12, &t, "out\n(ins) > x\n");
  t = (ls_typing){"> ", "x", 1};
  expect(&p, 1, 1, &t, "\n"); /* the cursor's row */
  ls_pane_free(&p);
}

static void collect(const char *s, size_t n);
static char collected[256];
static void collect(const char *s, size_t n) { strncat(collected, s, n); }

/* Whatever a script prints, the pane never sends it to the terminal as a control sequence. */
static void test_controls(void **state) {
  (void)state;
  ls_pane p = {0};
  put(&p, "a\xc2\x9b"
          "2Jb\u202e\u2066\x7f\x01|\u061c\ufeff\n");
  collected[0] = '\0';
  ls_pane_replay(&p, 0, collect);
  assert_string_equal(collected, "a2Jb|\n");
  ls_pane_free(&p);
}

static void test_replay(void **state) {
  (void)state;
  ls_pane p = {0};
  put(&p, "before\n");
  u64 from = p.written;
  put(&p, "after é\n\033[31mred\033[m\nrest");
  ls_pane_replay(&p, from, collect);
  assert_string_equal(collected, "after é\nred\nrest\n");
  ls_pane_free(&p);
}

static void test_much(void **state) {
  (void)state;
  ls_pane p = {0};
  char line[32];
  for (int i = 0; i < 10000; i++) {
    snprintf(line, sizeof line, "line %d\n", i);
    put(&p, line);
  }
  for (int i = 0; i < 100000; i++) put(&p, "x"); /* a very long line is continued on further lines */
  put(&p, "\nlast\n");
  p.scroll = 1 << 30;
  expect(&p, 1, 20, NULL, "line 6027\n");
  p.scroll = 0;
  expect(&p, 1, 20, NULL, "last\n");
  ls_pane_free(&p);
}

/* Whether the beginning of the last answer has scrolled out of sight. */
static void test_above(void **state) {
  (void)state;
  ls_pane p = {0};
  put(&p, "an\nolder\nanswer\n");
  p.asked = p.written;
  put(&p, "> asked\none\n");
  expect(&p, 2, 20, NULL, "> asked\none\n");
  assert_false(p.above);
  put(&p, "two\n");
  expect(&p, 2, 20, NULL, "one\ntwo\n");
  assert_true(p.above);
  p.scroll = 1;
  expect(&p, 2, 20, NULL, "> asked\none\n");
  assert_false(p.above);
  ls_pane_free(&p);
}

static void test_no_memory(void **state) {
  (void)state;
  const u64 before = ls_mem_in_use();
  for (u64 k = 1; k < 6; k++) {
    ls_pane p = {0};
    ls_mem_fail_at(k);
    put(&p, "one\ntwo\nthree\n");
    ls_mem_fail_at(0);
    put(&p, "four\n");
    static const ls_typing nothing;
    ls_canvas c = {0};
    assert_int_equal(ls_canvas_resize(&c, 3, 10), LS_OK);
    ls_pane_draw(&p, &c, ls_canvas_all(&c), &nothing, &row, &col);
    ls_canvas_free(&c);
    ls_pane_free(&p);
  }
  assert_int_equal(ls_mem_in_use(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines),    cmocka_unit_test(test_control),
                                     cmocka_unit_test(test_typing),   cmocka_unit_test(test_replay),
                                     cmocka_unit_test(test_controls), cmocka_unit_test(test_much),
                                     cmocka_unit_test(test_above),    cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
