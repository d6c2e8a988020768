/* Says why a step leads to the error state. The interpreter (code.h) only reports that code failed. So this
 * evaluates the clauses of the step's transitions again, from the syntax tree, until one fails. */
#include <string.h>

#include "core/mem.h"
#include "model/dve/show.h"
#include "model/dve/steps.h"

typedef struct why {
  const ls_dve *m;
  const u32 *old;
  u32 *now;
  u32 scope; /* the transition's process, whose names are visible */
  dve_out *out;
  bool said;
} why;

/* Writes the position: "my.dve:6: ". */
static void say_place(why *w, u32 at) {
  const dve_place p = dve_place_of(&w->m->text, at);
  const char *base = p.name;
  for (int i = 0; i < p.name_bytes; i++)
    if (p.name[i] == '/') base = p.name + i + 1;
  dve_say(w->out, "%.*s:%u: ", (int)(p.name + p.name_bytes - base), base, p.line);
  w->said = true;
}

static void say_word(why *w, dve_word x) {
  dve_say(w->out, "%.*s", (int)(x.bytes < 40 ? x.bytes : 40), w->m->text.s + x.at);
}

/* --- expressions -------------------------------------------------------------------------------------- */

static bool value(why *w, const u32 *state, const dve_expr *e, i32 *x);

/* Returns the variable that e names, and the index *i of its element. If the index cannot be evaluated, or is
 * out of range, writes the reason and returns NULL. */
static const dve_variable *element(why *w, const u32 *state, const dve_expr *e, u32 *i) {
  const ls_dve *m = w->m;
  u32 index = 0, process = w->scope;
  dve_meaning is = DVE_NOTHING;
  if (e->op == DVE_E_FOREIGN) dve_look_up(m, DVE_NONE, m->text.s + e->of.at, e->of.bytes, &process);
  is = dve_look_up(m, process, m->text.s + e->name.at, e->name.bytes, &index);
  if (is == DVE_NOTHING) dve_look_up(m, DVE_NONE, m->text.s + e->name.at, e->name.bytes, &index);
  const dve_variable *v = &m->variables[index];
  i32 at = 0;
  if (e->a && !value(w, state, e->a, &at)) return NULL;
  if (at < 0 || (u32)at >= v->count) {
    say_place(w, e->at);
    dve_say(w->out, "%s[%d]: the array has the elements 0 ... %u", v->name, at, v->count - 1);
    return NULL;
  }
  *i = (u32)at;
  return v;
}

static bool is_in(const ls_dve *m, const u32 *state, const dve_expr *e) {
  u32 process, index;
  dve_look_up(m, DVE_NONE, m->text.s + e->of.at, e->of.bytes, &process);
  dve_look_up(m, process, m->text.s + e->name.at, e->name.bytes, &index);
  return dve_at(&m->program, process, state) == m->program.first_state[process] + index;
}

static bool binary(why *w, const u32 *state, const dve_expr *e, i32 *out) {
  i32 x = 0, y = 0;
  if (!value(w, state, e->a, &x)) return false;
  if (e->op == DVE_E_AND || e->op == DVE_E_OR || e->op == DVE_E_IMPLY) { /* short-circuit */
    if (e->op == DVE_E_IMPLY) x = !x;
    *out = e->op != DVE_E_AND;
    if (e->op == DVE_E_AND ? !x : x) return true;
    if (!value(w, state, e->b, &y)) return false;
    *out = y != 0;
    return true;
  }
  if (!value(w, state, e->b, &y)) return false;
  switch (e->op) {
#define CASE(id, expression)                                                                                 \
  case DVE_E_##id: *out = (expression); return true;
    DVE_BINARIES(CASE)
#undef CASE
  default: break;
  }
  if (y == 0) {
    say_place(w, e->at);
    say_word(w, e->all);
    dve_say(w->out, ": a division by zero");
    return false;
  }
  *out = e->op == DVE_E_DIVIDE ? dve_divide(x, y) : dve_remainder(x, y);
  return true;
}

/* Evaluates e. False: the evaluation fails, and the reason has been written. */
static bool value(why *w, const u32 *state, const dve_expr *e, i32 *x) {
  u32 i = 0;
  switch (e->op) {
  case DVE_E_NUMBER: *x = e->value; return true;
  case DVE_E_NAME:
  case DVE_E_INDEX:
  case DVE_E_FOREIGN: {
    const dve_variable *v = element(w, state, e, &i);
    if (v) *x = v->constant ? v->init[i] : dve_get(state, dve_field_element(v->field, i));
    return v != NULL;
  }
  case DVE_E_IN: *x = is_in(w->m, state, e); return true;
  case DVE_E_NEGATE:
  case DVE_E_INVERT:
  case DVE_E_NOT:
    if (!value(w, state, e->a, x)) return false;
    *x = e->op == DVE_E_NOT ? !*x : e->op == DVE_E_INVERT ? ~*x : (i32)(0u - (u32)*x);
    return true;
  default: return binary(w, state, e, x);
  }
}

/* --- clauses ------------------------------------------------------------------------------------------ */

/* Stores x in a variable, or in an array element, whose index is evaluated in `state`. */
static bool store(why *w, const u32 *state, const dve_expr *target, i32 x) {
  u32 i = 0;
  const dve_variable *v = element(w, state, target, &i);
  if (!v) return false;
  if (dve_fits(v->field, x)) {
    dve_set(w->now, dve_field_element(v->field, i), (u32)x);
    return true;
  }
  say_place(w, target->at);
  say_word(w, target->all);
  dve_say(w->out, " = %d is beyond %s", x, v->is_int ? "int (-32768 ... 32767)" : "byte (0 ... 255)");
  return false;
}

