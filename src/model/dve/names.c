/* Symbol table of a model, and the initial values of its variables. */
#include <stdio.h>
#include <string.h>

#include "core/nearest.h"
#include "model/dve/model.h"

/* --- the table ---------------------------------------------------------------------------------------- */

typedef struct entry {
  const char *name;
  u32 scope, index, at;
  dve_meaning meaning; /* DVE_NOTHING: free */
} entry;

typedef struct dve_names {
  u32 room, count; /* room: a power of two */
  entry *entries;
} dve_names;

static u32 hash(u32 scope, const char *name, u32 bytes) {
  u32 h = 2166136261u ^ scope * 2654435761u;
  for (u32 i = 0; i < bytes; i++) h = (h ^ (u8)name[i]) * 16777619u;
  return h ^ h >> 15;
}

static entry *find(const dve_names *n, u32 scope, const char *name, u32 bytes) {
  u32 i = hash(scope, name, bytes) & (n->room - 1);
  for (;; i = (i + 1) & (n->room - 1)) {
    entry *e = &n->entries[i];
    if (e->meaning == DVE_NOTHING) return e;
    if (e->scope == scope && strlen(e->name) == bytes && memcmp(e->name, name, bytes) == 0) return e;
  }
}

dve_meaning dve_look_up(const ls_dve *m, u32 scope, const char *name, u32 bytes, u32 *index) {
  const entry *e = find(m->names, scope, name, bytes);
  *index = e->index;
  return e->meaning;
}

dve_meaning dve_meaning_of(const ls_dve *m, const dve_text *t, u32 *scope, const dve_expr *e, u32 *index) {
  const char *name = t->s + e->name.at;
  dve_meaning is = DVE_NOTHING;
  if (e->op == DVE_E_FOREIGN &&
      dve_look_up(m, DVE_NONE, t->s + e->of.at, e->of.bytes, scope) != DVE_IS_PROCESS)
    return DVE_NOTHING;
  if (*scope != DVE_NONE) is = dve_look_up(m, *scope, name, e->name.bytes, index);
  if (is == DVE_NOTHING && e->op != DVE_E_FOREIGN) is = dve_look_up(m, DVE_NONE, name, e->name.bytes, index);
  return is;
}

static ls_status declare(ls_dve *m, u32 scope, dve_word w, dve_meaning meaning, u32 index,
                         const char **name) {
  static const char *const what[] = {"", "variable", "channel", "process", "state"};
  entry *e = find(m->names, scope, m->text.s + w.at, w.bytes);
  if (e->meaning != DVE_NOTHING) {
    const dve_place p = dve_place_of(&m->text, e->at);
    return dve_fail(&m->text, w.at, "the name '%s' is taken: it is the %s of line %u, column %u", e->name,
                    what[e->meaning], p.line, p.column);
  }
  *name = dve_arena_text(&m->arena, m->text.s + w.at, w.bytes);
  if (!*name) return LS_EMEM;
  *e = (entry){*name, scope, index, w.at, meaning};
  return LS_OK;
}

/* A hint for an expression over states that uses `word` without its process: " (did you mean P->x?)" if a
 * process P declares `word`, else "". */
static const char *had_by_process(const ls_dve *m, const char *word, char *out, size_t bytes) {
  u32 index;
  for (u32 q = 0; q < m->program.processes; q++) {
    const dve_meaning is = dve_look_up(m, q, word, (u32)strlen(word), &index);
    if (is == DVE_NOTHING) continue;
    snprintf(out, bytes, " (did you mean %s%s%s?)", m->processes[q].name, is == DVE_IS_STATE ? "." : "->",
             word);
    return out;
  }
  return "";
}

ls_status dve_unknown(const ls_dve *m, const dve_text *t, u32 scope, bool global, dve_word w,
                      const char *what) {
  enum { MOST = 4096 };
  const char *names[MOST];
  char word[64], had[256];
  size_t count = 0;
  const u32 bytes = w.bytes < sizeof word ? w.bytes : (u32)sizeof word - 1;
  memcpy(word, t->s + w.at, bytes);
  word[bytes] = 0;
  if (t != &m->text && scope == DVE_NONE && global && *had_by_process(m, word, had, sizeof had))
    return dve_fail(t, w.at, "%s '%s' is not declared%s", what, word, had);
  for (u32 i = 0; i < m->names->room && count < MOST; i++) {
    const entry *e = &m->names->entries[i];
    if (e->meaning != DVE_NOTHING && (e->scope == scope || (global && e->scope == DVE_NONE)))
      names[count++] = e->name;
  }
  const char *near = ls_nearest(word, names, count);
  return dve_fail(t, w.at, near ? "%s '%s' is not declared (did you mean %s?)" : "%s '%s' is not declared",
                  what, word, near);
}

/* --- constants ---------------------------------------------------------------------------------------- */

