/* Replaces the operations of SUNDIALS on vectors and dense matrices that take most of CVODE's time, since
 * distributions compile SUNDIALS without optimisation. These do the same operations on the same numbers in
 * the same order, so that results are equal bit by bit, and CVODE takes the same steps. */
#include "ode/vectors.h"

#ifdef LOCKSTEP_WITH_SUNDIALS
#include <math.h>
#include <string.h>

static void sum_of_two(sunrealtype a, N_Vector x, sunrealtype b, N_Vector y, N_Vector z) {
  const sunindextype n = NV_LENGTH_S(x);
  const f64 *p = NV_DATA_S(x), *q = NV_DATA_S(y);
  f64 *r = NV_DATA_S(z);
  if (a == 1)
    for (sunindextype i = 0; i < n; i++) r[i] = p[i] + b * q[i];
  else if (b == 1)
    for (sunindextype i = 0; i < n; i++) r[i] = a * p[i] + q[i];
  else if (a == b)
    for (sunindextype i = 0; i < n; i++) r[i] = a * (p[i] + q[i]);
  else if (a == -b)
    for (sunindextype i = 0; i < n; i++) r[i] = a * (p[i] - q[i]);
  else
    for (sunindextype i = 0; i < n; i++) r[i] = a * p[i] + b * q[i];
}

static void scale(sunrealtype a, N_Vector x, N_Vector z) {
  const f64 *p = NV_DATA_S(x);
  f64 *r = NV_DATA_S(z);
  for (sunindextype i = 0, n = NV_LENGTH_S(x); i < n; i++) r[i] = a * p[i];
}

/* Adds the vectors one after the other, as SUNDIALS does, but two in one pass over z. */
static int combination(int count, sunrealtype *c, N_Vector *x, N_Vector z) {
  f64 *r = NV_DATA_S(z);
  const sunindextype n = NV_LENGTH_S(z);
  scale(c[0], x[0], z);
  int k = 1;
  for (; k + 1 < count; k += 2) {
    const f64 *p = NV_DATA_S(x[k]), *q = NV_DATA_S(x[k + 1]), a = c[k], b = c[k + 1];
    for (sunindextype i = 0; i < n; i++) r[i] = (r[i] + a * p[i]) + b * q[i];
  }
  if (k < count) sum_of_two(1, z, c[k], x[k], z);
  return 0;
}

static void constant(sunrealtype a, N_Vector z) {
  f64 *r = NV_DATA_S(z);
  for (sunindextype i = 0, n = NV_LENGTH_S(z); i < n; i++) r[i] = a;
}

static void absolute(N_Vector x, N_Vector z) {
  const f64 *p = NV_DATA_S(x);
  f64 *r = NV_DATA_S(z);
  for (sunindextype i = 0, n = NV_LENGTH_S(x); i < n; i++) r[i] = fabs(p[i]);
}

static void inverse(N_Vector x, N_Vector z) {
  const f64 *p = NV_DATA_S(x);
  f64 *r = NV_DATA_S(z);
  for (sunindextype i = 0, n = NV_LENGTH_S(x); i < n; i++) r[i] = 1 / p[i];
}

static sunrealtype norm(N_Vector x, N_Vector w) {
  const f64 *p = NV_DATA_S(x), *q = NV_DATA_S(w);
  const sunindextype n = NV_LENGTH_S(x);
  f64 sum = 0;
  for (sunindextype i = 0; i < n; i++) {
    const f64 product = p[i] * q[i];
    sum += product * product;
  }
  return sqrt(sum / (f64)n);
}

void ode_fast_vector(N_Vector v) {
  v->ops->nvlinearsum = sum_of_two;
  v->ops->nvlinearcombination = combination;
  v->ops->nvconst = constant;
  v->ops->nvscale = scale;
  v->ops->nvabs = absolute;
  v->ops->nvinv = inverse;
  v->ops->nvwrmsnorm = norm;
}

/* m = c m + I. */
static int scale_add_one(sunrealtype c, SUNMatrix m) {
  const sunindextype n = SM_COLUMNS_D(m);
  for (sunindextype j = 0; j < n; j++) {
    f64 *a = SM_COLUMN_D(m, j);
    for (sunindextype i = 0; i < n; i++) a[i] *= c;
    a[j] += 1;
  }
  return 0;
}

