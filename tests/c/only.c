/* Linked with every suite: with TEST_ONLY=WORDS in the environment only the tests whose names contain WORDS
 * are run, as in tests/lua/run.lua. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

__attribute__((constructor)) static void read_words(void) {
  static char pattern[256];
  const char *words = getenv("TEST_ONLY");
  if (!words || !*words) return;
  snprintf(pattern, sizeof pattern, "*%s*", words);
  for (char *c = pattern; *c; c++)
    *c = *c == ' ' ? '?' : (char)tolower(*c); /* a function's name has _ instead of a blank */
  cmocka_set_test_filter(pattern);
}
