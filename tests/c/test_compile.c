/* Compiling at run time: the cache name of a compiled library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "compile/cache.h"

/* Each header is part of the name: a library that was compiled with other headers is not reused. */
static void every_header_counts(void **state) {
  (void)state;
  enum { HEADERS = 3 };
  const ls_embedded one[HEADERS + 1] = {{"a.h", "int a;", 6}, {"b.h", "int b;", 6}, {"c.h", "int c;", 6}};
  const u64 sum = ls_headers_sum(one);
  assert_int_equal(sum, ls_headers_sum(one));
  for (int i = 0; i < HEADERS; i++) {
    ls_embedded other[HEADERS + 1] = {one[0], one[1], one[2]};
    other[i].text = "int x;";
    assert_int_not_equal(sum, ls_headers_sum(other));
    other[i] = one[i];
    other[i].name = "x.h";
    assert_int_not_equal(sum, ls_headers_sum(other));
  }
  const ls_embedded turned[HEADERS + 1] = {one[1], one[0], one[2]};
  assert_int_not_equal(sum, ls_headers_sum(turned));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_header_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
