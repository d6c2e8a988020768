/* Compiler from a model's syntax tree to its program (code.h). */
#include <string.h>

#include "core/mem.h"
#include "core/text.h"
#include "model/dve/model.h"

typedef struct compiler {
  ls_dve *m;
  const dve_text *text; /* the text that contains the expressions */
  u32 scope;            /* a process, or DVE_NONE */
  bool looks;           /* the expression may read other processes' variables */
  u32 *code;
  u32 count, room;
  u32 depth; /* values on the stack */
  ls_status st;
} compiler;

static void fail(compiler *c, ls_status st) {
  if (!c->st) c->st = st;
}

/* Fails with a message, unless it has failed before. Returns NULL. */
__attribute__((format(printf, 3, 4))) static void *fault(compiler *c, u32 at, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  if (!c->st) c->st = dve_vfail(c->text, at, fmt, ap);
  va_end(ap);
  return NULL;
}

/* Fails because a name is not declared (dve_unknown). Returns NULL. */
static void *unknown(compiler *c, u32 scope, bool global, dve_word w, const char *what) {
  if (!c->st) c->st = dve_unknown(c->m, c->text, scope, global, w, what);
  return NULL;
}

/* --- code ------------------------------------------------------------------------------------------------
 */

static void emit(compiler *c, u32 word) {
  if (c->st) return;
  u32 *code = c->count < 1u << 28 ? ls_grown(c->code, c->count, &c->room, 256, sizeof *code) : NULL;
  if (!code) {
    fail(c, LS_EMEM);
    return;
  }
  c->code = code;
  c->code[c->count++] = word;
}

static void put1(compiler *c, u32 op, u32 a) { emit(c, op), emit(c, a); }
static void put2(compiler *c, u32 op, u32 a, u32 b) { emit(c, op), emit(c, a), emit(c, b); }

static void push(compiler *c, const dve_expr *e) {
  emit(c, DVE_DO_PUSH);
  if (++c->depth > DVE_STACK)
    fault(c, e->at, "this expression needs more than %d values on the stack", DVE_STACK);
}

static void *room(compiler *c, u64 count, size_t size) {
  void *p = c->st ? NULL : dve_arena_get(&c->m->arena, (count + 1) * size);
  if (!p) fail(c, LS_EMEM);
  return p;
}

/* Records that the next operation may fail: an access to v, or (NULL) a division. */
static void may_fail(compiler *c, const dve_expr *e, const dve_variable *v) {
  dve_risk *r = c->text == &c->m->text ? room(c, 1, sizeof *r) : NULL;
  if (!r) return;
  *r = (dve_risk){c->count, e, v, c->m->risks};
  c->m->risks = r;
}

/* The variable that a name means; NULL after a failure. */
static dve_variable *variable(compiler *c, const dve_expr *e) {
  ls_dve *m = c->m;
  const char *name = c->text->s + e->name.at;
  const bool indexed = e->a != NULL;
  u32 index, scope = c->scope, process;
  if (e->op == DVE_E_FOREIGN && !c->looks)
    return fault(c, e->at, "only a property process may use '->', which reads a variable of another process");
  if (e->op == DVE_E_FOREIGN &&
      dve_look_up(m, DVE_NONE, c->text->s + e->of.at, e->of.bytes, &process) != DVE_IS_PROCESS)
    return unknown(c, DVE_NONE, false, e->of, "the process");
  const dve_meaning is = dve_meaning_of(m, c->text, &scope, e, &index);
  static const char *const what[] = {"", "", "a channel", "a process", "a state"};
  if (is == DVE_NOTHING) return unknown(c, scope, e->op != DVE_E_FOREIGN, e->name, "the variable");
  if (is != DVE_IS_VARIABLE)
    return fault(c, e->name.at, "'%.*s' is %s, expected a variable", (int)e->name.bytes, name, what[is]);
  if (m->variables[index].is_array != indexed)
    return fault(c, e->name.at,
                 indexed ? "'%.*s' is not an array" : "'%.*s' is an array: expected %.*s[index]",
                 (int)e->name.bytes, name, (int)e->name.bytes, name);
  return &m->variables[index];
}

static void expression(compiler *c, const dve_expr *e);

