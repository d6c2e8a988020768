/* Our vectors, matrices and linear solvers for CVODE give the same bits as SUNDIALS' own, also at odd sizes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "ode/vectors.h"

#ifdef LOCKSTEP_WITH_SUNDIALS
static const sunindextype sizes[] = {1, 2, 3, 5, 7, 8, 9, 16, 22, 33, 64, 101};
enum { SIZES = sizeof sizes / sizeof *sizes };

static f64 drawn(u64 *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (f64)(*seed >> 11) * 0x1p-52 - 1;
}

static N_Vector new_vector(SUNContext c, sunindextype n, bool fast, u64 seed) {
  N_Vector v = N_VNew_Serial(n, c);
  if (fast) ode_fast_vector(v);
  for (sunindextype i = 0; i < n; i++) NV_DATA_S(v)[i] = drawn(&seed);
  return v;
}

static void same(N_Vector a, N_Vector b) {
  assert_memory_equal(NV_DATA_S(a), NV_DATA_S(b), (size_t)NV_LENGTH_S(a) * sizeof(f64));
}

static void vectors_have_the_same_bits(void **state) {
  static const f64 factors[] = {1, -1, 0.3, -0.3, 7};
  SUNContext c;
  (void)state;
  assert_int_equal(SUNContext_Create(0, &c), 0);
  for (int s = 0; s < SIZES; s++) {
    N_Vector x[2], y[2], z[2], w[2];
    for (int k = 0; k < 2; k++) {
      x[k] = new_vector(c, sizes[s], k, 1);
      y[k] = new_vector(c, sizes[s], k, 2);
      z[k] = new_vector(c, sizes[s], k, 3);
      w[k] = N_VClone(x[k]); /* a clone has our operations, too */
    }
    assert_ptr_equal(w[1]->ops->nvscale, x[1]->ops->nvscale);
    assert_ptr_not_equal(w[0]->ops->nvscale, x[1]->ops->nvscale);
    for (int i = 0; i < 25; i++) {
      for (int k = 0; k < 2; k++) N_VLinearSum(factors[i / 5], x[k], factors[i % 5], y[k], z[k]);
      same(z[0], z[1]);
      for (int k = 0; k < 2; k++)
        N_VLinearSum(factors[i / 5], x[k], factors[i % 5], z[k], z[k]); /* in place */
      same(z[0], z[1]);
      for (int k = 0; k < 2; k++) N_VScale(factors[i / 5], z[k], w[k]);
      same(w[0], w[1]);
      for (int k = 0; k < 2; k++) N_VScale(factors[i % 5], w[k], w[k]);
      same(w[0], w[1]);
    }
    for (int count = 1; count <= 6; count++)
      for (int f = 0; f < 25; f++) {
        f64 c6[6];
        for (int i = 0; i < 6; i++) c6[i] = factors[(f / 5 + i * (f % 5)) % 5];
        for (int k = 0; k < 2; k++) {
          N_Vector of[6] = {x[k], y[k], z[k], x[k], w[k], y[k]}, sum = N_VClone(x[k]);
          assert_int_equal(N_VLinearCombination(count, c6, of, sum), 0);
          N_VScale(1, sum, k ? w[1] : w[0]);
          N_VDestroy(sum);
        }
        same(w[0], w[1]);
      }
    for (int k = 0; k < 2; k++) N_VConst(0.3, w[k]);
    same(w[0], w[1]);
    for (int k = 0; k < 2; k++) N_VAbs(x[k], z[k]);
    same(z[0], z[1]);
    for (int k = 0; k < 2; k++) N_VInv(z[k], w[k]);
    same(w[0], w[1]);
    assert_true(N_VWrmsNorm(x[0], w[0]) == N_VWrmsNorm(x[1], w[1]));
    for (int k = 0; k < 2; k++) {
      N_VDestroy(x[k]);
      N_VDestroy(y[k]);
      N_VDestroy(z[k]);
      N_VDestroy(w[k]);
    }
  }
  SUNContext_Free(&c);
}

static void solvers_have_the_same_bits(void **state) {
  SUNContext c;
  (void)state;
  assert_int_equal(SUNContext_Create(0, &c), 0);
  for (int s = 0; s < SIZES; s++)
    for (int kind = 0; kind < 3; kind++) { /* dense, half of it zeros, singular */
      const sunindextype n = sizes[s];
      N_Vector x[2], b[2];
      SUNMatrix a[2], kept[2];
      SUNLinearSolver solver[2];
      int code[2];
      for (int k = 0; k < 2; k++) {
        u64 seed = 5;
        b[k] = new_vector(c, n, k, 4);
        x[k] = N_VClone(b[k]);
        a[k] = SUNDenseMatrix(n, n, c);
        solver[k] = SUNLinSol_Dense(x[k], a[k], c);
        if (k) ode_fast_matrix(a[k]), ode_fast_solver(solver[k]);
        for (sunindextype i = 0; i < n * n; i++) {
          const f64 value = drawn(&seed);
          SM_DATA_D(a[k])[i] = kind == 0 || drawn(&seed) > 0 ? value : 0;
        }
        kept[k] = SUNMatClone(a[k]);
        assert_true(kept[k]->ops->copy == a[k]->ops->copy);
        SUNMatScaleAddI(-0.3, a[k]);
        SUNMatCopy(a[k], kept[k]);
        if (kind == 2) memset(SM_COLUMN_D(a[k], n / 2), 0, (size_t)n * sizeof(f64));
        code[k] = SUNLinSolSetup(solver[k], a[k]);
      }
      assert_memory_equal(SM_DATA_D(kept[0]), SM_DATA_D(kept[1]), (size_t)(n * n) * sizeof(f64));
      assert_memory_equal(SM_DATA_D(a[0]), SM_DATA_D(a[1]), (size_t)(n * n) * sizeof(f64));
      assert_int_equal(code[0], code[1]);
      assert_int_equal(code[0] != 0, kind == 2);
      assert_int_equal(SUNLinSolLastFlag(solver[0]), SUNLinSolLastFlag(solver[1]));
      for (int k = 0; k < 2 && kind < 2; k++) {
        assert_int_equal(SUNLinSolSolve(solver[k], a[k], x[k], b[k], 0), 0);
        assert_int_equal(SUNLinSolSolve(solver[k], a[k], x[k], x[k], 0), 0); /* in place */
      }
      if (kind < 2) same(x[0], x[1]);
      for (int k = 0; k < 2; k++) {
        SUNLinSolFree(solver[k]);
        SUNMatDestroy(a[k]);
        SUNMatDestroy(kept[k]);
        N_VDestroy(x[k]);
        N_VDestroy(b[k]);
      }
    }
  SUNContext_Free(&c);
}
#else
static void vectors_have_the_same_bits(void **state) { (void)state, skip(); }
static void solvers_have_the_same_bits(void **state) { (void)state, skip(); }
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectors_have_the_same_bits),
      cmocka_unit_test(solvers_have_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
