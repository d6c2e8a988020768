#include "model/dve/show.h"
#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void dve_say(dve_out *o, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  const size_t left = o->bytes < o->room ? o->room - o->bytes : 0;
  const int n = vsnprintf(left ? o->text + o->bytes : NULL, left, fmt, ap);
  va_end(ap);
  if (n > 0) o->bytes += (size_t)n;
}

/* --- states --------------------------------------------------------------------------------------------- */

static void say_variable(const dve_variable *v, const char *owner, const u32 *state, dve_out *o) {
  dve_say(o, " %s%s%s=", owner ? owner : "", owner ? "->" : "", v->name);
  if (!v->is_array) {
    dve_say(o, "%d", dve_get(state, v->field));
    return;
  }
  for (u32 i = 0; i < v->count; i++)
    dve_say(o, "%s%d", i ? " " : "{", dve_get(state, dve_field_element(v->field, i)));
  dve_say(o, "}");
}

static void say_buffer(const dve_channel *c, const u32 *state, dve_out *o) {
  const u32 count = (u32)dve_get(state, c->count);
  dve_say(o, " %s=[", c->name);
  for (u32 i = 0; i < count; i++)
    for (u32 k = 0; k < c->fields; k++)
      dve_say(o, "%s%d", k ? " " : i ? "; " : "", dve_get(state, dve_field_element(c->slots[k], i)));
  dve_say(o, "]");
}

static const char *state_name(const ls_dve *m, u32 process, const u32 *state) {
  return m->processes[process].state[dve_at(&m->program, process, state) - m->program.first_state[process]];
}

/* Removes a leading blank from the text that begins at `from`. */
static void strip(dve_out *o, size_t from) {
  if (o->bytes <= from || from >= o->room || o->text[from] != ' ') return;
  const size_t end = o->bytes < o->room ? o->bytes : o->room - 1;
  memmove(o->text + from, o->text + from + 1, end - from);
  o->bytes = end - 1;
}

void dve_say_state(const ls_dve *m, const u32 *state, dve_out *o) {
  const size_t from = o->bytes;
  if (dve_is_error(&m->program, state)) {
    dve_say(o, "error");
    return;
  }
  for (u32 i = 0; i < m->variable_count && m->variables[i].process == DVE_NONE; i++)
    if (!m->variables[i].constant) say_variable(&m->variables[i], NULL, state, o);
  for (u32 i = 0; i < m->channel_count; i++)
    if (m->channels[i].capacity) say_buffer(&m->channels[i], state, o);
  for (u32 q = 0; q < m->program.processes; q++) {
    const dve_process *p = &m->processes[q];
    dve_say(o, "%s %s.%s", o->bytes > from ? "," : "", p->name, state_name(m, q, state));
    for (u32 i = 0; i < p->variables; i++)
      if (!m->variables[p->first_variable + i].constant)
        say_variable(&m->variables[p->first_variable + i], NULL, state, o);
  }
  strip(o, from);
}

static bool same(const u32 *a, const u32 *b, u32 field, u32 count) {
  for (u32 i = 0; i < count; i++)
    if (dve_get(a, dve_field_element(field, i)) != dve_get(b, dve_field_element(field, i))) return false;
  return true;
}

void dve_say_change(const ls_dve *m, const u32 *before, const u32 *after, dve_out *o) {
  const size_t from = o->bytes;
  if (dve_is_error(&m->program, after)) {
    dve_say(o, "error");
    return;
  }
  for (u32 q = 0; q < m->program.processes; q++)
    if (dve_at(&m->program, q, before) != dve_at(&m->program, q, after))
      dve_say(o, " %s.%s", m->processes[q].name, state_name(m, q, after));
  for (u32 i = 0; i < m->variable_count; i++) {
    const dve_variable *v = &m->variables[i];
    if (v->constant || same(before, after, v->field, v->count)) continue;
    say_variable(v, v->process == DVE_NONE ? NULL : m->processes[v->process].name, after, o);
  }
  for (u32 i = 0; i < m->channel_count; i++) {
    const dve_channel *c = &m->channels[i];
    bool as_before = !c->capacity || same(before, after, c->count, 1);
    for (u32 k = 0; k < c->fields && c->capacity; k++)
      as_before = as_before && same(before, after, c->slots[k], c->capacity);
    if (!as_before) say_buffer(c, after, o);
  }
  if (o->bytes == from) dve_say(o, "nothing");
  strip(o, from);
}

