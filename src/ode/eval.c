/* Evaluates expressions by recursion over the tree. */
#include <float.h>
#include <math.h>

#include "ode/functions.h"
#include "ode/parts.h"

/* --- values of the past -----------------------------------------------------------------------------------
 */

/* Finds the last sample at or before t. There must be one. */
static u64 sample_before(const ode_history *h, f64 t) {
  u64 from = 0, to = h->samples;
  while (to - from > 1) {
    const u64 middle = from + (to - from) / 2;
    *(h->t[middle] <= t ? &from : &to) = middle;
  }
  return from;
}

static f64 delayed(const ode_system *s, u32 variable, f64 t) {
  const ode_history *h = &s->history;
  u32 column = 0;
  while (column < h->count && h->variable[column] != variable) column++;
  if (column == h->count || !h->samples) return s->value[variable];
  if (t <= h->t[0]) return h->x[column];
  const u64 i = sample_before(h, t);
  const f64 before = h->x[i * h->count + column];
  const bool inside = i + 1 < h->samples;
  const f64 t1 = inside ? h->t[i + 1] : s->t,
            after = inside ? h->x[(i + 1) * h->count + column] : s->value[variable];
  if (!(t1 > h->t[i])) return before;
  const f64 share = (t - h->t[i]) / (t1 - h->t[i]);
  if (s->m->nearest_samples && inside) return share < 0.5 ? before : after;
  return before + share * (after - before);
}

static f64 series_at(const ls_series *a, f64 t) {
  if (t <= a->t[0]) return a->x[0];
  if (t >= a->t[a->count - 1]) return a->x[a->count - 1];
  u64 from = 0, to = a->count - 1;
  while (to - from > 1) {
    const u64 middle = from + (to - from) / 2;
    *(a->t[middle] <= t ? &from : &to) = middle;
  }
  return a->x[from] + (t - a->t[from]) / (a->t[to] - a->t[from]) * (a->x[to] - a->x[from]);
}

/* --- operators --------------------------------------------------------------------------------------------
 */

/* A negative number has a real root only if the degree is odd. */
static f64 root(f64 degree, f64 x) {
  const bool odd = fmod(fabs(degree), 2) == 1;
  return x < 0 && odd ? -pow(-x, 1 / degree) : pow(x, 1 / degree);
}

static f64 factorial(f64 x) {
  return x == floor(x) && x >= 0 && x < 171 ? round(tgamma(x + 1)) : tgamma(x + 1);
}

static bool relation(ls_op op, f64 x, f64 y) {
  switch (op) {
  case LS_EQ_OP: return x == y;
  case LS_NEAR_OP: return fabs(x - y) < DBL_EPSILON;
  case LS_NEQ_OP: return x != y;
  case LS_LT_OP: return x < y;
  case LS_GT_OP: return x > y;
  case LS_LEQ_OP: return x <= y;
  default: return x >= y;
  }
}

f64 ode_apply_one(ls_op op, f64 x) {
  switch (op) {
  case LS_SQRT_OP: return sqrt(x);
  case LS_EXP_OP: return ls_exp(x);
  case LS_LN_OP: return ls_log(x);
  case LS_LOG10_OP: return log10(x);
  case LS_ABS_OP: return fabs(x);
  case LS_FLOOR_OP: return floor(x);
  case LS_CEILING_OP: return ceil(x);
  case LS_FACTORIAL_OP: return factorial(x);
  case LS_NOT_OP: return x == 0;
  case LS_SIN_OP: return sin(x);
  case LS_COS_OP: return cos(x);
  case LS_TAN_OP: return tan(x);
  case LS_SEC_OP: return 1 / cos(x);
  case LS_CSC_OP: return 1 / sin(x);
  case LS_COT_OP: return 1 / tan(x);
  case LS_SINH_OP: return sinh(x);
  case LS_COSH_OP: return cosh(x);
  case LS_TANH_OP: return tanh(x);
  case LS_SECH_OP: return 1 / cosh(x);
  case LS_CSCH_OP: return 1 / sinh(x);
  case LS_COTH_OP: return 1 / tanh(x);
  case LS_ARCSIN_OP: return asin(x);
  case LS_ARCCOS_OP: return acos(x);
  case LS_ARCTAN_OP: return atan(x);
  case LS_ARCSEC_OP: return acos(1 / x);
  case LS_ARCCSC_OP: return asin(1 / x);
  case LS_ARCCOT_OP: return x == 0 ? acos(0.0) : atan(1 / x);
  case LS_ARCSINH_OP: return asinh(x);
  case LS_ARCCOSH_OP: return acosh(x);
  case LS_ARCTANH_OP: return atanh(x);
  case LS_ARCSECH_OP: return acosh(1 / x);
  case LS_ARCCSCH_OP: return asinh(1 / x);
  case LS_ARCCOTH_OP: return atanh(1 / x);
  default: return NAN;
  }
}