static void load(compiler *c, const dve_expr *e) {
  dve_variable *v = variable(c, e);
  if (!v) return;
  if (!v->is_array) {
    if (v->constant)
      put1(c, DVE_DO_LOAD_K, (u32)v->init[0]);
    else
      put1(c, DVE_DO_LOAD_F, v->field);
    return;
  }
  expression(c, e->a);
  may_fail(c, e, v);
  if (v->constant)
    put2(c, DVE_DO_TABLE, v->table, v->count);
  else
    put2(c, DVE_DO_INDEX, v->field, v->count);
}

/* Writes code for P.s, which compares the field of P's state. */
static void is_in(compiler *c, const dve_expr *e) {
  ls_dve *m = c->m;
  u32 process, state;
  const bool found = dve_look_up(m, DVE_NONE, c->text->s + e->of.at, e->of.bytes, &process) == DVE_IS_PROCESS;
  const dve_meaning is =
      found ? dve_look_up(m, process, c->text->s + e->name.at, e->name.bytes, &state) : DVE_NOTHING;
  if (!found) {
    unknown(c, DVE_NONE, false, e->of, "the process");
  } else if (is == DVE_NOTHING) {
    unknown(c, process, false, e->name, "the state");
  } else if (is != DVE_IS_STATE) {
    fault(c, e->name.at,
          "'%.*s' is a variable of the process, expected a state after '.' (-> is for variables)",
          (int)e->name.bytes, c->text->s + e->name.at);
  } else if (m->processes[process].field == DVE_NONE) {
    put1(c, DVE_DO_LOAD_K, 1);
  } else {
    put1(c, DVE_DO_LOAD_F, m->processes[process].field);
    put1(c, DVE_DO_EQUAL_K, state);
  }
}

static u32 binary_code(dve_op op) { /* its _K form */
  switch (op) {
#define CASE(id, expression)                                                                                 \
  case DVE_E_##id: return DVE_DO_##id##_K;
    DVE_BINARIES(CASE)
#undef CASE
  default: return DVE_NONE;
  }
}

static bool is_truth(const dve_expr *e) { /* its value is 0 or 1 */
  return e->op == DVE_E_NOT || e->op == DVE_E_IN || (e->op >= DVE_E_IMPLY && e->op <= DVE_E_AND) ||
         (e->op >= DVE_E_EQUAL && e->op <= DVE_E_AT_LEAST);
}

/* and, or, imply: the second operand is not evaluated if the first decides. */
static void short_circuit(compiler *c, const dve_expr *e) {
  expression(c, e->a);
  if (e->op == DVE_E_IMPLY) emit(c, DVE_DO_NOT);
  put1(c, e->op == DVE_E_AND ? DVE_DO_IF_NOT : DVE_DO_IF, 0);
  const u32 where = c->count - 1;
  expression(c, e->b);
  if (!is_truth(e->b)) emit(c, DVE_DO_BOOL);
  if (!c->st) c->code[where] = c->count;
}

static void binary(compiler *c, const dve_expr *e) {
  const u32 op = binary_code(e->op);
  i32 value;
  expression(c, e->a);
  if (op != DVE_NONE && dve_constant(c->m, c->text, c->scope, e->b, false, &value)) {
    put1(c, op, (u32)value);
    return;
  }
  if (op != DVE_NONE && (e->b->op == DVE_E_NAME || (e->b->op == DVE_E_FOREIGN && !e->b->a))) {
    const dve_variable *v = variable(c, e->b);
    if (v && v->constant) put1(c, op, (u32)v->init[0]);
    if (v && !v->constant) put1(c, op + 1, v->field);
    return;
  }
  push(c, e);
  expression(c, e->b);
  c->depth--;
  if (op == DVE_NONE) may_fail(c, e, NULL);
  emit(c, op != DVE_NONE ? op + 2 : e->op == DVE_E_DIVIDE ? DVE_DO_DIVIDE : DVE_DO_REMAINDER);
}

/* Reports unknown names of a constant expression, even where its value does not depend on them. */
static void check_names(compiler *c, const dve_expr *e) {
  const u32 count = c->count;
  if (e->op == DVE_E_NAME || e->op == DVE_E_INDEX || e->op == DVE_E_FOREIGN) variable(c, e);
  if (e->op == DVE_E_IN) is_in(c, e);
  c->count = count;
  if (e->a) check_names(c, e->a);
  if (e->b) check_names(c, e->b);
}

