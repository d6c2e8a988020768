/* The bytecode of a model of differential equations in Lua: model.compile. The rest is written in Lua:
 * lua/ode/bytecode.lua. */
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "core/escape.h"
#include "lua/ode/l_bytecode.h"
#include "lua/ode/l_model_ode.h"
#include "ode/simulate.h"

#define TYPE "lockstep.code"

enum { QUICK_VALUES = 1 << 14 };

static ls_code *check_code(lua_State *L, int i) { return luaL_checkudata(L, i, TYPE); }
const ls_seen_code *ls_test_code(lua_State *L, int i) {
  const ls_seen_code *s = luaL_testudata(L, i, TYPE);
  return s && s->code.counts ? s : NULL;
}

static int collect(lua_State *L) {
  ls_code *c = check_code(L, 1);
  ls_ode *m = (ls_ode *)(uintptr_t)c->m;
  ls_code_free(c);
  ls_ode_release(m);
  return 0;
}

/* --- compiling --------------------------------------------------------------------------------------------
 */

typedef struct compiling {
  ls_ode *m;
  ls_code_options o;
  f64 start;
  ls_code *out;
} compiling;

static ls_status do_compile(void *arg) {
  compiling *a = arg;
  f64 *first = a->o.fold ? ls_malloc(a->m->count * sizeof *first) : NULL;
  ls_status st = LS_OK;
  if (a->o.fold) st = first ? ls_ode_first_values(a->m, a->start, first) : LS_EMEM;
  if (!st) st = ls_code_compile(a->m, first, &a->o, a->out);
  if (st) {
    ls_code_free(a->out);
    a->out->m = a->m; /* a->out still has a reference to the model */
  }
  ls_free(first);
  return st;
}

static bool flag(lua_State *L, const char *name) {
  const int type = lua_getfield(L, 2, name);
  if (type != LUA_TNIL && type != LUA_TBOOLEAN)
    luaL_error(L, "model.compile: %s must be true or false, not a %s", name, luaL_typename(L, -1));
  const bool yes = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return yes;
}

static ls_unify unify_field(lua_State *L) {
  static const char *const names[] = {"none", "warp", "phase", NULL};
  lua_getfield(L, 2, "unify");
  const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  ls_unify found = LS_UNIFY_NONE;
  if (name) {
    while (names[found] && strcmp(names[found], name) != 0) found++;
    if (!names[found]) luaL_error(L, "model.compile: unify = '%s': warp, phase or none expected", name);
  } else if (lua_toboolean(L, -1)) {
    luaL_error(L, "model.compile: unify must be \"warp\", \"phase\" or \"none\"");
  }
  lua_pop(L, 1);
  return found;
}

/* Sets a field of the table on top to a buffer with a copy of p. */
static void set_copied(lua_State *L, const char *name, ls_dtype type, u64 count, const void *p) {
  ls_buffer *b;
  const size_t bytes = count * ls_dtype_size(type);
  void *copy = ls_malloc(bytes);
  if (!copy) ls_raise(L, LS_EMEM);
  if (bytes) memcpy(copy, p, bytes); /* p may be NULL if count is 0 */
  ls_status st = ls_buffer_wrap(type, count, copy, NULL, &b);
  if (st) {
    ls_free(copy);
    ls_raise(L, st);
  }
  ls_push_buffer(L, b);
  lua_setfield(L, -2, name);
}

/* Sets the arguments of the kernels for events, assignments between steps, delays and random numbers; there
 * are no past samples yet. */
