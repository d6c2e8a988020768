/* ls_expr: values, precedence and every way to be wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "run/row.h"

static f64 size(const char *name, size_t len, const void *ctx) {
  (void)ctx;
  if (len == 1 && name[0] == 'n') return 10;
  if (len == 1 && name[0] == 'm') return 40;
  if (len == 7 && memcmp(name, "items_2", 7) == 0) return 3;
  return -1;
}

static void values(void **state) {
  (void)state;
  static const struct {
    const char *text;
    f64 value;
  } table[] = {
      {"1", 1},           {"n+1", 11},       {"n*n", 100},
      {"8*n + 8*m", 400}, {"2+3*4", 14},     {"(2+3)*4", 20},
      {"10-4-3", 3},      {"100/10/5", 2},   {"-n+m", 30},
      {" ( n ) ", 10},    {"--3", 3},        {"0.5*m", 20},
      {"12.25", 12.25},   {"items_2*2", 6},  {"n*-2", -20},
      {"m/8", 5},         {"((((n))))", 10}, {"4294967295", 4294967295.0},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    f64 x = -12345;
    assert_int_equal(ls_expr(table[i].text, size, NULL, &x), LS_OK);
    assert_true(x == table[i].value);
  }
}

static void errors(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } table[] = {
      {"", "at its end"},
      {"n+", "at its end"},
      {"(n", "')' expected"},
      {"n)", "an operator expected at ')'"},
      {"2 3", "an operator expected at '3'"},
      {"edges", "no size is called 'edges'"},
      {"n/0", "divides by zero"},
      {"n/(m-4*n)", "divides by zero"},
      {"*n", "a number, a name or '('"},
      {"n%2", "an operator expected at '%2'"},
      {".5", "a number, a name or '('"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    f64 x = 7;
    assert_int_equal(ls_expr(table[i].text, size, NULL, &x), LS_EARG);
    assert_non_null(strstr(ls_error(), table[i].says));
    assert_true(x == 7);
  }
}

static void deep(void **state) {
  (void)state;
  static char text[200001];
  memset(text, '(', 100000);
  f64 x;
  assert_int_equal(ls_expr(text, size, NULL, &x), LS_EARG);
  memset(text, '-', 100000);
  assert_int_equal(ls_expr(text, size, NULL, &x), LS_EARG);
  memset(text, 0, sizeof text);
  for (int i = 0; i < 30; i++) text[i] = '(', text[31 + i] = ')';
  text[30] = 'n';
  assert_int_equal(ls_expr(text, size, NULL, &x), LS_OK);
  assert_true(x == 10);
}

static void no_names(void **state) {
  (void)state;
  f64 x;
  assert_int_equal(ls_expr("2*3", NULL, NULL, &x), LS_OK);
  assert_int_equal(ls_expr("n", NULL, NULL, &x), LS_EARG);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(errors),
                                     cmocka_unit_test(deep), cmocka_unit_test(no_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
