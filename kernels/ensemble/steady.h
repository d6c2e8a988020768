/* Steady states by Newton's method on the rates, one thread per instance. If the equations conserve sums, the
 * Jacobian is singular; then these sums replace as many rates. The text defines the macros of unit.h,
 * model_jacobian(t, p, y, J), ELEMENTS, the number of elements of J, and EACH_ELEMENT(SET), which calls
 * SET(row, column, k) for each. */
#ifndef ENSEMBLE_STEADY_H
#define ENSEMBLE_STEADY_H

#include "ensemble/unit.h"

/* The values of `state`, one per instance. */
enum { STEADY_GOES_ON, STEADY_FOUND, STEADY_SINGULAR, STEADY_LOST, STEADY_NONE, STEADY_FAR, STEADY_AWAITS };
enum { STEADY_SETTLED = 3 }; /* in `way`: no more steps */

/* clang-format off */
#define ENSEMBLE_RATE_ARGS(A, W) \
  A(IN, f64, p, "VARIED*instances") A(IN, f64, y, "STATES*instances") \
  A(OUT, f64, rate, "STATES*instances") A(VALUE, u32, instances, "1")
/* clang-format on */
ARGS_OF(ENSEMBLE_ROW(rate), ENSEMBLE_RATE_ARGS)
/* clang-format off */
#define ENSEMBLE_ATTEMPT_ARGS(A, W) \
  A(IN, f64, y, "STATES*instances") A(INOUT, f64, kept, "STATES*instances") \
  A(INOUT, f64, size, "STATES*instances") A(IN, u32, way, "instances") A(OUT, u32, state, "instances") \
  A(VALUE, u32, instances, "1")
/* clang-format on */
ARGS_OF(ENSEMBLE_ROW(attempt), ENSEMBLE_ATTEMPT_ARGS)
/* clang-format off */
#define ENSEMBLE_NEWTON_ARGS(A, W) \
  A(IN, f64, p, "VARIED*instances") A(INOUT, f64, y, "STATES*instances") \
  A(IN, f64, total, "room*instances") A(IN, f64, relation, "room*STATES*sets") \
  A(IN, u32, dependent, "room", vertex, "states") A(INOUT, u32, state, "instances") \
  A(INOUT, f64, work, "STATES*STATES*block") A(IN, f64, precision, "2") A(VALUE, u32, base, "1") \
  A(VALUE, u32, sums, "1") A(VALUE, u32, room, "1") A(VALUE, u32, states, "1") A(VALUE, u32, sets, "1") \
  A(VALUE, u32, block, "1") A(VALUE, u32, instances, "1") A(COUNT, u32, left, "1") \
  A(COUNT, u32, found, "1") A(COUNT, u32, lost, "1")
/* clang-format on */
ARGS_OF(ENSEMBLE_ROW(newton), ENSEMBLE_NEWTON_ARGS)
/* clang-format off */
#define ENSEMBLE_JUDGE_ARGS(A, W) \
  A(INOUT, f64, y, "STATES*instances") A(IN, f64, kept, "STATES*instances") \
  A(IN, f64, size, "STATES*instances") A(INOUT, u32, way, "instances") A(INOUT, u32, state, "instances") \
  A(INOUT, f64, moved, "instances") A(INOUT, u32, mover, "instances") A(IN, f64, near, "1") \
  A(VALUE, u32, instances, "1") A(COUNT, u32, settled, "1") A(COUNT, u32, left, "1")
/* clang-format on */
ARGS_OF(ENSEMBLE_ROW(judge), ENSEMBLE_JUDGE_ARGS)

VERTEX_BODY(ENSEMBLE_ROW(rate)) {
  UNUSED_BODY;
  const u64 i = v;
  f64 y[STATES], p[VARIED], rate[STATES];
  LOAD_INSTANCE
  model_rates(0, p, y, rate);
  for (u32 k = 0; k < STATES; k++) OF_INSTANCE(a->rate, k) = rate[k];
}

VERTEX_BODY(ENSEMBLE_ROW(attempt)) {
  UNUSED_BODY;
  const u64 i = v;
  a->state[i] = a->way[i] > 1 ? STEADY_NONE : STEADY_GOES_ON;
  if (a->way[i] > 1) return;
  for (u32 k = 0; k < STATES; k++) {
    const f64 y = OF_INSTANCE(a->y, k);
    OF_INSTANCE(a->kept, k) = y;
    OF_INSTANCE(a->size, k) = fmax(OF_INSTANCE(a->size, k), fabs(y));
  }
}

/* The residual of y as a steady state: minus the rates, and the deficits of the conserved sums. */
#define NEWTON_RESIDUAL(y, g)                                                                                \
  model_rates(0, p, y, g);                                                                                   \
  for (u32 k = 0; k < STATES; k++) g[k] = -g[k];                                                             \
  for (u32 s = 0; s < a->sums; s++) {                                                                        \
    f64 lack = OF_INSTANCE(a->total, s);                                                                     \
    for (u32 k = 0; k < STATES; k++) lack -= RELATION(s, k) * y[k];                                          \
    g[a->dependent[s]] = lack;                                                                               \
  }
#define RELATION(s, k) a->relation[((u64)(s)*STATES + (k)) * a->sets + (a->sets > 1 ? i : 0)]
#define SET_ELEMENT(row, column, k) MATRIX(row, column) = J[k];
#define MATRIX(r, c) a->work[((u64)(r)*STATES + (c)) * a->block + v]

