/* Jacobians that are computed by groups of columns are bit-identical to those computed one column at a time,
 * and 0 outside of the pattern. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "model/ode/read.h"
#include "ode/print_equation.h"
#include "ode/jacobian.h"

enum { MOST = 80 };

static ls_ode *model_of(const char *text) {
  ls_ode *m;
  if (ls_ode_read_text("test", text, strlen(text), false, &m)) fail_msg("%s", ls_error());
  assert_int_equal(ls_ode_arrange(m), LS_OK);
  return m;
}

/* Returns the number of groups. */
static u32 check(ls_ode *m) {
  ode_system s;
  ode_groups g;
  f64 y[MOST], rate[MOST], step[MOST], moved[MOST], other[MOST], whole[MOST];
  f64 *column[MOST];
  assert_int_equal(ode_system_new(&s, m, 0, 1, 1), LS_OK);
  assert_int_equal(ode_groups_new(&g, &s), LS_OK);
  const u32 n = s.states, groups = g.count;
  assert_true(n <= MOST);
  for (u32 j = 0; j < n; j++) {
    y[j] = s.value[s.state[j]];
    step[j] = 1e-6 * (1 + fabs(y[j]));
    column[j] = ls_calloc(n, sizeof **column);
  }
  ode_move(&s, 0, y);
  ode_rates(&s, rate);
  assert_true(ode_derivatives(&g, &s, y, rate, step, moved, other, column));
  for (u32 j = 0; j < n; j++) {
    memcpy(moved, y, n * sizeof *y);
    moved[j] += step[j];
    ode_move(&s, 0, moved);
    ode_rates(&s, other);
    for (u32 i = 0; i < n; i++) whole[i] = 1 / step[j] * (other[i] - rate[i]);
    for (u32 i = 0; i < n; i++) assert_true(whole[i] == column[j][i]);
  }
  for (u32 j = 0; j < n; j++) ls_free(column[j]);
  ode_groups_free(&g);
  ode_system_free(&s);
  ls_ode_release(m);
  return groups;
}

static void samples_have_them(void **state) {
  static const char *const names[] = {"lotka-volterra", "luo-rudy-1991", "robertson"};
  (void)state;
  for (int i = 0; i < 3; i++) {
    char path[1000];
    ls_ode *m;
    snprintf(path, sizeof path, TEST_SOURCE "/samples/models/%s.ode", names[i]);
    if (ls_ode_read(path, false, &m)) fail_msg("%s", ls_error());
    if (!m->order) assert_int_equal(ls_ode_arrange(m), LS_OK);
    check(m);
  }
}

/* Each rate depends on the state's neighbours, through functions: three groups for any number of states, also
 * above 64.
 */
static void neighbours_make_three_groups(void **state) {
  static const int sizes[] = {3, 7, 63, 64, 65, 80};
  (void)state;
  for (int k = 0; k < 6; k++) {
    const int n = sizes[k];
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    for (int i = 0; i < n; i++) fprintf(f, "x%d' = flow%d - flow%d\nx%d(0) = %d.5\n", i, i, i + 1, i, i % 7);
    for (int i = 1; i < n; i++) fprintf(f, "flow%d = exp(-x%d) * x%d\n", i, i, i - 1);
    fprintf(f, "flow0 = 1\nflow%d = x%d\n", n, n - 1);
    fclose(f);
    assert_int_equal(check(model_of(text)), 3);
    free(text);
  }
}

static void a_state_of_all_rates_is_alone(void **state) {
  (void)state;
  assert_int_equal(
      check(model_of(
          "a' = c\na(0) = 1\nb' = b * c\nb(0) = 2\nc' = c + time\nc(0) = 3\nd' = d * c\nd(0) = 4\n")),
      2);
  assert_int_equal(check(model_of("a' = a + b\na(0) = 1\nb' = a * b\nb(0) = 2\n")), 2);
  assert_int_equal(check(model_of("a' = 5\na(0) = 1\nb' = time\nb(0) = 2\n")),
                   1); /* no rate depends on a state */
}

static void what_is_not_finite_is_told(void **state) {
  (void)state;
  ode_system s;
  ode_groups g;
  ls_ode *m = model_of("a' = sqrt(1 - a)\na(0) = 1\n");
  f64 y[1] = {1}, rate[1], step[1] = {0.5}, moved[1], other[1], entry[1];
  f64 *column[1] = {entry};
  assert_int_equal(ode_system_new(&s, m, 0, 1, 1), LS_OK);
  assert_int_equal(ode_groups_new(&g, &s), LS_OK);
  ode_rates(&s, rate);
  assert_false(ode_derivatives(&g, &s, y, rate, step, moved, other, column));
  ode_groups_free(&g);
  ode_system_free(&s);
  ls_ode_release(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(samples_have_them),
      cmocka_unit_test(neighbours_make_three_groups),
      cmocka_unit_test(a_state_of_all_rates_is_alone),
      cmocka_unit_test(what_is_not_finite_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
