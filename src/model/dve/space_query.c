#include "model/dve/space.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "model/dve/show.h"
#include "model/dve/space_parts.h"
#include "model/dve/steps.h"

/* --- names ---------------------------------------------------------------------------------------------- */

static void destroy(ls_vertex_names *vertex_names) {
  ls_dve_space *s = (ls_dve_space *)vertex_names;
  ls_dve_release(s->model);
  ls_free(s->states);
  ls_free(s->parent);
  ls_free(s->level);
  ls_free(s->deadlocks);
  ls_buffer_release(s->packed);
  ls_buffer_release(s->parents);
  ls_free(s);
}

static bool has_label(const ls_dve_space *s, i64 label) { return label >= 0 && (u64)label < s->n; }

static void name_state(const ls_vertex_names *vertex_names, i64 label, char *out, size_t bytes) {
  ls_dve_space *s = (ls_dve_space *)vertex_names;
  if (!has_label(s, label) || ls_dve_space_fetch(s)) /* no such state, or the states can't be fetched */
    snprintf(out, bytes, "%lld", (long long)label);
  else
    ls_dve_state_text(s->model, ls_dve_state(s, (u64)label), out, bytes);
}

static bool name_move(const ls_vertex_names *vertex_names, i64 from, i64 to, u32 which, char *out,
                      size_t bytes) {
  ls_dve_space *s = (ls_dve_space *)vertex_names;
  return has_label(s, from) && has_label(s, to) && !ls_dve_space_fetch(s) &&
         ls_dve_move_text(s, (u64)from, (u64)to, which, out, bytes);
}

ls_status ls_dve_space_new(ls_dve *m, ls_dve_space **out) {
  ls_dve_space *s = ls_calloc(1, sizeof *s);
  if (!s) return LS_EMEM;
  s->vertex_names =
      (ls_vertex_names){1, name_state, name_move, destroy, ls_vertex_names_kind_find("dve\0\0\0\0"), 0};
  s->model = ls_dve_retain(m);
  s->error = LS_NO_VERTEX;
  *out = s;
  return LS_OK;
}

ls_dve_space *ls_dve_space_retain(ls_dve_space *s) {
  s->vertex_names.refs++;
  return s;
}

void ls_dve_space_release(ls_dve_space *s) {
  if (s && --s->vertex_names.refs == 0) destroy(&s->vertex_names);
}

ls_status ls_dve_space_fetch(ls_dve_space *s) {
  if (!s->packed) return LS_OK;
  const u64 words = ls_dve_words(s->model);
  u32 *states = ls_malloc(s->n * words * sizeof *states), *parent = ls_malloc(s->n * sizeof *parent);
  ls_status st = states && parent ? LS_OK : LS_EMEM;
  if (!st) st = ls_buffer_peek(s->packed, 0, s->n * words, states);
  if (!st) st = ls_buffer_peek(s->parents, 0, s->n, parent);
  if (st) {
    ls_free(states);
    ls_free(parent);
    return st;
  }
  s->states = states, s->parent = parent;
  ls_buffer_release(s->packed);
  ls_buffer_release(s->parents);
  s->packed = s->parents = NULL;
  return LS_OK;
}

ls_dve_space *ls_dve_space_of(const ls_graph *g) {
  return g->vertex_names && g->vertex_names->destroy == destroy ? (ls_dve_space *)g->vertex_names : NULL;
}

/* Puts the transition's position in the text before the message of dve_steps_from; returns st. */
static ls_status at_step(const ls_dve *m, ls_status st, u32 step) {
  if (st != LS_EINPUT || step == DVE_NONE) return st;
  const dve_place at = dve_place_of(&m->text, m->arcs[step]->at);
  return ls_fail_prefix(st, "%.*s:%u:%u: ", at.name_bytes, at.name, at.line, at.column);
}

ls_status dve_place_fault(const ls_dve *m, const u32 *state, ls_status st, u32 step) {
  char where[128], message[256];
  if (at_step(m, st, step) != LS_EINPUT || step == DVE_NONE) return st;
  ls_dve_state_text(m, state, where, sizeof where);
  snprintf(message, sizeof message, "%.110s", ls_error());
  return ls_fail(st, "%s, in the state %.120s", message, where);
}

void ls_dve_state_text(const ls_dve *m, const u32 *state, char *out, size_t bytes) {
  dve_out o = dve_out_to(out, bytes);
  dve_say_state(m, state, &o);
}

void ls_dve_change_text(const ls_dve *m, const u32 *before, const u32 *after, char *out, size_t bytes) {
  dve_out o = dve_out_to(out, bytes);
  dve_say_change(m, before, after, &o);
}