static void set_timed(lua_State *L, const ls_code *c) {
  static const u64 clock[LS_CLOCK_WORDS];
  u32 most = 0;
  for (u32 i = 0; i < c->events; i++) {
    const u32 count = c->event[i * LS_CODE_EVENT_WORDS + LS_CODE_COUNT];
    if (count > most) most = count;
  }
  bool instants;
  ls_status st = ls_ode_has_instants(c->m, &instants);
  if (st) ls_raise(L, st);
  lua_pushboolean(L, instants);
  lua_setfield(L, -2, "instants"); /* can a trigger be true only at one instant? */
  ls_set_integer(L, "events", c->events);
  ls_set_integer(L, "assigns", c->assigns);
  ls_set_integer(L, "delayed", c->delayed);
  ls_set_integer(L, "wide", 2 + most);
  ls_set_integer(L, "kept", 0);
  set_copied(L, "event", LS_U32, (u64)c->events * LS_CODE_EVENT_WORDS, c->event);
  set_copied(L, "assign", LS_U32, (u64)c->assigns * 2, c->assign);
  ls_set_integer(L, "jumps", c->jumps);
  ls_set_integer(L, "assigned", c->assigned);
  ls_set_integer(L, "early", c->early);
  set_copied(L, "jump", LS_U32, (u64)c->assigned * 2, c->jump);
  set_copied(L, "jump_first", LS_U32, LS_JUMP_PHASES + 1, c->first + c->phases + 1);
  set_copied(L, "past_of", LS_U32, c->delayed, c->past_of);
  set_copied(L, "clock", LS_U64, LS_CLOCK_WORDS, clock);
  set_copied(L, "past_time", LS_F64, 0, clock);
  set_copied(L, "past", LS_F64, 0, clock);
  lua_createtable(L, 0, 0); /* truths[i]: is the trigger of event i initially true? i from 0 */
  for (u32 i = 0; i < c->events; i++) {
    lua_pushinteger(L, c->m->events[i].initial_value);
    lua_rawseti(L, -2, i);
  }
  lua_setfield(L, -2, "truths");
  lua_pushboolean(L, c->events || c->delayed || c->random || c->assigned);
  lua_setfield(L, -2, "timed");
}

/* Makes sure that an array has at least one element. */
static ls_status at_least_one(void **p, u32 *count, size_t size) {
  if (*count) return LS_OK;
  void *one = ls_realloc(*p, size);
  if (!one) return LS_EMEM;
  memset(one, 0, size);
  *p = one;
  *count = 1;
  return LS_OK;
}

/* model.compile(m, {fold, sum, merge, reorder, redundant, unify, remap, start}) -> a table, by name, of
 * arguments for the kernels of kernels/ode; and `code`, whose methods return names and counts. */
static int compile(lua_State *L) {
  compiling a = {.m = ls_check_model(L, 1)};
  luaL_checktype(L, 2, LUA_TTABLE);
  a.o = (ls_code_options){.fold = flag(L, "fold"),
                          .sum = flag(L, "sum"),
                          .merge = flag(L, "merge"),
                          .reorder = flag(L, "reorder"),
                          .redundant = flag(L, "redundant"),
                          .unify = unify_field(L),
                          .remap = flag(L, "remap")};
  lua_getfield(L, 2, "start");
  a.start = luaL_optnumber(L, -1, 0);
  lua_settop(L, 2);
  ls_seen_code *s = lua_newuserdatauv(L, sizeof *s, 1);
  *s = (ls_seen_code){.code = {.m = ls_ode_retain(a.m)}};
  ls_code *c = a.out = &s->code;
  luaL_setmetatable(L, TYPE);
  ls_do(L, do_compile, &a, a.m->count < QUICK_VALUES);
  ls_status st = at_least_one((void **)&c->numbers, &c->constants, sizeof *c->numbers);
  if (!st) st = at_least_one((void **)&c->places, &c->operands, sizeof *c->places);
  if (st) return ls_raise(L, st);
  lua_createtable(L, 0, 24);
  ls_set_integer(L, "words", c->words);
  ls_set_integer(L, "threads", c->threads);
  ls_set_integer(L, "phases", c->phases);
  ls_set_integer(L, "constants", c->constants);
  ls_set_integer(L, "operands", c->operands);
  ls_set_integer(L, "vars", c->vars);
  ls_set_integer(L, "widest", c->widest);
  ls_set_integer(L, "stack", c->stack);
  set_copied(L, "index", LS_U32, c->threads, c->index);
  set_copied(L, "lane", LS_U32, c->threads, c->lane);
  set_copied(L, "unit", LS_U32, c->threads, c->unit);
  set_copied(L, "first", LS_U32, (u64)c->phases + 2, c->first);
  set_copied(L, "places", LS_U32, c->operands, c->places);
  set_copied(L, "codes", LS_U64, c->words, c->codes);
  set_copied(L, "numbers", LS_F64, c->constants, c->numbers);
  set_timed(L, c);
  lua_pushvalue(L, 3);
  lua_setfield(L, -2, "code");
  return 1;
}

/* --- methods of code --------------------------------------------------------------------------------- */

