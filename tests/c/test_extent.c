/* Extents: values, malformed texts, and 4000 random extents against values computed as they are drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "core/extent.h"
#include "core/random.h"

enum { SIZES = 5 };
static const char *const names[SIZES] = {"n", "m", "cells", "vars", "tiles_2"};
typedef struct sizes {
  u64 value[SIZES];
  int unknown; /* index of the unknown size, or -1 */
} sizes;

static bool size_of(const void *ctx, ls_size_name name, u64 *value) {
  const sizes *s = ctx;
  for (int i = 0; i < SIZES; i++)
    if (i != s->unknown && ls_same_size(name, names[i], (u32)strlen(names[i])))
      return *value = s->value[i], true;
  return false;
}

static void values(void **state) {
  (void)state;
  const sizes s = {{10, 40, 3, 7, 5}, -1};
  static const struct {
    const char *text;
    u64 value;
  } table[] = {{"1", 1},
               {"n", 10},
               {"n+1", 11},
               {"3*n", 30},
               {"n*n", 100},
               {"n*m", 400},
               {"cells*vars", 21},
               {"n*cells+m+1", 71},
               {" n * 2 + 5 ", 25},
               {"tiles_2*tiles_2*1024", 25600},
               {"2*n*3*m", 2400},
               {"0*n", 0},
               {"18446744073709551615", UINT64_MAX}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    u64 x = 0;
    ls_extent e;
    assert_int_equal(ls_extent_read(table[i].text, &e), LS_OK);
    assert_int_equal(ls_extent_value(&e, size_of, &s, &x), LS_OK);
    assert_true(x == table[i].value);
    const ls_extent *kept = ls_extent_of(table[i].text);
    assert_non_null(kept);
    assert_ptr_equal(kept, ls_extent_of(table[i].text));
  }
}

static void malformed(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } table[] = {{"", "a number or the name of a size expected at its end"},
               {"n+", "expected at its end"},
               {"*n", "expected at '*n'"},
               {"n m", "'*' or '+' expected at 'm'"},
               {"n-1", "'-' is not allowed in an extent"},
               {"(n)", "expected at '(n)'"},
               {"n/2", "'/' is not allowed in an extent, only '*' and '+' are; a new name"},
               {"18446744073709551616", "above 2^64"},
               {"4294967296*4294967296", "above 2^64"},
               {"n+n+n+n+n", "more than 4 terms"},
               {"n*n*n*n*n", "more than 4 sizes in a product"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    ls_extent e;
    assert_int_equal(ls_extent_read(table[i].text, &e), LS_EARG);
    if (!strstr(ls_error(), table[i].says)) fail_msg("'%s': %s", table[i].text, ls_error());
    assert_null(ls_extent_of(table[i].text));
  }
}

static void too_many(void **state) {
  (void)state;
  const sizes s = {{1ull << 40, 1, 1, 1, 1}, -1};
  static const char *const texts[] = {"n*n", "n*n+1", "16777216*n", "18446744073709551615+n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ls_extent e;
    u64 x = 0;
    assert_int_equal(ls_extent_read(texts[i], &e), LS_OK);
    assert_int_equal(ls_extent_value(&e, size_of, &s, &x), LS_EARG);
    assert_non_null(strstr(ls_error(), "more elements than 64 bits"));
  }
}

/* Builds random extents as text and computes their values from the same random numbers. */
static void random_extents(void **state) {
  (void)state;
  int solved = 0;
  for (u64 round = 0; round < 4000; round++) {
    const u64 key = ls_key(7, round);
    u64 at = 0, value = 0;
    sizes s = {.unknown = -1};
    for (int i = 0; i < SIZES; i++) s.value[i] = ls_below(ls_draw(key, at++), 50);
    char text[256] = "";
    int uses_in[SIZES][4] = {{0}};
    const int terms = 1 + (int)ls_below(ls_draw(key, at++), 4);
    for (int t = 0; t < terms; t++) {
      u64 product = 1;
      const int factors = 1 + (int)ls_below(ls_draw(key, at++), 3);
      for (int f = 0; f < factors; f++) {
        char piece[40];
        if (ls_below(ls_draw(key, at++), 3) == 0) {
          const u64 number = ls_below(ls_draw(key, at++), 1000);
          product *= number;
          snprintf(piece, sizeof piece, "%llu", (unsigned long long)number);
        } else {
          const int k = (int)ls_below(ls_draw(key, at++), SIZES);
          product *= s.value[k];
          uses_in[k][t]++;
          snprintf(piece, sizeof piece, "%s", names[k]);
        }
        if (f || t) strcat(text, f ? (round % 2 ? "*" : " * ") : (round % 3 ? "+" : " + "));
        strcat(text, piece);
      }
      value += product;
    }
    ls_extent e;
    u64 x = 1;
    if (ls_extent_read(text, &e)) fail_msg("'%s': %s", text, ls_error());
    if (ls_extent_value(&e, size_of, &s, &x) || x != value)
      fail_msg("'%s' is %llu", text, (unsigned long long)x);
    /* each size in turn is unknown: it is solved for if the extent determines it */
    for (int k = 0; k < SIZES; k++) {
      int in_terms = 0;
      for (int t = 0; t < terms; t++) in_terms += uses_in[k][t] > 0;
      ls_size_name name;
      s.unknown = k;
      const int unknown = ls_extent_unknown(&e, size_of, &s, &name);
      assert_int_equal(unknown, in_terms < 2 ? in_terms : 2);
      if (unknown != 1) continue;
      assert_true(ls_same_size(name, names[k], (u32)strlen(names[k])));
      const u64 found = ls_extent_solve(&e, name, size_of, &s, value), kept = s.value[k];
      s.value[k] = found;
      s.unknown = -1;
      u64 again = 0;
      assert_int_equal(ls_extent_value(&e, size_of, &s, &again), LS_OK);
      if (again != value)
        fail_msg("'%s' = %llu: %s is %llu, found %llu", text, (unsigned long long)value, names[k],
                 (unsigned long long)kept, (unsigned long long)found);
      s.value[k] = kept;
      solved++;
    }
    s.unknown = -1;
  }
  assert_true(solved > 2000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(malformed),
                                     cmocka_unit_test(too_many), cmocka_unit_test(random_extents)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