typedef struct folding {
  const ls_dve *m;
  const dve_text *text;
  u32 scope;
  bool initial;
  const dve_expr *wrong; /* after a failure: the part of the expression that has no value */
} folding;

static bool variable_value(const folding *f, const dve_expr *e, i32 i, i32 *value) {
  u32 index, scope = f->scope;
  if (dve_meaning_of(f->m, f->text, &scope, e, &index) != DVE_IS_VARIABLE) return false;
  const dve_variable *v = &f->m->variables[index];
  if (!v->init || !(v->constant || f->initial) || v->is_array != (e->op == DVE_E_INDEX)) return false;
  if (i < 0 || (u32)i >= v->count) return false;
  *value = v->init[i];
  return true;
}

static bool fold(folding *f, const dve_expr *e, i32 *value) {
  i32 x = 0, y = 0;
  if (e->a && !fold(f, e->a, &x)) return false;
  f->wrong = e;
  switch (e->op) {
  case DVE_E_NUMBER: *value = e->value; return true;
  case DVE_E_NAME:
  case DVE_E_INDEX: return variable_value(f, e, x, value);
  case DVE_E_IN:
  case DVE_E_FOREIGN: return false;
  case DVE_E_NEGATE: *value = (i32)(0u - (u32)x); return true;
  case DVE_E_INVERT: *value = ~x; return true;
  case DVE_E_NOT: *value = !x; return true;
  case DVE_E_AND:
  case DVE_E_OR:
  case DVE_E_IMPLY: /* short-circuit: the second operand may have no value */
    if (e->op == DVE_E_IMPLY) x = !x;
    *value = e->op != DVE_E_AND;
    if (e->op == DVE_E_AND ? !x : x) return true;
    break;
  default: break;
  }
  if (!fold(f, e->b, &y)) return false;
  f->wrong = e;
  switch (e->op) {
  case DVE_E_DIVIDE:
  case DVE_E_REMAINDER:
    if (y == 0) return false;
    *value = e->op == DVE_E_DIVIDE ? dve_divide(x, y) : dve_remainder(x, y);
    return true;
#define FOLD(id, expression)                                                                                 \
  case DVE_E_##id: *value = (expression); return true;
    DVE_BINARIES(FOLD)
#undef FOLD
  default: *value = y != 0; return true; /* and, or, imply */
  }
}

bool dve_constant(const ls_dve *m, const dve_text *t, u32 scope, const dve_expr *e, bool initial,
                  i32 *value) {
  return fold(&(folding){m, t, scope, initial, NULL}, e, value);
}

/* --- declarations ------------------------------------------------------------------------------------- */

/* Reports why an initial value is not constant: because of its part e. */
static ls_status not_constant(const ls_dve *m, u32 scope, const dve_expr *e) {
  u32 index;
  if ((e->op == DVE_E_NAME || e->op == DVE_E_INDEX) &&
      dve_meaning_of(m, &m->text, &scope, e, &index) == DVE_NOTHING)
    return dve_unknown(m, &m->text, scope, true, e->name, "the variable");
  const bool divides = e->op == DVE_E_DIVIDE || e->op == DVE_E_REMAINDER;
  return dve_fail(&m->text, e->at,
                  divides ? "a division by zero"
                          : "an initial value may only use numbers and variables "
                            "that are declared before it");
}

static ls_status first_values(ls_dve *m, u32 scope, const dve_declared *d, dve_variable *v) {
  i32 *init = dve_arena_get(&m->arena, v->count * sizeof *init);
  if (!init) return LS_EMEM;
  const i32 least = v->is_int ? -32768 : 0, most = v->is_int ? 32767 : 255;
  u32 i = 0;
  for (const dve_expr *e = d->init; e; e = e->next, i++) {
    i32 value;
    folding f = {m, &m->text, scope, true, NULL};
    if (!fold(&f, e, &value)) return not_constant(m, scope, f.wrong);
    if (i >= v->count && value != 0) /* surplus zeros are accepted: published models have them */
      return dve_fail(&m->text, e->all.at, "too many values: the array %s has %u elements", v->name,
                      v->count);
    if (value < least || value > most)
      return dve_fail(&m->text, e->all.at, "%s has the initial value %d, but %s is from %d to %d", v->name,
                      value, v->is_int ? "an int" : "a byte", least, most);
    if (i < v->count) init[i] = value;
  }
  v->init = init;
  return LS_OK;
}

static ls_status declare_variables(ls_dve *m, u32 scope, const dve_declared *list) {
  enum { MOST = 1 << 20 };
  for (const dve_declared *d = list; d; d = d->next) {
    dve_variable *v = &m->variables[m->variable_count];
    *v = (dve_variable){.at = d->name.at,
                        .process = scope,
                        .constant = d->constant,
                        .is_int = d->is_int,
                        .is_array = d->is_array,
                        .count = d->is_array ? (u32)d->count : 1};
    if (v->count > MOST)
      return dve_fail(&m->text, d->name.at, "an array of %u elements: at most %d are possible", v->count,
                      MOST);
    ls_status st = declare(m, scope, d->name, DVE_IS_VARIABLE, m->variable_count, &v->name);
    if (!st) st = first_values(m, scope, d, v);
    if (st) return st;
    m->variable_count++;
  }
  return LS_OK;
}

