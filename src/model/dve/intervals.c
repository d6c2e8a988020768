/* Interval analysis of the variables and channels of a model (Cousot and Cousot 1977), so that a variable
 * that counts modulo 3 takes two bits of a state, not eight.
 *
 * The order of steps is ignored: an interval contains all values that any effect can store. Intervals grow
 * until they no longer change (one that still grows after ROUNDS rounds is widened to the range of its type);
 * then at most ROUNDS_DOWN rounds narrow them. A value outside the type is an error of the model and is never
 * stored. */
#include "model/dve/model.h"

enum { ROUNDS = 12, ROUNDS_DOWN = 4 };

static const dve_range whole = {INT32_MIN, INT32_MAX};

static dve_range type_range(bool is_int) { return is_int ? (dve_range){-32768, 32767} : (dve_range){0, 255}; }
static i64 least(i64 a, i64 b) { return a < b ? a : b; }
static i64 most(i64 a, i64 b) { return a > b ? a : b; }

/* Arithmetic wraps around in 32 bits: a result that may overflow can have any value. */
static dve_range in_32_bits(i64 low, i64 high) {
  return low < INT32_MIN || high > INT32_MAX ? whole : (dve_range){low, high};
}

static void join(dve_range *to, dve_range r) {
  if (r.low <= r.high) *to = (dve_range){least(to->low, r.low), most(to->high, r.high)};
}

static const dve_variable *named(const ls_dve *m, u32 scope, const dve_expr *e) {
  u32 index;
  const dve_meaning is = dve_meaning_of(m, &m->text, &scope, e, &index);
  return is == DVE_IS_VARIABLE ? &m->variables[index] : NULL; /* NULL: the compiler will report the error */
}

static u32 bits(i64 x) {
  u32 n = 0;
  while (n < 31 && x >> n) n++;
  return n;
}

