/* ls_expr: values, precedence and every way to be wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "run/launch/row.h"

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

static bool is(const char *name, size_t len, const char *word) {
  return strlen(word) == len && memcmp(name, word, len) == 0;
}

/* The names that a row's cost expression may use: the sizes in its extents, the sizes of its domain and
 * types, its VALUEs and COUNTs. */
static f64 of_row(const char *name, size_t len, const void *ctx) {
  const ls_prim *p = ctx;
  const bool walks = p->domain == LS_VERTEX_WALK || p->domain == LS_VERTEX_EDGES ||
                     p->domain == LS_QUEUE_EDGES || p->domain == LS_VERTEX_BEST || p->domain == LS_LIBRARY;
  if (is(name, len, "items") || (is(name, len, "edges") && walks)) return 1;
  if (is(name, len, "size") && p->types != 1u << LS_NONE) return 1;
  for (int i = 0; i < p->nargs; i++) {
    if (is(name, len, p->args[i].name) && (p->args[i].role == LS_COUNT || p->args[i].role == LS_VALUE))
      return 1;
    for (const char *size = p->args[i].extent; *size;) { /* for each name in the extent */
      const size_t known = strcspn(size, "+*");
      if (known == len && strncmp(size, name, len) == 0) return 1;
      size += known + (size[known] != '\0');
    }
  }
  return -1;
}

static void costs_of_all_rows(void **state) {
  (void)state;
  int models = 0;
  for (int i = 0; i < ls_prims(); i++) {
    const ls_prim *p = ls_prim_at(i);
    const char *const costs[] = {p->bytes, p->gathers};
    for (int k = 0; k < 2; k++) {
      f64 x;
      if (!*costs[k]) continue;
      models++;
      if (ls_expr(costs[k], of_row, p, &x)) fail_msg("%s: %s", p->name, ls_error());
    }
    if (p->domain != LS_LOOP && (!*p->bytes) != (!*p->gathers))
      fail_msg("%s: one cost is known, not both", p->name);
  }
  assert_true(models > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(errors),
                                     cmocka_unit_test(deep), cmocka_unit_test(no_names),
                                     cmocka_unit_test(costs_of_all_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