static u32 width_of(const ls_dve *m) { return m->program.synchronous ? m->program.processes : 3; }

void ls_dve_moves_text(const ls_dve *m, const u32 *moves, char *out, size_t bytes) {
  dve_out o = dve_out_to(out, bytes);
  dve_say_moves(m, moves, width_of(m), &o);
}

ls_status ls_dve_moves(const ls_dve *m, const u32 *state, ls_dve_steps **out) {
  u32 step;
  *out = ls_calloc(1, sizeof **out);
  if (!*out) return LS_EMEM;
  (*out)->want_moves = true;
  const ls_status st = dve_steps_from(&m->program, state, *out, &step);
  if (st) ls_dve_moves_free(*out);
  return at_step(m, st, step);
}

bool ls_dve_move_at(const ls_dve *m, const ls_dve_steps *s, u64 i, ls_dve_move *move) {
  if (i >= s->count) return false;
  *move = (ls_dve_move){s->states + i * m->program.words, m->program.costs ? s->cost[i] : 0,
                        m->program.times ? s->time[i] : 1, s->moves + i * s->width};
  return true;
}

void ls_dve_moves_free(ls_dve_steps *s) {
  dve_steps_free(s);
  ls_free(s);
}

ls_status ls_dve_fault(const ls_dve *m, const u32 *state) {
  dve_steps steps = {0};
  u32 step;
  const ls_status st = dve_steps_from(&m->program, state, &steps, &step);
  dve_steps_free(&steps);
  return dve_place_fault(m, state, st, step);
}

/* Describes step number `which` of those from a state to the state `to` (NULL: to the error state): by
 * dve_say_moves, or for the error state by dve_say_why. False if there is no such step, or no memory. */
static bool say_step(const ls_dve *m, const u32 *state, const u32 *to, u32 which, char *out, size_t bytes) {
  dve_out o = dve_out_to(out, bytes);
  ls_dve_steps *steps;
  ls_dve_move move;
  bool said = false;
  if (ls_dve_moves(m, state, &steps)) return false;
  for (u64 i = 0; !said && ls_dve_move_at(m, steps, i, &move); i++) {
    const bool is_it = to ? memcmp(move.state, to, m->program.words * sizeof *to) == 0
                          : dve_is_error(&m->program, move.state);
    if (!is_it || which-- > 0) continue;
    if (!to) {
      said = dve_say_why(m, state, move.moves, &o);
      break;
    }
    dve_say_moves(m, move.moves, steps->width, &o);
    said = true;
  }
  ls_dve_moves_free(steps);
  return said;
}

bool ls_dve_move_text(const ls_dve_space *s, u64 from, u64 to, u32 which, char *out, size_t bytes) {
  return say_step(s->model, ls_dve_state(s, from), ls_dve_state(s, to), which, out, bytes);
}

bool ls_dve_why(const ls_dve *m, const u32 *state, u32 which, char *out, size_t bytes) {
  return say_step(m, state, NULL, which, out, bytes);
}

/* --- parts of a state ----------------------------------------------------------------------------------- */

bool ls_dve_is_error(const ls_dve *m, const u32 *state) { return dve_is_error(&m->program, state); }

bool ls_dve_is_state(const ls_dve *m, const u32 *words) {
  const dve_program *p = &m->program;
  if (dve_is_error(p, words)) return true;
  for (u32 q = 0; q < p->processes; q++)
    if (dve_at(p, q, words) >= p->first_state[q + 1]) return false;
  for (u32 c = 0; c < m->channel_count; c++)
    if (m->channels[c].capacity && (u32)dve_get(words, m->channels[c].count) > m->channels[c].capacity)
      return false;
  return true;
}

i32 ls_dve_part_value(const ls_dve_part *p, u32 item, u32 field) {
  return dve_get(p->packed, dve_field_element(p->slots[field], item));
}

u32 ls_dve_part_at(const ls_dve *m, const u32 *state, u32 i, ls_dve_part *part) {
  u32 k = 0;
  for (u32 c = 0; c < m->channel_count; c++) {
    const dve_channel *ch = &m->channels[c];
    if (ch->capacity && k++ == i)
      *part = (ls_dve_part){.name = ch->name,
                            .list = true,
                            .count = (u32)dve_get(state, ch->count),
                            .fields = ch->fields,
                            .packed = state,
                            .slots = ch->slots};
  }
  for (u32 v = 0; v < m->variable_count; v++) {
    const dve_variable *x = &m->variables[v];
    if (!x->constant && k++ == i)
      *part = (ls_dve_part){.process = x->process == DVE_NONE ? NULL : m->processes[x->process].name,
                            .name = x->name,
                            .list = x->is_array,
                            .count = x->count,
                            .fields = 1,
                            .packed = state,
                            .slots = &x->field};
  }
  for (u32 q = 0; q < m->program.processes; q++) {
    const dve_process *p = &m->processes[q];
    if (k++ == i)
      *part = (ls_dve_part){.process = p->name,
                            .state = p->state[dve_at(&m->program, q, state) - m->program.first_state[q]]};
  }
  return k;
}