/* --- steps ---------------------------------------------------------------------------------------------- */

/* "P: wait -> done" for a transition, followed by " #2" if it is the second of its process with this source
 * and target. */
static void say_step(const ls_dve *m, u32 step, dve_out *o) {
  const u32 q = m->program.steps[step].process;
  const dve_process *p = &m->processes[q];
  dve_say(o, "%s: %s -> %s", p->name, p->state[m->from[step]], p->state[m->to[step]]);
  u32 nr = 1;
  for (u32 s = m->program.first_step[m->program.first_state[q] + m->from[step]]; s < step; s++)
    nr += m->to[s] == m->to[step];
  if (nr > 1) dve_say(o, " #%u", nr);
}

void dve_say_moves(const ls_dve *m, const u32 *moves, u32 width, dve_out *o) {
  bool some = false;
  for (u32 i = 0; i < width; i++) {
    if (moves[i] == DVE_NONE) continue;
    if (some && m->program.steps[moves[i]].process == m->program.property &&
        m->from[moves[i]] == m->to[moves[i]])
      continue; /* a property that stays in its state is not shown */
    if (some) dve_say(o, ", ");
    say_step(m, moves[i], o);
    some = true;
  }
  const u32 first = moves[0];
  if (!m->program.synchronous && first != DVE_NONE && m->program.steps[first].how != DVE_PLAIN)
    dve_say(o, " (%s)", m->channels[m->program.steps[first].channel].name);
}

/* --- the model ------------------------------------------------------------------------------------------ */

/* A word of the text on one line, with single blanks. */
static void say_word(const ls_dve *m, dve_word w, dve_out *o) {
  bool blank = false;
  for (u32 i = 0; i < w.bytes; i++) {
    const char ch = m->text.s[w.at + i];
    if (!dve_is_space(ch)) dve_say(o, "%s%c", blank ? " " : "", ch);
    blank = dve_is_space(ch);
  }
}

static void say_clause(const ls_dve *m, const char *name, const dve_expr *e, dve_out *o) {
  if (!e) return;
  dve_say(o, "  %s ", name);
  say_word(m, e->all, o);
}

void dve_say_clauses(const ls_dve *m, u32 step, dve_out *o) {
  const dve_arc *a = m->arcs[step];
  const size_t from = o->bytes;
  say_clause(m, "if", a->guard, o);
  if (a->sync) {
    dve_say(o, "  %s%c", m->channels[m->program.steps[step].channel].name, a->sync);
    for (const dve_expr *e = a->items; e; e = e->next) {
      if (e != a->items) dve_say(o, ", ");
      say_word(m, e->all, o);
    }
  }
  for (const dve_effect *e = a->effects; e; e = e->next) {
    dve_say(o, "  ");
    say_word(m, e->target->all, o);
    dve_say(o, " = ");
    say_word(m, e->value->all, o);
  }
  say_clause(m, "cost", a->cost, o);
  say_clause(m, "time", a->time, o);
  strip(o, from);
  strip(o, from);
}

static void say_arc(const ls_dve *m, u32 step, dve_out *o) {
  const dve_process *p = &m->processes[m->program.steps[step].process];
  dve_say(o, "    -> %s  ", p->state[m->to[step]]);
  const size_t from = o->bytes;
  dve_say_clauses(m, step, o);
  if (o->bytes == from) o->bytes -= 2; /* nothing follows the state's name */
  dve_say(o, "\n");
}

