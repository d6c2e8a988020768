/* Keys from bytes, as xterm, the Linux console and others send them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "panel/keys/keys.h"

static void expect(const char *bytes, int key) {
  int used, n = (int)strlen(bytes);
  assert_int_equal(ls_key_decode(bytes, n, false, &used), key);
  assert_int_equal(used, n);
  for (int i = 0; i < n; i++) { /* no proper prefix is a key, except one that `final` completes */
    char part[32];
    memcpy(part, bytes, (size_t)i);
    if (ls_key_decode(part, i, false, &used) == LS_KEY_NONE) assert_int_equal(used, 0);
  }
}

static void test_characters(void **state) {
  (void)state;
  expect("a", 'a');
  expect("\r", '\n');
  expect("\n", '\n');
  expect("\x7f", 0x7f);
  expect("\x03", 3);
  expect("é", 0xe9);
  expect("図", 0x56f3);
  int used;
  assert_int_equal(ls_key_decode("\xc3", 1, false, &used), LS_KEY_NONE);
  assert_int_equal(ls_key_decode("\xc3", 1, true, &used), '?');
  assert_int_equal(ls_key_decode("\xff"
                                 "a",
                                 2, false, &used),
                   '?');
  assert_int_equal(used, 1);
  assert_int_equal(ls_key_decode("", 0, true, &used), LS_KEY_NONE);
}

static void test_sequences(void **state) {
  (void)state;
  expect("\033[A", LS_KEY_UP);
  expect("\033OB", LS_KEY_DOWN);
  expect("\033[5~", LS_KEY_PAGE_UP);
  expect("\033[6~", LS_KEY_PAGE_DOWN);
  expect("\033[H", LS_KEY_HOME);
  expect("\033[4~", LS_KEY_END);
  expect("\033OP", LS_KEY_F1);
  expect("\033[11~", LS_KEY_F1);
  expect("\033[[A", LS_KEY_F1);
  expect("\033[15~", LS_KEY_F1 + 4);
  expect("\033[20~", LS_KEY_F1 + 8);
  expect("\033[24~", LS_KEY_F12);
  expect("\033[1;2P", LS_KEY_F1);      /* with Shift */
  expect("\033[15;5~", LS_KEY_F1 + 4); /* with Ctrl */
  expect("\033[1;5C", LS_KEY_RIGHT);
  expect("\033[200~", LS_KEY_PASTE);
  expect("\033b", LS_KEY_OTHER); /* Alt-b is left to Readline */
  expect("\033[?1;2c", LS_KEY_OTHER);
}

static void test_escape(void **state) {
  (void)state;
  int used;
  assert_int_equal(ls_key_decode("\033", 1, false, &used), LS_KEY_NONE);
  assert_int_equal(used, 0);
  assert_int_equal(ls_key_decode("\033", 1, true, &used), '\033');
  assert_int_equal(used, 1);
  assert_int_equal(ls_key_decode("\033[1", 3, false, &used), LS_KEY_NONE);
  assert_int_equal(ls_key_decode("\033[1", 3, true, &used), LS_KEY_OTHER);
  assert_int_equal(used, 3);
  assert_int_equal(ls_key_decode("\033[Axyz", 6, false, &used), LS_KEY_UP);
  assert_int_equal(used, 3);
}

static void test_twins(void **state) {
  (void)state;
  int used;
  expect("\x18"
         "a",
         LS_KEY_X + 'a');
  expect("\x18"
         "8",
         LS_KEY_X + '8');
  expect("\x18\x18", LS_KEY_X + 0x18);
  assert_int_equal(ls_key_decode("\x18", 1, false, &used), LS_KEY_NONE);
  assert_int_equal(ls_key_decode("\x18", 1, true, &used),
                   LS_KEY_NONE); /* a prefix key waits without a time limit */
  expect("\x18\033[A", LS_KEY_OTHER);
}

static void test_learnt(void **state) {
  (void)state;
  ls_key_learn("", LS_KEY_F1 + 1);
  ls_key_learn("\033[57~", LS_KEY_F1 + 1);
  expect("\033[57~", LS_KEY_F1 + 1);
  expect("\033[5~", LS_KEY_PAGE_UP);
}

/* For random bytes the decoder either consumes some or asks for more, and never consumes more than it was
 * given. */
static void test_anything(void **state) {
  (void)state;
  static const char pool[] = "\033[O\x18;1256~AZaP\xc3\xa9\xff\r\t?";
  u32 seed = 7;
  for (int turn = 0; turn < 200000; turn++) {
    char bytes[12];
    int n = 0, used;
    for (; n < (int)sizeof bytes; n++) {
      seed = seed * 1664525u + 1013904223u;
      bytes[n] = pool[(seed >> 12) % (sizeof pool - 1)];
    }
    n = 1 + (int)((seed >> 8) % sizeof bytes);
    int key = ls_key_decode(bytes, n, false, &used);
    assert_true(used >= 0 && used <= n);
    assert_int_equal(key == LS_KEY_NONE, used == 0);
    key = ls_key_decode(bytes, n, true, &used);
    assert_true(used >= 0 && used <= n);
    if (used == 0) assert_true(bytes[0] == 0x18);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_characters), cmocka_unit_test(test_sequences),
                                     cmocka_unit_test(test_escape),     cmocka_unit_test(test_twins),
                                     cmocka_unit_test(test_learnt),     cmocka_unit_test(test_anything)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