static void expression(compiler *c, const dve_expr *e) {
  i32 value;
  if (c->st) return;
  if (dve_constant(c->m, c->text, c->scope, e, false, &value)) {
    check_names(c, e);
    put1(c, DVE_DO_LOAD_K, (u32)value);
    return;
  }
  switch (e->op) {
  case DVE_E_NAME:
  case DVE_E_INDEX:
  case DVE_E_FOREIGN: load(c, e); break;
  case DVE_E_IN: is_in(c, e); break;
  case DVE_E_NEGATE:
  case DVE_E_INVERT:
  case DVE_E_NOT:
    expression(c, e->a);
    emit(c, e->op == DVE_E_NEGATE ? DVE_DO_NEGATE : e->op == DVE_E_INVERT ? DVE_DO_INVERT : DVE_DO_NOT);
    break;
  case DVE_E_AND:
  case DVE_E_OR:
  case DVE_E_IMPLY: short_circuit(c, e); break;
  default: binary(c, e); break;
  }
}

/* Writes code for e, ended by STOP, and returns where it begins; DVE_NONE if e is NULL. */
static u32 compiled(compiler *c, const dve_expr *e) {
  if (!e) return DVE_NONE;
  const u32 begin = c->count;
  expression(c, e);
  emit(c, DVE_DO_STOP);
  return begin;
}

/* --- transitions -------------------------------------------------------------------------------------- */

static void will_write(u32 *mask, u32 field, u32 count) {
  if (field == DVE_NONE) return;
  for (u32 i = 0; i < count; i++) dve_set(mask, dve_field_element(field, i), 0xffffffffu);
}

/* The variable on the left of an assignment; NULL after a failure. */
static dve_variable *target(compiler *c, const dve_expr *e) {
  dve_variable *v = variable(c, e);
  if (!v) return NULL;
  if (v->constant) return fault(c, e->at, "'%s' is a constant and can't be assigned to", v->name);
  if (c->scope == c->m->program.property && v->process == DVE_NONE)
    return fault(c, e->at, "the property process may not assign to the global variable '%s'", v->name);
  return v;
}

/* Stores the accumulator in the variable e. If `old`, the index is evaluated in the state before the step. */
static void store(compiler *c, const dve_expr *e, bool old, u32 *mask) {
  const dve_variable *v = target(c, e);
  if (!v) return;
  will_write(mask, v->field, v->count);
  if (!v->is_array) {
    may_fail(c, e, v);
    put1(c, DVE_DO_STORE, v->field);
    return;
  }
  push(c, e);
  if (old) emit(c, DVE_DO_OLD);
  expression(c, e->a);
  if (old) emit(c, DVE_DO_NEW);
  c->depth--;
  may_fail(c, e, v);
  put2(c, DVE_DO_STORE_X, v->field, v->count);
}

/* Casts to the type of the channel's k-th value. */
static void cast(compiler *c, const dve_channel *ch, u32 k) {
  if (ch->typed) put1(c, DVE_DO_CAST, ch->is_int[k] ? 32 + 16 : 8);
}

static u32 buffered(compiler *c, const dve_arc *a, const dve_channel *ch, u32 *mask) {
  for (u32 k = 0; k < ch->fields; k++) will_write(mask, ch->slots[k], ch->capacity);
  will_write(mask, ch->count, 1);
  const dve_expr *e = a->items;
  for (u32 k = 0; e; e = e->next, k++) {
    if (a->sync == '!') {
      expression(c, e);
      cast(c, ch, k);
      put2(c, DVE_DO_PUT, ch->slots[k], ch->count);
    } else {
      put1(c, DVE_DO_LOAD_F, ch->slots[k]);
      store(c, e, true, mask);
    }
  }
  for (u32 k = 0; a->sync == '?' && k < ch->fields; k++) put2(c, DVE_DO_SHIFT, ch->slots[k], ch->capacity);
  put1(c, a->sync == '!' ? DVE_DO_COUNT_UP : DVE_DO_COUNT_DOWN, ch->count);
  return a->sync == '!' ? DVE_PUTS : DVE_TAKES;
}

