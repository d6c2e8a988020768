-- Generates the kernels that find steady states, one thread per instance, by Newton's method on the rates. If the equations conserve
-- sums, the Jacobian is singular; then these sums replace as many rates.

local kernel_text = import "ensemble/ensemble_kernels"
local steady_events = import "ensemble/steady_events"
local writer = import "ensemble/ensemble_writer"
local steady_kernels = {}

local TEXT = [=[
#include "language/kernel.h"
#include "ode/ode.h"

PRIM(NAME_rate, UPPER_RATE_ARGS, UNTYPED, VERTEX, "instances", TOLERANCE, "", "", "NAME_rate(...): the rates of all instances.")
PRIM(NAME_attempt, UPPER_ATTEMPT_ARGS, UNTYPED, VERTEX, "instances", TOLERANCE, "", "",
     "NAME_attempt(...): keep where each instance is, and how large its variables have been.")
PRIM(NAME_newton, UPPER_NEWTON_ARGS, UNTYPED, VERTEX, "block", TOLERANCE, "", "",
     "NAME_newton(...): one step of Newton's method for some of the instances.")
PRIM(NAME_judge, UPPER_JUDGE_ARGS, UNTYPED, VERTEX, "instances", TOLERANCE, "", "",
     "NAME_judge(...): is what Newton's method found near to where the instance was?")

/* The values of `state`, one per instance. */
enum { STEADY_GOES_ON, STEADY_FOUND, STEADY_SINGULAR, STEADY_LOST, STEADY_NONE, STEADY_FAR, STEADY_AWAITS };
enum { STEADY_SETTLED = 3 }; /* in `way`: no more steps */

STILL_ROW
#define UPPER_RATE_ARGS(A, W) \
  A(IN, f64, p, "VARIED*instances") A(IN, f64, y, "STATES*instances") A(OUT, f64, rate, "STATES*instances") \
  A(VALUE, u32, instances, "1")
ARGS(NAME_rate, UPPER_RATE_ARGS)
#define UPPER_ATTEMPT_ARGS(A, W) \
  A(IN, f64, y, "STATES*instances") A(INOUT, f64, kept, "STATES*instances") A(INOUT, f64, size, "STATES*instances") \
  A(IN, u32, way, "instances") A(OUT, u32, state, "instances") A(VALUE, u32, instances, "1")
ARGS(NAME_attempt, UPPER_ATTEMPT_ARGS)
#define UPPER_NEWTON_ARGS(A, W) \
  A(IN, f64, p, "VARIED*instances") A(INOUT, f64, y, "STATES*instances") A(IN, f64, total, "room*instances") \
  A(IN, f64, relation, "room*STATES*sets") A(IN, u32, dependent, "room", vertex, "states") \
  A(INOUT, u32, state, "instances") A(INOUT, f64, work, "STATES*STATES*block") \
  A(IN, f64, precision, "2") A(VALUE, u32, base, "1") A(VALUE, u32, sums, "1") A(VALUE, u32, room, "1") \
  A(VALUE, u32, states, "1") A(VALUE, u32, sets, "1") A(VALUE, u32, block, "1") \
  A(VALUE, u32, instances, "1") A(COUNT, u32, left, "1") A(COUNT, u32, found, "1") A(COUNT, u32, lost, "1")
ARGS(NAME_newton, UPPER_NEWTON_ARGS)
#define UPPER_JUDGE_ARGS(A, W) \
  A(INOUT, f64, y, "STATES*instances") A(IN, f64, kept, "STATES*instances") A(IN, f64, size, "STATES*instances") \
  A(INOUT, u32, way, "instances") A(INOUT, u32, state, "instances") A(INOUT, f64, moved, "instances") \
  A(INOUT, u32, mover, "instances") A(IN, f64, near, "1") A(VALUE, u32, instances, "1") A(COUNT, u32, settled, "1") \
  A(COUNT, u32, left, "1")
ARGS(NAME_judge, UPPER_JUDGE_ARGS)

EQUATIONS

#define AT(array, k) array[(u64)(k) * a->instances + i]

VERTEX_BODY(NAME_rate) {
  UNUSED_BODY;
  const u64 i = v;
  f64 y[STATES], p[VARIED], rate[STATES];
LOAD
  NAME_rates(0, p, y, rate);
  for (u32 k = 0; k < STATES; k++) AT(a->rate, k) = rate[k];
}

VERTEX_BODY(NAME_attempt) {
  UNUSED_BODY;
  const u64 i = v;
  a->state[i] = a->way[i] > 1 ? STEADY_NONE : STEADY_GOES_ON;
  if (a->way[i] > 1) return;
  for (u32 k = 0; k < STATES; k++) {
    const f64 y = AT(a->y, k);
    AT(a->kept, k) = y;
    AT(a->size, k) = fmax(AT(a->size, k), fabs(y));
  }
}

/* The residual of y as a steady state: minus the rates, and the deficits of the conserved sums. */
#define UPPER_RESIDUAL(y, g) \
  NAME_rates(0, p, y, g); \
  for (u32 k = 0; k < STATES; k++) g[k] = -g[k]; \
  for (u32 s = 0; s < a->sums; s++) { \
    f64 lack = AT(a->total, s); \
    for (u32 k = 0; k < STATES; k++) lack -= RELATION(s, k) * y[k]; \
    g[a->dependent[s]] = lack; \
  }
#define RELATION(s, k) a->relation[((u64)(s) * STATES + (k)) * a->sets + (a->sets > 1 ? i : 0)]
#define MATRIX(r, c) a->work[((u64)(r) * STATES + (c)) * a->block + v]

VERTEX_BODY(NAME_newton) {
  (void)push;
  const u64 i = (u64)a->base + v;
  if (i >= a->instances || a->state[i] != STEADY_GOES_ON) return;
  f64 y[STATES], z[STATES], p[VARIED], g[STATES], step[STATES], by_row[STATES], by_column[STATES], J[ELEMENTS];
  u32 row[STATES];
LOAD
  NAME_jacobian(0, p, y, J);
  for (u32 r = 0; r < STATES; r++)
    for (u32 c = 0; c < STATES; c++) MATRIX(r, c) = 0;
SET
  for (u32 s = 0; s < a->sums; s++)
    for (u32 k = 0; k < STATES; k++) MATRIX(a->dependent[s], k) = RELATION(s, k);
  UPPER_RESIDUAL(y, g)
  /* rows and columns are divided by their greatest elements; then LU factors, the greatest element of a column as pivot */
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
  if (small) for (u32 k = 0; k < STATES; k++) z[k] = y[k] + step[k];
  for (u32 tried = 0; tried < 8 && !better; tried++) {
    for (u32 k = 0; k < STATES; k++) z[k] = y[k] + part * step[k];
    UPPER_RESIDUAL(z, g)
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
  for (u32 k = 0; k < STATES; k++) AT(a->y, k) = z[k];
  if (small) {
    a->state[i] = STEADY_FOUND;
    count->found++;
  } else {
    count->left++;
  }
}

VERTEX_BODY(NAME_judge) {
  (void)push;
  const u64 i = v;
  if (a->state[i] == STEADY_NONE) return;
  if (a->state[i] == STEADY_GOES_ON) a->state[i] = STEADY_LOST;
  if (a->state[i] == STEADY_FOUND) {
    f64 most = 0;
    for (u32 k = 0; k < STATES; k++) {
      const f64 far = fabs(AT(a->y, k) - AT(a->kept, k)), whole = fmax(AT(a->size, k), fabs(AT(a->y, k)));
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
  for (u32 k = 0; k < STATES; k++) AT(a->y, k) = AT(a->kept, k);
  count->left++;
}
]=]

-- steady_kernels.steady_text(e, relations): the source of the kernels for e (from kernel_text.parts), and the prefix NAME of their names:
-- NAME_rate, NAME_attempt, NAME_newton, NAME_judge; for a model with events also NAME_still: lua/ensemble/steady_events.lua.
function steady_kernels.steady_text(e, relations)
  return writer.named_text(function(name)
    local equations, entries = kernel_text.equations(e, name)
    local set = {}
    for k, x in ipairs(entries) do set[k] = ("  MATRIX(%d, %d) = J[%d];"):format(x[1] - 1, x[2] - 1, k - 1) end
    local load = writer.each(e.n, "  y[@] = AT(a->y, @);") .. "\n" .. (e.q > 0 and writer.each(e.q, "  p[@] = AT(a->p, @);")
      or "  p[0] = 0;")
    local text = TEXT:gsub("NAME_", name .. "_"):gsub("UPPER_", name:upper() .. "_")
    local still_row = e.events and ('PRIM(%s_still, %s_STILL_ARGS, UNTYPED, VERTEX, "instances", TOLERANCE, "", "", "%s_still(...): %s")\n')
      :format(name, name:upper(), name, "which instances have events to come?") or ""
    return writer.filled(text .. (e.events and steady_events.still_text(e, name, relations) or ""), {STILL_ROW = still_row, STATES = tostring(e.n), VARIED = tostring(math.max(e.q, 1)),
      ELEMENTS = tostring(math.max(#entries, 1)), LOAD = load, SET = table.concat(set, "\n"), EQUATIONS = equations})
  end)
end

return steady_kernels