static void say_process(const ls_dve *m, u32 q, dve_out *o) {
  const dve_program *p = &m->program;
  const dve_process *process = &m->processes[q];
  dve_say(o, "%s %s: %u state%s\n", q == p->property ? "property process" : "process", process->name,
          process->states, ls_plural(process->states));
  for (u32 s = 0; s < process->states; s++) {
    const u32 at = p->first_state[q] + s;
    dve_say(o, "  %s%s%s%s\n", process->state[s], s == process->init ? "  (initial)" : "",
            p->flags[at] & DVE_COMMITTED ? "  (committed)" : "",
            p->flags[at] & DVE_ACCEPTING ? "  (accepting)" : "");
    for (u32 step = p->first_step[at]; step < p->first_step[at + 1]; step++) say_arc(m, step, o);
  }
}

static void say_layout(const ls_dve *m, dve_out *o) {
  dve_say(o, "a state has %u bits in %u word%s of 32:\n", m->bits, m->program.words,
          ls_plural(m->program.words));
  for (u32 i = 0; i < m->variable_count; i++) {
    const dve_variable *v = &m->variables[i];
    if (v->constant) continue;
    dve_say(o, "  %5u  %s%s%s", v->field >> 6, v->process == DVE_NONE ? "" : m->processes[v->process].name,
            v->process == DVE_NONE ? "" : "->", v->name);
    if (v->is_array) dve_say(o, "[%u]", v->count);
    dve_say(o, ": %s of %u bit%s\n", v->is_int ? "int" : "byte", dve_field_width(v->field),
            ls_plural(dve_field_width(v->field)));
  }
  for (u32 q = 0; q < m->program.processes; q++) {
    const u32 f = m->processes[q].field;
    if (f != DVE_NONE)
      dve_say(o, "  %5u  %s: %u bit%s\n", f >> 6, m->processes[q].name, f & 31, ls_plural(f & 31));
  }
  for (u32 i = 0; i < m->channel_count; i++) {
    const dve_channel *c = &m->channels[i];
    if (!c->capacity) continue;
    dve_say(o, "  %5u  %s: count, %u bits\n", c->count >> 6, c->name, dve_field_width(c->count));
    for (u32 k = 0; k < c->fields; k++)
      dve_say(o, "  %5u  %s: %u x %s\n", c->slots[k] >> 6, c->name, c->capacity,
              c->is_int[k] ? "int" : "byte");
  }
}

void dve_say_head(const ls_dve *m, dve_out *o) {
  const dve_program *p = &m->program;
  dve_say(o, "%s: %u process%s, %s%s%s%s", ls_dve_name(m), p->processes, p->processes == 1 ? "" : "es",
          p->synchronous ? "synchronous" : "asynchronous", p->property == DVE_NONE ? "" : ", with a property",
          p->costs ? ", with costs" : "", p->times ? ", with times" : "");
}

void dve_say_model(const ls_dve *m, dve_out *o) {
  const dve_program *p = &m->program;
  dve_say_head(m, o);
  dve_say(o, "\n");
  for (u32 i = 0; i < m->channel_count; i++) {
    const dve_channel *c = &m->channels[i];
    dve_say(o, "channel %s: ", c->name);
    if (!c->typed)
      dve_say(o, "rendezvous of %u value%s\n", c->use ? c->use->item_count : 0,
              ls_plural(c->use ? c->use->item_count : 0));
    for (u32 k = 0; k < c->fields; k++) dve_say(o, "%s%s", k ? ", " : "{", c->is_int[k] ? "int" : "byte");
    if (c->typed && c->capacity)
      dve_say(o, "}, a buffer of %u\n", c->capacity);
    else if (c->typed)
      dve_say(o, "}, rendezvous\n");
  }
  for (u32 q = 0; q < p->processes; q++) say_process(m, q, o);
  for (u32 i = 0; i < m->claim_count; i++) {
    const dve_claim *c = &m->claims[i];
    dve_say(o, "assert %s.%s: ", m->processes[c->process].name, m->processes[c->process].state[c->state]);
    say_word(m, c->expr->all, o);
    dve_say(o, "\n");
  }
  say_layout(m, o);
}