static int code_name(lua_State *L) {
  const ls_code *c = check_code(L, 1);
  const lua_Integer place = luaL_checkinteger(L, 2);
  char name[400], shown[400 * LS_ESCAPED_CHAR + 4];
  luaL_argcheck(L, place >= 0 && place < c->vars, 2, "a place of a variable expected");
  ls_code_place_name(c, (u32)place, name, sizeof name);
  ls_escaped(name, LS_ESCAPE_LINES, shown, sizeof shown);
  lua_pushstring(L, shown);
  return 1;
}

/* code:place(v): the place of the model's variable with number v, from 1. */
static int code_place(lua_State *L) {
  const ls_code *c = check_code(L, 1);
  const lua_Integer v = luaL_checkinteger(L, 2);
  luaL_argcheck(L, v >= 1 && v <= c->m->count, 2, "the number of a variable expected");
  lua_pushinteger(L, c->place[v - 1]);
  return 1;
}

/* code:count(phase) -> statistics of the phase's warps, by name. */
static int code_count(lua_State *L) {
  const ls_code *c = check_code(L, 1);
  const lua_Integer phase = luaL_checkinteger(L, 2);
  luaL_argcheck(L, phase >= 0 && phase < ls_code_phases(c), 2, "a phase expected");
  const ls_code_counts *x = &c->counts[phase];
  lua_createtable(L, 0, 10);
  ls_set_integer(L, "threads", x->threads);
  ls_set_integer(L, "redundant", x->redundant);
  ls_set_integer(L, "warps", x->warps);
  ls_set_integer(L, "kinds", x->kinds);
  ls_set_integer(L, "instructions", x->instructions);
  ls_set_integer(L, "steps", x->steps);
  ls_set_integer(L, "issued", x->issued);
  ls_set_integer(L, "divergent", x->divergent);
  ls_set_integer(L, "requests", x->requests);
  ls_set_integer(L, "sectors", x->sectors);
  return 1;
}

/* code:follows(step [, before]): records that the optimisation named `step` made this code from the code
 * `before`. */
static int code_follows(lua_State *L) {
  ls_seen_code *s = (ls_seen_code *)check_code(L, 1);
  const char *step = luaL_checkstring(L, 2);
  const ls_seen_code *before = lua_isnoneornil(L, 3) ? NULL : (const ls_seen_code *)check_code(L, 3);
  luaL_argcheck(L, !before || before->code.serial < s->code.serial, 3,
                "a code that was compiled before expected");
  snprintf(s->step, sizeof s->step, "%s", step);
  s->before = before;
  lua_settop(L, 3);
  lua_setiuservalue(L, 1, 1); /* keeps `before` alive */
  return 0;
}

/* code:put(first, start, x, cells [, cell]): copies the model's initial values, as m:first returns them, to
 * their places in x, for all cells or for one. */
static int code_put(lua_State *L) {
  const ls_code *c = check_code(L, 1);
  ls_buffer *first = ls_check_buffer(L, 2), *x = ls_check_buffer(L, 4);
  const f64 start = luaL_checknumber(L, 3);
  const lua_Integer cells = luaL_checkinteger(L, 5), cell = luaL_optinteger(L, 6, -1);
  if (first->type != LS_F64 || first->count != c->m->count)
    return luaL_error(L, "code:put: expected the initial values of this model, as m:first() returns them");
  if (cells < 1 || x->type != LS_F64 || x->count / (u64)cells != c->vars || x->count % (u64)cells)
    return luaL_error(L, "code:put: x must be f64 of %d values per cell", (int)c->vars);
  if (cell >= cells) return luaL_error(L, "code:put: the cell must be from 0 to %d", (int)cells - 1);
  const f64 *from = ls_buffer_read(first);
  f64 *to = from ? ls_buffer_update(x) : NULL;
  if (!to) return ls_raise(L, LS_EMEM);
  const u64 low = cell < 0 ? 0 : (u64)cell, high = cell < 0 ? (u64)cells : (u64)cell + 1;
  for (u32 v = 0; v < c->vars; v++) {
    const f64 value = v < c->m->count ? from[v] : v + 1 == c->vars ? start : 0;
    for (u64 k = low; k < high; k++) to[(u64)c->place[v] * (u64)cells + k] = value;
  }
  return 0;
}

/* --- where a simulation begins ---------------------------------------------------------------------------
 */