static ls_status declare_channels(ls_dve *m) {
  enum { MOST = 1 << 15 };
  for (const dve_pipe *c = m->file.channels; c; c = c->next) {
    dve_channel *ch = &m->channels[m->channel_count];
    *ch = (dve_channel){.at = c->name.at,
                        .typed = c->typed,
                        .fields = c->fields,
                        .capacity = (u32)c->capacity,
                        .is_int = c->is_int,
                        .count = DVE_NONE};
    ls_status st = declare(m, DVE_NONE, c->name, DVE_IS_CHANNEL, m->channel_count, &ch->name);
    if (!st && ch->capacity > MOST)
      st = dve_fail(&m->text, c->name.at, "a buffer of %u values: at most %d are possible", ch->capacity,
                    MOST);
    if (!st && !(ch->slots = dve_arena_get(&m->arena, (ch->fields + 1) * sizeof *ch->slots))) st = LS_EMEM;
    if (!st && !(ch->range = dve_arena_get(&m->arena, (ch->fields + 1) * sizeof *ch->range))) st = LS_EMEM;
    if (!st && !(ch->next = dve_arena_get(&m->arena, (ch->fields + 1) * sizeof *ch->next))) st = LS_EMEM;
    if (st) return st;
    m->channel_count++;
  }
  return LS_OK;
}

static ls_status declare_process(ls_dve *m, u32 number, const dve_body *b) {
  dve_process *p = &m->processes[number];
  *p = (dve_process){.at = b->name.at, .body = b, .field = DVE_NONE, .first_variable = m->variable_count};
  ls_status st = declare_variables(m, number, b->variables);
  p->variables = m->variable_count - p->first_variable;
  for (const dve_name *s = b->states; s; s = s->next) p->states++;
  if (!st && !(p->state = dve_arena_get(&m->arena, p->states * sizeof *p->state))) st = LS_EMEM;
  u32 i = 0;
  for (const dve_name *s = b->states; s && !st; s = s->next, i++)
    st = declare(m, number, s->word, DVE_IS_STATE, i, &p->state[i]);
  if (!st && !b->init.bytes)
    st = dve_fail(&m->text, b->name.at, "the process %.*s has no initial state: expected init and a state",
                  (int)b->name.bytes, m->text.s + b->name.at);
  if (!st && dve_look_up(m, number, m->text.s + b->init.at, b->init.bytes, &p->init) != DVE_IS_STATE)
    st = dve_unknown(m, &m->text, number, false, b->init, "the state");
  return st;
}

static u32 count_names(const dve_file *f) {
  u32 n = 0;
  for (const dve_declared *d = f->variables; d; d = d->next) n++;
  for (const dve_pipe *c = f->channels; c; c = c->next) n++;
  for (const dve_body *b = f->bodies; b; b = b->next) {
    n++;
    for (const dve_declared *d = b->variables; d; d = d->next) n++;
    for (const dve_name *s = b->states; s; s = s->next) n++;
  }
  return n;
}

ls_status dve_find_names(ls_dve *m) {
  const u32 n = count_names(&m->file);
  u32 bodies = 0;
  for (const dve_body *b = m->file.bodies; b; b = b->next) bodies++;
  dve_names *names = m->names = dve_arena_get(&m->arena, sizeof *names);
  if (!names) return LS_EMEM;
  for (names->room = 64; names->room < 2 * n; names->room *= 2) {}
  names->entries = dve_arena_get(&m->arena, names->room * sizeof *names->entries);
  m->variables = dve_arena_get(&m->arena, n * sizeof *m->variables);
  m->channels = dve_arena_get(&m->arena, n * sizeof *m->channels);
  m->processes = dve_arena_get(&m->arena, bodies * sizeof *m->processes);
  if (!names->entries || !m->variables || !m->channels || !m->processes) return LS_EMEM;
  ls_status st = declare_variables(m, DVE_NONE, m->file.variables);
  if (!st) st = declare_channels(m);
  u32 i = 0;
  for (const dve_body *b = m->file.bodies; b && !st; b = b->next, i++)
    st = declare(m, DVE_NONE, b->name, DVE_IS_PROCESS, i, &m->processes[i].name);
  i = 0;
  for (const dve_body *b = m->file.bodies; b && !st; b = b->next, i++) {
    const char *name = m->processes[i].name;
    st = declare_process(m, i, b);
    m->processes[i].name = name;
  }
  m->program.processes = bodies;
  m->program.channels = m->channel_count;
  return st;
}