/* Returns the channel of a transition; checks that the transition has as many values as the channel's
 * messages. */
static dve_channel *channel(compiler *c, const dve_arc *a, u32 *index) {
  ls_dve *m = c->m;
  const dve_word w = a->channel;
  const char *name = m->text.s + w.at;
  const dve_meaning is = dve_look_up(m, DVE_NONE, name, w.bytes, index);
  if (is == DVE_NOTHING) return unknown(c, DVE_NONE, false, w, "the channel");
  if (is != DVE_IS_CHANNEL) return fault(c, w.at, "'%.*s' is not a channel", (int)w.bytes, name);
  dve_channel *ch = &m->channels[*index];
  if (ch->typed && a->item_count && a->item_count != ch->fields)
    fault(c, w.at, "the channel %s carries %u value%s at a time, found %u", ch->name, ch->fields,
          ls_plural(ch->fields), a->item_count);
  if (!ch->use) ch->use = a;
  if (c->st || ch->capacity || ch->use->item_count == a->item_count) return ch;
  if (ch->typed) { /* one of the two transitions has no values: report that one */
    const dve_arc *wrong = a->item_count ? ch->use : a;
    fault(c, wrong->channel.at, "the channel %s carries %u value%s (%s%s), but %s%c has none here", ch->name,
          ch->fields, ls_plural(ch->fields), ch->is_int[0] ? "int" : "byte", ch->fields > 1 ? ", ..." : "",
          ch->name, wrong->sync);
  } else {
    const dve_place p = dve_place_of(&m->text, ch->use->channel.at);
    fault(c, w.at, "the channel %s carries %u values in line %u, but %u here", ch->name, ch->use->item_count,
          p.line, a->item_count);
  }
  return ch;
}

static void rendezvous(compiler *c, const dve_arc *a, const dve_channel *ch, dve_step *s, u32 *mask) {
  u32 *items = dve_arena_get(&c->m->arena, (a->item_count + 1ull) * sizeof *items);
  if (!items) fail(c, LS_EMEM);
  const dve_expr *e = a->items;
  for (u32 k = 0; e && !c->st; e = e->next, k++) {
    items[k] = c->count;
    if (a->sync == '!') {
      expression(c, e);
      cast(c, ch, k);
    } else {
      store(c, e, true, mask);
    }
    emit(c, DVE_DO_STOP);
  }
  s->how = a->sync == '!' ? DVE_SENDS : DVE_RECEIVES;
  s->items = c->count;
  s->item_count = a->item_count;
  for (u32 k = 0; k < a->item_count && !c->st; k++) emit(c, items[k]);
}

static void transition(compiler *c, u32 number, u32 *mask) {
  ls_dve *m = c->m;
  const dve_arc *a = m->arcs[number];
  dve_step *s = (dve_step *)&m->program.steps[number];
  const dve_process *p = &m->processes[s->process];
  u32 index = 0;
  s->guard = compiled(c, a->guard);
  dve_channel *ch = a->sync ? channel(c, a, &index) : NULL;
  if (c->st) return;
  if (ch && s->process == m->program.property)
    fault(c, a->channel.at, "the property process moves with every step: it can't synchronise");
  s->channel = index;
  if (ch && !ch->capacity) rendezvous(c, a, ch, s, mask);
  const u32 begin = c->count;
  if (p->field != DVE_NONE) put2(c, DVE_DO_SET, p->field, m->to[number]);
  will_write(mask, p->field, 1);
  for (const dve_effect *e = a->effects; e && !c->st; e = e->next) {
    expression(c, e->value);
    store(c, e->target, false, mask);
  }
  if (ch && ch->capacity && !c->st) s->how = buffered(c, a, ch, mask);
  s->effects = c->count > begin ? begin : DVE_NONE;
  emit(c, DVE_DO_STOP);
  s->cost = compiled(c, a->cost);
  s->time = compiled(c, a->time);
  i32 time;
  if (a->time && dve_constant(m, &m->text, s->process, a->time, false, &time) && time < 0)
    fault(c, a->time->all.at, "a time of %d is less than 0", time);
  if (a->cost) m->program.costs = true;
  if (a->time) m->program.times = true;
}