typedef struct beginning {
  const ls_code *c;
  f64 start, dt;
  u64 seed;
  ls_beginning out;
} beginning;

static ls_status do_begin(void *arg) {
  beginning *a = arg;
  return ls_ode_begin((ls_ode *)(uintptr_t)a->c->m, a->start, a->dt, a->seed, &a->out);
}

/* Copies the past samples; sorts their columns into the order in which the code numbers delayed variables. */
static ls_status past_in_order(const beginning *a, f64 *to) {
  const ls_beginning *b = &a->out;
  for (u32 k = 0; k < a->c->delayed; k++) {
    const u32 variable = a->c->at[a->c->past_of[k]];
    u32 column = 0;
    while (column < b->delayed && b->variable[column] != variable) column++;
    if (column == b->delayed) return ls_fail(LS_EINPUT, "the past values of a delayed variable are missing");
    for (u64 i = 0; i < b->samples; i++) to[i * a->c->delayed + k] = b->x[i * b->delayed + column];
  }
  return LS_OK;
}

/* code:begin(start, dt [, seed]) -> {first, clock, past_time, past}: initial values, and the past as samples.
 */
static int code_begin(lua_State *L) {
  beginning a = {.c = check_code(L, 1), .start = luaL_checknumber(L, 2), .dt = luaL_checknumber(L, 3)};
  a.seed = lua_isnoneornil(L, 4) ? a.c->m->seed : (u64)luaL_checkinteger(L, 4);
  ls_beginning *b = &a.out;
  ls_do(L, do_begin, &a, false);
  const u64 samples = a.c->delayed ? b->samples : 0;
  const u64 clock[LS_CLOCK_WORDS] = {[LS_CLOCK_BEFORE] = samples,
                                     [LS_CLOCK_SEED] = a.seed,
                                     [LS_CLOCK_DT] = ls_bits_of(a.dt),
                                     [LS_CLOCK_NEAREST] = a.c->m->nearest_samples,
                                     [LS_CLOCK_TIES] = ls_key(a.seed, LS_TERM_OPS_COUNT)};
  f64 *past = ls_malloc(samples * a.c->delayed * sizeof *past);
  ls_status st = past ? past_in_order(&a, past) : LS_EMEM;
  if (!st) {
    lua_createtable(L, 0, 4);
    set_copied(L, "first", LS_F64, a.c->m->count, b->value);
    set_copied(L, "clock", LS_U64, LS_CLOCK_WORDS, clock);
    set_copied(L, "past_time", LS_F64, samples, b->t);
    set_copied(L, "past", LS_F64, samples * a.c->delayed, past);
  }
  ls_free(past);
  ls_beginning_free(b);
  return st ? ls_raise(L, st) : 1;
}

/* code:event(i) -> the name of event i, counted from 0, and its line in the file. */
static int code_event(lua_State *L) {
  const ls_code *c = check_code(L, 1);
  const lua_Integer i = luaL_checkinteger(L, 2);
  luaL_argcheck(L, i >= 0 && i < c->events, 2, "the number of an event expected");
  lua_pushstring(L, c->m->events[i].name);
  lua_pushinteger(L, c->m->events[i].line);
  return 2;
}

static int code_ops(lua_State *L) {
  lua_createtable(L, LS_CODE_OPS, 0);
  for (int i = 0; i < LS_CODE_OPS; i++) {
    lua_pushstring(L, ls_code_name((ls_code_op)i));
    lua_rawseti(L, -2, i);
  }
  return 1;
}

void ls_open_bytecode(lua_State *L) {
  static const luaL_Reg metamethods[] = {{"__gc", collect}, {NULL, NULL}};
  static const luaL_Reg methods[] = {
      {"name", code_name},       {"place", code_place}, {"count", code_count}, {"put", code_put},
      {"follows", code_follows}, {"begin", code_begin}, {"event", code_event}, {NULL, NULL}};
  luaL_newmetatable(L, TYPE);
  luaL_setfuncs(L, metamethods, 0);
  luaL_newlib(L, methods);
  lua_setfield(L, -2, "__index");
  lua_getglobal(L, "model");
  lua_pushcfunction(L, compile);
  lua_setfield(L, -2, "compile");
  code_ops(L);
  lua_setfield(L, -2, "instructions");
  lua_settop(L, 0);
}