static int copy(SUNMatrix from, SUNMatrix to) {
  memcpy(SM_DATA_D(to), SM_DATA_D(from), (size_t)SM_LDATA_D(from) * sizeof(f64));
  return 0;
}

static SUNMatrix clone(SUNMatrix m) {
  SUNMatrix made = SUNMatClone_Dense(m);
  if (made) ode_fast_matrix(made);
  return made;
}

void ode_fast_matrix(SUNMatrix m) {
  m->ops->clone = clone;
  m->ops->scaleaddi = scale_add_one;
  m->ops->copy = copy;
}

static SUNLinearSolverContent_Dense content(SUNLinearSolver s) { return s->content; }

/* LU decomposition, column by column, with the largest element of the column as pivot. */
static int factor(SUNLinearSolver s, SUNMatrix m) {
  const sunindextype n = SM_COLUMNS_D(m);
  sunindextype *pivot = content(s)->pivots;
  f64 **a = SM_COLS_D(m);
  content(s)->last_flag = 0;
  for (sunindextype k = 0; k < n; k++) {
    f64 *const c = a[k];
    sunindextype l = k;
    for (sunindextype i = k + 1; i < n; i++)
      if (fabs(c[i]) > fabs(c[l])) l = i;
    pivot[k] = l;
    if (c[l] == 0) {
      content(s)->last_flag = k + 1;
      return SUNLS_LUFACT_FAIL;
    }
    for (sunindextype j = 0; j < n && l != k; j++) {
      const f64 x = a[j][l];
      a[j][l] = a[j][k];
      a[j][k] = x;
    }
    const f64 over = 1 / c[k];
    for (sunindextype i = k + 1; i < n; i++) c[i] *= over;
    for (sunindextype j = k + 1; j < n; j++) {
      f64 *restrict const d = a[j];
      const f64 x = d[k];
      for (sunindextype i = k + 1; i < n && x != 0; i++) d[i] -= x * c[i];
    }
  }
  return SUNLS_SUCCESS;
}

/* y[i] = (y[i] - c[i] z) - c1[i] z1 for all i from `from` to `to` - 1. */
static void take_two(f64 *restrict y, const f64 *restrict c, f64 z, const f64 *restrict c1, f64 z1,
                     sunindextype from, sunindextype to) {
  for (sunindextype i = from; i < to; i++) y[i] = (y[i] - c[i] * z) - c1[i] * z1;
}

/* Solves for x, two columns at a time, so that y is read and written half as often. */
static int solve(SUNLinearSolver s, SUNMatrix m, N_Vector x, N_Vector b, sunrealtype tolerance) {
  const sunindextype n = SM_COLUMNS_D(m), *pivot = content(s)->pivots;
  f64 **a = SM_COLS_D(m), *restrict const y = NV_DATA_S(x);
  (void)tolerance;
  if (x != b) memcpy(y, NV_DATA_S(b), (size_t)n * sizeof *y);
  for (sunindextype k = 0; k < n; k++) {
    const f64 z = y[k];
    y[k] = y[pivot[k]];
    y[pivot[k]] = z;
  }
  for (sunindextype k = 0; k + 1 < n; k += 2) {
    y[k + 1] -= a[k][k + 1] * y[k];
    take_two(y, a[k], y[k], a[k + 1], y[k + 1], k + 2, n);
  }
  sunindextype k = n - 1;
  for (; k > 0; k -= 2) {
    y[k] /= a[k][k];
    y[k - 1] = (y[k - 1] - a[k][k - 1] * y[k]) / a[k - 1][k - 1];
    take_two(y, a[k], y[k], a[k - 1], y[k - 1], 0, k - 1);
  }
  if (k == 0) y[0] /= a[0][0];
  content(s)->last_flag = 0;
  return SUNLS_SUCCESS;
}

void ode_fast_solver(SUNLinearSolver s) {
  s->ops->setup = factor;
  s->ops->solve = solve;
}
#endif