static dve_range arithmetic(dve_op op, dve_range a, dve_range b) {
  const i64 size = most(most(-a.low, a.high), 0);
  switch (op) {
  case DVE_E_PLUS: return in_32_bits(a.low + b.low, a.high + b.high);
  case DVE_E_MINUS: return in_32_bits(a.low - b.high, a.high - b.low);
  case DVE_E_TIMES: {
    const i64 p[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    return in_32_bits(least(least(p[0], p[1]), least(p[2], p[3])), most(most(p[0], p[1]), most(p[2], p[3])));
  }
  case DVE_E_DIVIDE:
    if (a.low >= 0 && b.low >= 0) return (dve_range){0, a.high};
    return in_32_bits(-size, size);
  case DVE_E_REMAINDER: {
    const i64 rest = most(most(-b.low, b.high) - 1, 0);
    return (dve_range){a.low < 0 ? -least(size, rest) : 0, a.high > 0 ? least(size, rest) : 0};
  }
  case DVE_E_BIT_AND:
    if (a.low >= 0 && b.low >= 0) return (dve_range){0, least(a.high, b.high)};
    if (a.low >= 0 || b.low >= 0) return (dve_range){0, a.low >= 0 ? a.high : b.high};
    return whole;
  case DVE_E_BIT_OR:
  case DVE_E_BIT_XOR:
    if (a.low < 0 || b.low < 0) return whole;
    return (dve_range){0, (1ll << bits(most(a.high, b.high))) - 1};
  case DVE_E_LEFT:
    if (a.low < 0 || b.low < 0 || b.high > 15) return whole;
    return in_32_bits(a.low << b.low, a.high << b.high);
  case DVE_E_RIGHT: return (dve_range){least(a.low, 0), most(a.high, 0)};
  default: return (dve_range){0, 1}; /* comparisons, and, or, imply */
  }
}

static dve_range range_of(const ls_dve *m, u32 scope, const dve_expr *e) {
  switch (e->op) {
  case DVE_E_NUMBER: return (dve_range){e->value, e->value};
  case DVE_E_NAME:
  case DVE_E_INDEX:
  case DVE_E_FOREIGN: {
    const dve_variable *v = named(m, scope, e);
    return v ? v->range : whole;
  }
  case DVE_E_IN:
  case DVE_E_NOT: return (dve_range){0, 1};
  case DVE_E_NEGATE: {
    const dve_range a = range_of(m, scope, e->a);
    return in_32_bits(-a.high, -a.low);
  }
  case DVE_E_INVERT: {
    const dve_range a = range_of(m, scope, e->a);
    return (dve_range){~a.high, ~a.low};
  }
  default: return arithmetic(e->op, range_of(m, scope, e->a), range_of(m, scope, e->b));
  }
}

/* Extends a variable's next range by the values of r that the variable's type allows. */
static void store(const ls_dve *m, u32 scope, const dve_expr *target, dve_range r) {
  dve_variable *v = (dve_variable *)named(m, scope, target);
  if (!v || v->constant) return;
  const dve_range type = type_range(v->is_int);
  join(&v->next, (dve_range){most(r.low, type.low), least(r.high, type.high)});
}

static void transmit(ls_dve *m, u32 scope, const dve_arc *a) {
  u32 index, k = 0;
  if (!a->sync ||
      dve_look_up(m, DVE_NONE, m->text.s + a->channel.at, a->channel.bytes, &index) != DVE_IS_CHANNEL)
    return;
  const dve_channel *c = &m->channels[index];
  for (const dve_expr *e = a->items; e && (!c->typed || k < c->fields); e = e->next, k++) {
    if (a->sync == '?') {
      store(m, scope, e, c->typed ? c->range[k] : whole); /* an untyped channel may carry anything */
    } else if (c->typed) {
      const dve_range type = type_range(c->is_int[k]), r = range_of(m, scope, e);
      /* sending truncates a value to the type, so a value outside the type may become any value of the type
       */
      join(&c->next[k], r.low >= type.low && r.high <= type.high ? r : type);
    }
  }
}

static dve_range first_range(const dve_variable *v) {
  dve_range r = {v->init[0], v->init[0]};
  for (u32 k = 0; k < v->count; k++) join(&r, (dve_range){v->init[k], v->init[k]});
  return r;
}

typedef enum direction { UP, UP_FAST, DOWN } direction;

/* Updates one range after all effects have been evaluated; true if it changed. */
static bool settle(dve_range *range, dve_range next, dve_range type, direction d) {
  const bool changed = next.low != range->low || next.high != range->high;
  if (changed) *range = d == UP_FAST ? type : next;
  return changed;
}

/* Evaluates all effects once with the current ranges. UP: adds what they store to the ranges; DOWN: the new
 * ranges contain only what they store and the initial values. */
static bool look(ls_dve *m, direction d) {
  bool changed = false;
  const dve_range zero = {0, 0}; /* the value of a buffer's free slots */
  for (u32 i = 0; i < m->variable_count; i++)
    m->variables[i].next = d == DOWN ? first_range(&m->variables[i]) : m->variables[i].range;
  for (u32 i = 0; i < m->channel_count; i++)
    for (u32 k = 0; k < m->channels[i].fields; k++)
      m->channels[i].next[k] = d == DOWN ? zero : m->channels[i].range[k];
  for (u32 q = 0; q < m->program.processes; q++)
    for (const dve_arc *a = m->processes[q].body->arcs; a; a = a->next) {
      for (const dve_effect *e = a->effects; e; e = e->next) store(m, q, e->target, range_of(m, q, e->value));
      transmit(m, q, a);
    }
  for (u32 i = 0; i < m->variable_count; i++) {
    dve_variable *v = &m->variables[i];
    if (settle(&v->range, v->next, type_range(v->is_int), d)) changed = true;
  }
  for (u32 i = 0; i < m->channel_count; i++) {
    const dve_channel *c = &m->channels[i];
    for (u32 k = 0; k < c->fields; k++)
      if (settle(&c->range[k], c->next[k], type_range(c->is_int[k]), d)) changed = true;
  }
  return changed;
}

void dve_find_ranges(ls_dve *m, bool narrow) {
  for (u32 i = 0; i < m->variable_count; i++) {
    dve_variable *v = &m->variables[i];
    v->range = narrow || v->constant ? first_range(v) : type_range(v->is_int);
  }
  for (u32 i = 0; i < m->channel_count; i++)
    for (u32 k = 0; k < m->channels[i].fields; k++)
      m->channels[i].range[k] = narrow ? (dve_range){0, 0} : type_range(m->channels[i].is_int[k]);
  for (u32 round = 0; narrow && look(m, round < ROUNDS ? UP : UP_FAST); round++) {}
  for (u32 round = 0; narrow && round < ROUNDS_DOWN && look(m, DOWN); round++) {}
}