static bool guard(why *w, u32 step) {
  const dve_expr *e = w->m->arcs[step]->guard;
  i32 x;
  w->scope = w->m->program.steps[step].process;
  return !e || value(w, w->old, e, &x);
}

static bool worth(why *w, u32 step) {
  const dve_arc *a = w->m->arcs[step];
  i32 x;
  w->scope = w->m->program.steps[step].process;
  return (!a->cost || value(w, w->old, a->cost, &x)) && (!a->time || value(w, w->old, a->time, &x));
}

static i32 cut(const dve_channel *ch, u32 k, i32 x) {
  if (!ch->typed) return x;
  return ch->is_int[k] ? (i32)((u32)x << 16) >> 16 : x & 255;
}

/* Applies a transition: the new state of its process, its effects, and the values that it takes from a
 * buffer. */
static bool effects(why *w, u32 step) {
  const ls_dve *m = w->m;
  const dve_step *s = &m->program.steps[step];
  const dve_arc *a = m->arcs[step];
  i32 x;
  w->scope = s->process;
  if (m->processes[s->process].field != DVE_NONE)
    dve_set(w->now, m->processes[s->process].field, m->to[step]);
  for (const dve_effect *e = a->effects; e; e = e->next)
    if (!value(w, w->now, e->value, &x) || !store(w, w->now, e->target, x)) return false;
  const dve_channel *ch = &m->channels[s->channel];
  u32 k = 0;
  for (const dve_expr *e = a->items; e && (s->how == DVE_PUTS || s->how == DVE_TAKES); e = e->next, k++) {
    if (s->how == DVE_PUTS ? !value(w, w->now, e, &x) : !store(w, w->old, e, dve_get(w->now, ch->slots[k])))
      return false;
  }
  return true;
}

/* Stores a sender's values in the receiver's variables. */
static bool values_sent(why *w, u32 sender, u32 receiver) {
  const ls_dve *m = w->m;
  const dve_channel *ch = &m->channels[m->program.steps[sender].channel];
  const dve_expr *from = m->arcs[sender]->items, *to = m->arcs[receiver]->items;
  i32 x;
  for (u32 k = 0; from && to; from = from->next, to = to->next, k++) {
    w->scope = m->program.steps[sender].process;
    if (!value(w, w->now, from, &x)) return false;
    w->scope = m->program.steps[receiver].process;
    if (!store(w, w->old, to, cut(ch, k, x))) return false;
  }
  return true;
}

/* Do two transitions of a step assign to the same variable? If so, writes that as the reason. */
static bool conflict(why *w, u32 a, u32 b) {
  const ls_dve *m = w->m;
  const dve_program *p = &m->program;
  const u32 *x = p->masks + p->steps[a].writes, *y = p->masks + p->steps[b].writes;
  for (u32 i = 0; i < m->variable_count; i++) {
    const dve_variable *v = &m->variables[i];
    for (u32 k = 0; !v->constant && k < v->count; k++) {
      const u32 f = dve_field_element(v->field, k);
      if (!(dve_get(x, f) && dve_get(y, f))) continue;
      say_place(w, m->arcs[a]->at);
      const dve_place there = dve_place_of(&m->text, m->arcs[b]->at);
      dve_say(w->out, "%s and %s (line %u) both assign to %s in one step",
              m->processes[p->steps[a].process].name, m->processes[p->steps[b].process].name, there.line,
              v->name);
      return true;
    }
  }
  return false;
}

static void begin_replay(why *w) { memcpy(w->now, w->old, w->m->program.words * sizeof *w->now); }

static void asynchronous(why *w, const u32 *moves) {
  const u32 a = moves[0], b = moves[1], c = moves[2];
  for (u32 i = 0; i < 3; i++)
    if (moves[i] != DVE_NONE && !guard(w, moves[i])) return;
  begin_replay(w);
  if (b != DVE_NONE && (conflict(w, a, b) || !values_sent(w, a, b) || !effects(w, b))) return;
  if (a != DVE_NONE && (!effects(w, a) || !worth(w, a))) return;
  if (b != DVE_NONE && !worth(w, b)) return;
  if (c != DVE_NONE) effects(w, c);
}

/* Moves each process from the old state and combines the results in `all`, from which the property then
 * moves.
 */
static void synchronous(why *w, const u32 *moves, u32 *all) {
  const dve_program *p = &w->m->program;
  memcpy(all, w->old, p->words * sizeof *all);
  for (u32 q = 0; q < p->processes; q++) {
    if (moves[q] == DVE_NONE || q == p->property) continue;
    const u32 *mask = p->masks + p->steps[moves[q]].writes;
    begin_replay(w);
    if (!guard(w, moves[q]) || !effects(w, moves[q]) || !worth(w, moves[q])) return;
    for (u32 i = 0; i < p->words; i++) all[i] = (all[i] & ~mask[i]) | (w->now[i] & mask[i]);
    for (u32 other = 0; other < q; other++)
      if (moves[other] != DVE_NONE && other != p->property && conflict(w, moves[other], moves[q])) return;
  }
  if (p->property == DVE_NONE || moves[p->property] == DVE_NONE || !guard(w, moves[p->property])) return;
  memcpy(w->now, all, p->words * sizeof *all);
  effects(w, moves[p->property]);
}

bool dve_say_why(const ls_dve *m, const u32 *state, const u32 *moves, dve_out *o) {
  why w = {.m = m, .old = state, .out = o};
  w.now = ls_malloc(2ull * m->program.words * sizeof *w.now);
  if (!w.now) return false;
  if (m->program.synchronous)
    synchronous(&w, moves, w.now + m->program.words);
  else
    asynchronous(&w, moves);
  ls_free(w.now);
  return w.said;
}