/* --- looking for states --------------------------------------------------------------------------------- */

enum { MANY = 1 << 16 }; /* states tested between two checks for an interrupt */

/* The first state for which holds(arg, state) is true. */
static ls_status first_state(const ls_dve_space *s, bool (*holds)(const void *, const u32 *), const void *arg,
                             u32 *v) {
  *v = LS_NO_VERTEX;
  for (u64 from = 0; from < s->n && *v == LS_NO_VERTEX; from += MANY) {
    const u64 end = s->n - from < MANY ? s->n : from + MANY;
    u32 first = LS_NO_VERTEX;
#pragma omp parallel for reduction(min : first) if (s->n > MANY)
    for (u64 i = from; i < end; i++)
      if (i < first && i != s->error && holds(arg, ls_dve_state(s, i))) first = (u32)i;
    *v = first;
    ls_progress("looking at states", from, s->n);
    if (ls_interrupted()) return ls_fail(LS_EINTERRUPTED, "interrupted");
  }
  return LS_OK;
}

typedef struct condition {
  const u32 *code;
  u32 begin;
} condition;

static bool is_true(const void *arg, const u32 *state) {
  const condition *c = arg;
  i32 x = 0;
  return dve_run(c->code, c->begin, state, (u32 *)state, &x) && x != 0; /* expressions store nothing */
}

ls_status ls_dve_find(ls_dve_space *s, const char *expr, u32 *v) {
  dve_arena arena = {0};
  dve_text t = {"expression", (char *)expr, (u32)strlen(expr)};
  dve_expr *e;
  u32 *code = NULL;
  condition c = {0};
  ls_status st = dve_parse_expr(&t, &arena, &e);
  if (!st) st = dve_compile_expr(s->model, &t, e, &code, &c.begin);
  c.code = code;
  if (!st) st = first_state(s, is_true, &c, v);
  ls_free(code);
  dve_arena_free(&arena);
  return st == LS_EINPUT ? ls_fail(LS_EARG, "%s", ls_error()) : st; /* the text is an argument, not a file */
}

/* The index of the first assertion that is false, or fails, in a state; claim_count if there is none. */
static u32 broken(const ls_dve *m, const u32 *state) {
  const dve_program *p = &m->program;
  for (u32 i = 0; i < m->claim_count; i++) {
    const dve_claim *c = &m->claims[i];
    i32 x = 0;
    if (dve_at(p, c->process, state) != p->first_state[c->process] + c->state) continue;
    if (!dve_run(p->code, c->code, state, (u32 *)state, &x) || !x) return i;
  }
  return m->claim_count;
}

static bool is_broken(const void *arg, const u32 *state) {
  const ls_dve *m = arg;
  return broken(m, state) < m->claim_count;
}

ls_status ls_dve_violation(ls_dve_space *s, u32 *v, char *out, size_t bytes) {
  const ls_dve *m = s->model;
  const ls_status st = first_state(s, is_broken, m, v);
  if (st || *v == LS_NO_VERTEX) return st;
  const dve_claim *c = &m->claims[broken(m, ls_dve_state(s, *v))];
  const dve_place at = dve_place_of(&m->text, c->expr->all.at);
  snprintf(out, bytes, "%.*s:%u:%u: %s.%s: %.*s", at.name_bytes, at.name, at.line, at.column,
           m->processes[c->process].name, m->processes[c->process].state[c->state], (int)c->expr->all.bytes,
           m->text.s + c->expr->all.at);
  return LS_OK;
}

void ls_dve_head(const ls_dve *m, char *out, size_t bytes) {
  dve_out o = {.text = out, .room = bytes};
  dve_say_head(m, &o);
}

ls_status ls_dve_model_text(const ls_dve *m, ls_text *out) {
  dve_out o = {NULL, 0, 0};
  dve_say_model(m, &o);
  o.room = o.bytes + 1;
  o.text = ls_malloc(o.room);
  if (!o.text) return LS_EMEM;
  o.bytes = 0;
  dve_say_model(m, &o);
  *out = (ls_text){o.text, o.bytes, o.room, false};
  return LS_OK;
}
