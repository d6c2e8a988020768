/* Evaluates expressions by recursion over the tree: all operators, and what the tape leaves to it. The tape
 * is held against it bit by bit (tests/c/test_ode.c). */
#include "ode/parts.h"
#include "ode/timed.h"

/* --- values of the past -----------------------------------------------------------------------------------
 */

static f64 delayed(const ode_system *s, u32 variable, f64 t) {
  const ode_history *h = &s->history;
  u32 column = 0;
  while (column < h->count && h->variable[column] != variable) column++;
  if (column == h->count || !h->samples) return s->value[variable];
  const ls_samples past = {h->t, h->x + column, h->samples, h->count, s->m->nearest_samples};
  return ls_sampled(&past, t, s->t, s->value[variable]);
}

/* The value of a variable, or of time, one step ago. */
static f64 before(const ode_system *s, const ls_term *x) {
  if (x->op == LS_TIME_OP) return s->last ? s->last_t : s->t;
  return s->last ? s->last[x->index] : s->value[x->index];
}

static f64 series_at(const ls_series *a, f64 t) {
  return ls_sampled(&(ls_samples){a->t, a->x, a->count, 1, false}, t, t, a->x[a->count - 1]);
}

/* --- operators --------------------------------------------------------------------------------------------
 */

ls_code_op ls_code_of(ls_op op) {
  static const u8 codes[LS_TERM_OPS_COUNT] = {[LS_PLUS_OP] = LS_CODE_PLUS_NARY,
                                              [LS_MEAN_OP] = LS_CODE_PLUS_NARY,
                                              [LS_TIMES_OP] = LS_CODE_TIMES_NARY,
                                              [LS_MAX_OP] = LS_CODE_MAX_NARY,
                                              [LS_MIN_OP] = LS_CODE_MIN_NARY,
                                              [LS_AND_OP] = LS_CODE_AND_NARY,
                                              [LS_OR_OP] = LS_CODE_OR_NARY,
                                              [LS_XOR_OP] = LS_CODE_XOR_NARY,
#define LS_CODE_SAME(name, ...) [LS_##name##_OP] = LS_CODE_##name,
                                              LS_CODE_TWO(LS_CODE_SAME) LS_CODE_FUNCTIONS(LS_CODE_SAME)
                                                  LS_CODE_TIMED(LS_CODE_SAME)
#undef LS_CODE_SAME
  };
  return (ls_code_op)codes[op];
}

/* Evaluates the arguments from left to right, and stops as soon as the result is known. */
static f64 many(const ode_system *s, const ls_term *t, u32 op) {
  f64 x = t->op == LS_TIMES_OP || t->op == LS_AND_OP; /* without arguments */
  for (u32 i = 0; i < t->count; i++) {
    const f64 y = ode_eval(s, t->arg[i]);
    x = i ? ls_code_more(op, x, y) : ls_code_begin(op, y);
    if ((t->op == LS_AND_OP && x == 0) || (t->op == LS_OR_OP && x != 0)) break;
  }
  return t->op == LS_MEAN_OP ? x / t->count : x;
}

/* A relation must hold between each argument and the next. */
static f64 relation(const ode_system *s, const ls_term *t, u32 op) {
  f64 x = 0;
  for (u32 i = 0; i < t->count; i++) {
    const f64 y = ode_eval(s, t->arg[i]);
    const bool equal = i && s->meets && s->meets(s->instants, t, i - 1, x, y);
    if (i && ls_code_two(op, equal ? 0 : x, equal ? 0 : y) == 0) return 0;
    x = y;
  }
  return 1;
}

static f64 piecewise(const ode_system *s, const ls_term *t) {
  u32 i = 0;
  for (; i + 1 < t->count; i += 2)
    if (ode_eval(s, t->arg[i + 1]) != 0) return ode_eval(s, t->arg[i]);
  return i < t->count ? ode_eval(s, t->arg[i]) : NAN;
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
  default: break;
  }
  const u32 op = ls_code_of(t->op);
  if (ls_code_is_many(op)) return many(s, t, op);
  if (ls_op_is_relation(t->op) && (t->count != 2 || s->meets)) return relation(s, t, op);
  const f64 arg[2] = {t->count > 0 ? ode_eval(s, t->arg[0]) : 0, t->count > 1 ? ode_eval(s, t->arg[1]) : 0};
  if (ls_op_is_random(t->op)) return ls_drawn(op, s->seed, t->op, t->index, s->step, s->dt, arg[0], arg[1]);
  if (t->op == LS_MINUS_OP && t->count == 1) return -arg[0];
  return t->count == 1 ? ls_code_one(op, arg[0]) : ls_code_two(op, arg[0], arg[1]);
}