f64 ode_apply_two(ls_op op, f64 x, f64 y) {
  if (ls_op_is_relation(op)) return relation(op, x, y);
  switch (op) {
  case LS_MAX_OP: return fmax(x, y);
  case LS_MIN_OP: return fmin(x, y);
  case LS_MINUS_OP: return x - y;
  case LS_DIVIDE_OP: return x / y;
  case LS_POWER_OP: return pow(x, y);
  case LS_ROOT_OP: return root(x, y);
  case LS_LOG_OP: return ls_log(y) / ls_log(x);
  case LS_REM_OP: return fmod(x, y);
  case LS_MODULO_OP: return x - y * floor(x / y);
  case LS_QUOTIENT_OP: return trunc(x / y);
  case LS_IMPLIES_OP: return x == 0 || y != 0;
  default: return NAN;
  }
}

/* Evaluates the arguments from left to right, and stops as soon as the result is known. */
static f64 many(const ode_system *s, const ls_term *t) {
  f64 x = t->op == LS_TIMES_OP || t->op == LS_AND_OP ? 1 : 0;
  for (u32 i = 0; i < t->count; i++) {
    const f64 y = ode_eval(s, t->arg[i]);
    switch (t->op) {
    case LS_PLUS_OP:
    case LS_MEAN_OP: x = i ? x + y : y; break;
    case LS_TIMES_OP: x = i ? x * y : y; break;
    case LS_MAX_OP: x = i ? fmax(x, y) : y; break;
    case LS_MIN_OP: x = i ? fmin(x, y) : y; break;
    case LS_XOR_OP: x = (x != 0) != (y != 0); break;
    case LS_AND_OP:
      if (y == 0) return 0;
      break;
    case LS_OR_OP:
      if (y != 0) return 1;
      break;
    default: /* a relation must hold between each argument and the next */
      if (i && !(s->meets && s->meets(s->instants, t, i - 1, x, y) ? relation(t->op, 0, 0)
                                                                   : relation(t->op, x, y)))
        return 0;
      x = y;
    }
  }
  if (ls_op_is_relation(t->op)) return 1;
  return t->op == LS_MEAN_OP ? x / t->count : x;
}

static f64 piecewise(const ode_system *s, const ls_term *t) {
  u32 i = 0;
  for (; i + 1 < t->count; i += 2)
    if (ode_eval(s, t->arg[i + 1]) != 0) return ode_eval(s, t->arg[i]);
  return i < t->count ? ode_eval(s, t->arg[i]) : NAN;
}

/* The value of a variable, or of time, one step ago. */
static f64 before(const ode_system *s, const ls_term *x) {
  if (x->op == LS_TIME_OP) return s->last ? s->last_t : s->t;
  return s->last ? s->last[x->index] : s->value[x->index];
}

f64 ode_eval(const ode_system *s, const ls_term *t) {
  switch (t->op) {
  case LS_NUMBER_OP: return t->number;
  case LS_VARIABLE_OP: return s->value[t->index];
  case LS_TIME_OP: return s->t;
  case LS_PIECEWISE_OP: return piecewise(s, t);
  case LS_KEEP_OP: return s->value[t->arg[0]->index];
  case LS_LAST_OP: return before(s, t->arg[0]);
  case LS_DELAY_OP: return delayed(s, t->arg[0]->index, s->t - ode_eval(s, t->arg[1]));
  case LS_SERIES_OP: return series_at(&s->m->series[t->index], ode_eval(s, t->arg[0]));
  case LS_PLUS_OP:
  case LS_TIMES_OP:
  case LS_MAX_OP:
  case LS_MIN_OP:
  case LS_MEAN_OP:
  case LS_AND_OP:
  case LS_OR_OP:
  case LS_XOR_OP: return many(s, t);
  default: break;
  }
  if (ls_op_is_relation(t->op)) return many(s, t);
  const f64 arg[2] = {t->count > 0 ? ode_eval(s, t->arg[0]) : 0, t->count > 1 ? ode_eval(s, t->arg[1]) : 0};
  if (ls_op_is_random(t->op)) return ode_draw(s, t, arg);
  if (t->op == LS_MINUS_OP && t->count == 1) return -arg[0];
  return t->count == 1 ? ode_apply_one(t->op, arg[0]) : ode_apply_two(t->op, arg[0], arg[1]);
}