/* --- tables -----------------------------------------------------------------------------------------------
 */

static u32 state_of(compiler *c, u32 process, dve_word w) {
  u32 s = 0;
  const dve_meaning is = dve_look_up(c->m, process, c->m->text.s + w.at, w.bytes, &s);
  if (is == DVE_NOTHING) unknown(c, process, false, w, "the state");
  if (is == DVE_IS_VARIABLE)
    fault(c, w.at, "'%.*s' is a variable, expected a state", (int)w.bytes, c->m->text.s + w.at);
  return s;
}

/* Sorts the transitions by process and source state, otherwise in the order of the text (counting sort). */
static void list_steps(compiler *c) {
  ls_dve *m = c->m;
  dve_program *p = &m->program;
  u32 *first_state = room(c, p->processes + 1ull, sizeof *first_state),
      *field = room(c, p->processes, sizeof *field);
  if (c->st) return;
  for (u32 q = 0; q < p->processes; q++) {
    first_state[q] = p->states;
    p->states += m->processes[q].states;
    field[q] = m->processes[q].field;
    for (const dve_arc *a = m->processes[q].body->arcs; a; a = a->next) p->step_count++;
  }
  first_state[p->processes] = p->states;
  p->first_state = first_state;
  p->field = field;
  u32 *flags = room(c, p->states, sizeof *flags), *first = room(c, p->states + 2ull, sizeof *first);
  dve_step *steps = room(c, p->step_count, sizeof *steps);
  m->arcs = room(c, p->step_count, sizeof *m->arcs);
  m->from = room(c, p->step_count, sizeof *m->from);
  m->to = room(c, p->step_count, sizeof *m->to);
  /* first[s + 2] counts the transitions of state s. After the prefix sums, they begin at first[s + 1];
   * filling advances first[s + 1] to their end. */
  for (u32 q = 0; q < p->processes && !c->st; q++) {
    const dve_body *b = m->processes[q].body;
    for (const dve_arc *a = b->arcs; a && !c->st; a = a->next)
      first[first_state[q] + state_of(c, q, a->from) + 2]++;
    for (const dve_name *n = b->commits; n && !c->st; n = n->next)
      flags[first_state[q] + state_of(c, q, n->word)] |= DVE_COMMITTED;
    for (const dve_name *n = b->accepts; n && !c->st; n = n->next)
      flags[first_state[q] + state_of(c, q, n->word)] |= DVE_ACCEPTING;
  }
  if (c->st) return;
  for (u32 s = 0; s < p->states; s++) first[s + 2] += first[s + 1];
  for (u32 q = 0; q < p->processes && !c->st; q++)
    for (const dve_arc *a = m->processes[q].body->arcs; a && !c->st; a = a->next) {
      const u32 from = state_of(c, q, a->from), number = first[first_state[q] + from + 1]++;
      steps[number] = (dve_step){.process = q,
                                 .how = DVE_PLAIN,
                                 .guard = DVE_NONE,
                                 .effects = DVE_NONE,
                                 .cost = DVE_NONE,
                                 .time = DVE_NONE,
                                 .writes = number * p->words};
      m->arcs[number] = a;
      m->from[number] = from;
      m->to[number] = state_of(c, q, a->to);
    }
  p->flags = flags;
  p->first_step = first;
  p->steps = steps;
}

static void list_listeners(compiler *c) {
  ls_dve *m = c->m;
  dve_program *p = &m->program;
  u32 *first = room(c, p->channels + 1ull, sizeof *first), *count = room(c, p->channels, sizeof *count),
      *capacity = room(c, p->channels, sizeof *capacity), *last = room(c, p->channels, sizeof *last),
      *list = NULL;
  for (int fill = 0; fill < 2 && !c->st; fill++) { /* 0 counts, 1 fills; steps are sorted by process */
    for (u32 k = 0; k < p->channels; k++) last[k] = DVE_NONE;
    for (u32 s = 0; s < p->step_count; s++) {
      const dve_step *step = &p->steps[s];
      if (step->how != DVE_RECEIVES || last[step->channel] == step->process) continue;
      last[step->channel] = step->process;
      if (fill)
        list[first[step->channel]++] = step->process;
      else
        first[step->channel + 1]++;
    }
    for (u32 k = 0; k < p->channels && !fill; k++) first[k + 1] += first[k];
    if (!fill) list = room(c, first[p->channels], sizeof *list);
  }
  if (c->st) return;
  for (u32 k = p->channels; k-- > 0;)
    first[k + 1] = first[k]; /* filling has advanced first[k] to the start of list k + 1 */
  first[0] = 0;
  for (u32 k = 0; k < p->channels; k++)
    count[k] = m->channels[k].count, capacity[k] = m->channels[k].capacity;
  p->first_listener = first;
  p->listeners = list;
  p->count = count;
  p->capacity = capacity;
}