VERTEX_BODY(ENSEMBLE_ROW(newton)) {
  (void)push;
  const u64 i = (u64)a->base + v;
  if (i >= a->instances || a->state[i] != STEADY_GOES_ON) return;
  f64 y[STATES], z[STATES], p[VARIED], g[STATES], step[STATES], by_row[STATES], by_column[STATES],
      J[ELEMENTS];
  u32 row[STATES];
  LOAD_INSTANCE
  model_jacobian(0, p, y, J);
  for (u32 r = 0; r < STATES; r++)
    for (u32 c = 0; c < STATES; c++) MATRIX(r, c) = 0;
  EACH_ELEMENT(SET_ELEMENT)
  for (u32 s = 0; s < a->sums; s++)
    for (u32 k = 0; k < STATES; k++) MATRIX(a->dependent[s], k) = RELATION(s, k);
  NEWTON_RESIDUAL(y, g)
  /* rows and columns are divided by their greatest elements; then LU factors, the greatest element of a
   * column as pivot */
  bool singular = false;
  f64 before = 0;
  for (u32 r = 0; r < STATES; r++) {
    f64 most = 0;
    for (u32 c = 0; c < STATES; c++) most = fmax(most, fabs(MATRIX(r, c)));
    singular = singular || !(most > 0);
    by_row[r] = most > 0 ? 1 / most : 1;
    for (u32 c = 0; c < STATES; c++) MATRIX(r, c) *= by_row[r];
    g[r] *= by_row[r];
    before = fmax(before, fabs(g[r]));
    row[r] = r;
  }
  for (u32 c = 0; c < STATES; c++) {
    f64 most = 0;
    for (u32 r = 0; r < STATES; r++) most = fmax(most, fabs(MATRIX(r, c)));
    singular = singular || !(most > 0);
    by_column[c] = most > 0 ? 1 / most : 1;
    for (u32 r = 0; r < STATES; r++) MATRIX(r, c) *= by_column[c];
  }
  for (u32 k = 0; k < STATES && !singular; k++) {
    u32 best = k;
    for (u32 r = k + 1; r < STATES; r++)
      if (fabs(MATRIX(row[r], k)) > fabs(MATRIX(row[best], k))) best = r;
    const u32 chosen = row[best];
    row[best] = row[k];
    row[k] = chosen;
    if (!(fabs(MATRIX(chosen, k)) > 1e-14)) singular = true;
    for (u32 r = k + 1; r < STATES && !singular; r++) {
      const f64 factor = MATRIX(row[r], k) / MATRIX(chosen, k);
      if (factor == 0) continue;
      MATRIX(row[r], k) = factor;
      for (u32 c = k + 1; c < STATES; c++) MATRIX(row[r], c) -= factor * MATRIX(chosen, c);
    }
  }
  if (singular || !(before - before == 0)) {
    a->state[i] = singular ? STEADY_SINGULAR : STEADY_LOST;
    count->lost++;
    return;
  }
  for (u32 r = 0; r < STATES; r++) {
    step[r] = g[row[r]];
    for (u32 c = 0; c < r; c++) step[r] -= MATRIX(row[r], c) * step[c];
  }
  for (u32 r = STATES; r-- > 0;) {
    for (u32 c = r + 1; c < STATES; c++) step[r] -= MATRIX(row[r], c) * step[c];
    step[r] /= MATRIX(row[r], r);
  }
  bool small = true;
  for (u32 k = 0; k < STATES; k++) {
    step[k] *= by_column[k];
    small = small && fabs(step[k]) <= a->precision[1] + a->precision[0] * fabs(y[k]);
  }
  f64 part = 1;
  bool better = small;
  if (small)
    for (u32 k = 0; k < STATES; k++) z[k] = y[k] + step[k];
  for (u32 tried = 0; tried < 8 && !better; tried++) {
    for (u32 k = 0; k < STATES; k++) z[k] = y[k] + part * step[k];
    NEWTON_RESIDUAL(z, g)
    f64 after = 0;
    for (u32 k = 0; k < STATES; k++) after = fabs(g[k] * by_row[k]) <= after ? after : fabs(g[k] * by_row[k]);
    better = after < before; /* false for NaN */
    part *= 0.5;
  }
  if (!better) {
    a->state[i] = STEADY_LOST;
    count->lost++;
    return;
  }
  for (u32 k = 0; k < STATES; k++) OF_INSTANCE(a->y, k) = z[k];
  if (small) {
    a->state[i] = STEADY_FOUND;
    count->found++;
  } else {
    count->left++;
  }
}

VERTEX_BODY(ENSEMBLE_ROW(judge)) {
  (void)push;
  const u64 i = v;
  if (a->state[i] == STEADY_NONE) return;
  if (a->state[i] == STEADY_GOES_ON) a->state[i] = STEADY_LOST;
  if (a->state[i] == STEADY_FOUND) {
    f64 most = 0;
    for (u32 k = 0; k < STATES; k++) {
      const f64 far = fabs(OF_INSTANCE(a->y, k) - OF_INSTANCE(a->kept, k)),
                whole = fmax(OF_INSTANCE(a->size, k), fabs(OF_INSTANCE(a->y, k)));
      if (far > most * whole) {
        most = far / whole;
        a->mover[i] = k;
      }
    }
    a->moved[i] = most;
    if (most <= a->near[0]) {
      a->way[i] = STEADY_SETTLED;
      count->settled++;
      return;
    }
    a->state[i] = STEADY_FAR;
  }
  for (u32 k = 0; k < STATES; k++) OF_INSTANCE(a->y, k) = OF_INSTANCE(a->kept, k);
  count->left++;
}

#endif
