/* Says why a step leads to the error state: runs the code of the step's transitions again, part by part,
 * until one fails, and looks up the expression from which the operation that failed was compiled. */
#include <string.h>

#include "core/mem.h"
#include "model/dve/show.h"
#include "model/dve/steps.h"

typedef struct why {
  const ls_dve *m;
  const u32 *old;
  u32 *now;
  i32 x; /* the accumulator, in which a sender's value gets to the receiver */
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

/* Writes why an operation has failed. */
static void say_failure(why *w, const dve_machine *at) {
  const dve_risk *r = w->m->risks;
  while (r && r->pc != at->pc) r = r->next;
  if (!r) return;
  const u32 op = w->m->code[at->pc];
  const dve_word all = r->e->all;
  const i32 index = op == DVE_DO_STORE_X ? at->y : at->x;
  say_place(w, r->e->at);
  if (r->v && op != DVE_DO_STORE && (u32)index >= r->v->count) {
    dve_say(w->out, "%s[%d]: the array has the elements 0 ... %u", r->v->name, index, r->v->count - 1);
    return;
  }
  dve_say(w->out, "%.*s", (int)(all.bytes < 40 ? all.bytes : 40), w->m->text.s + all.at);
  if (r->v)
    dve_say(w->out, " = %d is beyond %s", at->x,
            r->v->is_int ? "int (-32768 ... 32767)" : "byte (0 ... 255)");
  else
    dve_say(w->out, ": a division by zero");
}

/* Runs code on a state. False: it fails, and the reason has been written. */
static bool run(why *w, u32 pc, u32 *state) {
  dve_machine machine = {pc, w->x, 0};
  if (pc != DVE_NONE && !dve_run_at(w->m->code, &machine, w->old, state)) {
    say_failure(w, &machine);
    return false;
  }
  w->x = machine.x;
  return true;
}

static const dve_step *step_at(const why *w, u32 step) { return &w->m->program.steps[step]; }
static u32 *old(const why *w) { return (u32 *)w->old; } /* for code that stores nothing */
static bool guard(why *w, u32 step) { return run(w, step_at(w, step)->guard, old(w)); }
static bool effects(why *w, u32 step) { return run(w, step_at(w, step)->effects, w->now); }
static bool worth(why *w, u32 step) {
  return run(w, step_at(w, step)->cost, old(w)) && run(w, step_at(w, step)->time, old(w));
}

/* Stores a sender's values in the receiver's variables. */
static bool values_sent(why *w, u32 sender, u32 receiver) {
  const dve_step *s = step_at(w, sender), *r = step_at(w, receiver);
  for (u32 i = 0; i < s->item_count; i++)
    if (!run(w, w->m->code[s->items + i], w->now) || !run(w, w->m->code[r->items + i], w->now)) return false;
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
