/* exp and log of models: within one unit in the last place of libm's, and bit-identical whether they are
 * called as the program's functions, inlined, or computed in vectors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "ode/functions.h"

enum { MANY = 200000 };

static f64 uniform(u64 *seed, f64 from, f64 to) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return from + (to - from) * (f64)(*seed >> 11) * 0x1p-53;
}

/* The error of `got` in units in the last place of `right`. */
static f64 units(f64 got, long double right) {
  int exponent;
  frexp((f64)right, &exponent);
  return (f64)(fabsl(got - right) / ldexpl(1, (exponent < -1021 ? -1021 : exponent) - 53));
}

static void near_libm(void **state) {
  (void)state;
  u64 seed = 1;
  f64 worst_exp = 0, worst_log = 0;
  for (int i = 0; i < MANY; i++) {
    const f64 x = i % 2 ? uniform(&seed, -20, 20) : uniform(&seed, -745, 709.7);
    const f64 y = i % 2 ? uniform(&seed, 0.5, 2) : exp(uniform(&seed, -740, 709));
    worst_exp = fmax(worst_exp, units(ls_exp(x), expl(x)));
    worst_log = fmax(worst_log, units(ls_log(y), logl(y)));
  }
  assert_true(worst_exp < 0.8);
  assert_true(worst_log < 0.9);
}

static void the_same_everywhere(void **state) {
  (void)state;
  static f64 x[1024], y[1024], z[1024];
  u64 seed = 2;
  for (int i = 0; i < 1024; i++) x[i] = uniform(&seed, -760, 720);
#pragma omp simd
  for (int i = 0; i < 1024; i++) y[i] = ls_exp_here(x[i]);
#pragma omp simd
  for (int i = 0; i < 1024; i++) z[i] = ls_log(y[i]);
  for (int i = 0; i < 1024; i++) {
    assert_true(y[i] == ls_exp(x[i]));
    assert_true(z[i] == ls_log(y[i]));
  }
}

static void ends(void **state) {
  (void)state;
  assert_true(ls_exp(0) == 1 && ls_exp(-0.0) == 1 && ls_exp(1) == 0x1.5bf0a8b145769p1);
  assert_true(ls_exp(INFINITY) == INFINITY && ls_exp(709.79) == INFINITY && ls_exp(1e300) == INFINITY);
  assert_true(ls_exp(-INFINITY) == 0 && ls_exp(-745.2) == 0 && ls_exp(-1e300) == 0);
  assert_true(isfinite(ls_exp(709.78)) && ls_exp(-745.1) == 0x1p-1074);
  assert_true(isnan(ls_exp(NAN)) && isnan(ls_log(NAN)) && isnan(ls_log(-1)) && isnan(ls_log(-INFINITY)));
  assert_true(ls_log(1) == 0 && ls_log(0) == -INFINITY && ls_log(-0.0) == -INFINITY &&
              ls_log(INFINITY) == INFINITY);
  assert_true(fabs(ls_log(0x1p-1074) - log(0x1p-1074)) < 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(near_libm), cmocka_unit_test(the_same_everywhere),
                                     cmocka_unit_test(ends)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