static void claims(compiler *c) {
  ls_dve *m = c->m;
  u32 count = 0;
  for (u32 q = 0; q < m->program.processes; q++)
    for (const dve_assertion *a = m->processes[q].body->assertions; a; a = a->next) count++;
  m->claims = room(c, count, sizeof *m->claims);
  for (u32 q = 0; q < m->program.processes && !c->st; q++)
    for (const dve_assertion *a = m->processes[q].body->assertions; a && !c->st; a = a->next) {
      c->scope = q;
      c->looks = q == m->program.property;
      const u32 state = state_of(c, q, a->state);
      m->claims[m->claim_count++] = (dve_claim){q, state, compiled(c, a->expr), a->expr};
    }
}

static void initial_state(compiler *c) {
  ls_dve *m = c->m;
  m->initial = room(c, m->program.words, sizeof *m->initial);
  if (c->st) return;
  for (u32 i = 0; i < m->variable_count; i++) {
    const dve_variable *v = &m->variables[i];
    for (u32 k = 0; k < v->count && !v->constant; k++)
      dve_set(m->initial, dve_field_element(v->field, k), (u32)v->init[k]);
  }
  for (u32 q = 0; q < m->program.processes; q++)
    if (m->processes[q].field != DVE_NONE) dve_set(m->initial, m->processes[q].field, m->processes[q].init);
}

static void find_property(compiler *c) {
  ls_dve *m = c->m;
  const dve_word w = m->file.property;
  m->program.property = DVE_NONE;
  m->program.synchronous = m->file.synchronous;
  if (w.bytes && dve_look_up(m, DVE_NONE, m->text.s + w.at, w.bytes, &m->program.property) != DVE_IS_PROCESS)
    unknown(c, DVE_NONE, false, w, "the process");
}

/* Writes the constant arrays into the code. */
static void tables(compiler *c) {
  for (u32 i = 0; i < c->m->variable_count && !c->st; i++) {
    dve_variable *v = &c->m->variables[i];
    if (!v->constant || !v->is_array) continue;
    v->table = c->count;
    for (u32 k = 0; k < v->count; k++) emit(c, (u32)v->init[k]);
  }
}

ls_status dve_compile(ls_dve *m) {
  compiler c = {.m = m, .text = &m->text};
  fail(&c, dve_lay_out(m));
  find_property(&c);
  tables(&c);
  list_steps(&c);
  u32 *masks = room(&c, (u64)m->program.step_count * m->program.words, sizeof *masks);
  for (u32 s = 0; s < m->program.step_count && !c.st; s++) {
    c.scope = m->program.steps[s].process;
    c.looks = c.scope == m->program.property;
    transition(&c, s, masks + (size_t)s * m->program.words);
  }
  m->program.masks = masks;
  claims(&c);
  list_listeners(&c);
  initial_state(&c);
  m->code = c.code; /* the model owns it, also after a failure */
  m->program.code = c.code;
  m->program.code_size = c.count;
  return c.st;
}

ls_status dve_compile_expr(ls_dve *m, const dve_text *t, const dve_expr *e, u32 **code, u32 *begin) {
  compiler c = {.m = m, .text = t, .scope = DVE_NONE, .looks = true};
  tables(&c); /* they get the same offsets as in the model's own code */
  *begin = compiled(&c, e);
  if (c.st) {
    ls_free(c.code);
    c.code = NULL;
  }
  *code = c.code;
  return c.st;
}
