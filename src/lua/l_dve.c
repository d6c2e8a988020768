/* DVE models and their state spaces as Lua sees them. What a person calls (explore, its result's methods,
 * walks) is written over this in lua/explore.lua. */
#include "lua/l_dve.h"

#include <string.h>

#include "core/mem.h"
#include "core/show.h"

#define MODEL "lockstep.dve"
#define SPACE "lockstep.dve.space"
enum { TEXT = 4096 }; /* bytes of a state or a step in words, at most */

static void push_shown(lua_State *L, const char *text) {
  char shown[TEXT];
  lua_pushstring(L, ls_shown(text, 0, shown, sizeof shown));
}

/* --- models --------------------------------------------------------------------------------------------- */

ls_dve **ls_push_dve(lua_State *L) {
  ls_dve **m = lua_newuserdatauv(L, sizeof *m, 0);
  *m = NULL;
  luaL_setmetatable(L, MODEL);
  return m;
}

static ls_dve *check_model(lua_State *L, int i) {
  ls_dve **m = luaL_testudata(L, i, MODEL);
  if (!m) luaL_typeerror(L, i, "DVE model");
  if (!*m) luaL_argerror(L, i, "the model is closed");
  return *m;
}

static int close_model(lua_State *L) {
  ls_dve **m = luaL_checkudata(L, 1, MODEL);
  ls_dve_release(*m);
  *m = NULL;
  return 0;
}

/* A string of a state's words, as dve.initial and dve.steps give them. */
static const u32 *check_state(lua_State *L, int i, const ls_dve *m) {
  size_t bytes;
  const char *s = luaL_checklstring(L, i, &bytes);
  if (bytes != ls_dve_words(m) * sizeof(u32)) luaL_argerror(L, i, "this is no state of the model");
  u32 *copy = lua_newuserdatauv(L, bytes, 0); /* aligned */
  memcpy(copy, s, bytes);
  if (!ls_dve_is_state(m, copy)) luaL_argerror(L, i, "this is no state of the model");
  return copy;
}

static void push_state(lua_State *L, const ls_dve *m, const u32 *state) {
  lua_pushlstring(L, (const char *)state, ls_dve_words(m) * sizeof *state);
}

/* dve.initial(m): the initial state, packed in a string. */
static int initial(lua_State *L) {
  const ls_dve *m = check_model(L, 1);
  push_state(L, m, ls_dve_initial(m));
  return 1;
}

/* Steps are copied before Lua, which may raise, sees them. */
typedef struct step {
  i64 cost, time;
} step;

typedef struct steps {
  const ls_dve *m;
  u32 *states;
  step *worth;
  char *texts; /* each with its 0 */
  size_t count, room, text_bytes, text_room;
  bool failed;
} steps;

static bool keep(void *arg, const ls_dve_move *move) {
  steps *s = arg;
  const size_t words = ls_dve_words(s->m);
  char text[TEXT];
  ls_dve_moves_text(s->m, move->moves, text, sizeof text);
  const size_t n = strlen(text) + 1;
  if (s->count == s->room) {
    const size_t room = 2 * s->room + 16;
    u32 *states = ls_realloc(s->states, room * words * sizeof *states);
    if (states) s->states = states;
    step *worth = ls_realloc(s->worth, room * sizeof *worth);
    if (worth) s->worth = worth;
    s->failed = !states || !worth;
    if (!s->failed) s->room = room;
  }
  if (!s->failed && s->text_bytes + n > s->text_room) {
    const size_t room = 2 * s->text_room + n;
    char *texts = ls_realloc(s->texts, room);
    if (texts) s->texts = texts, s->text_room = room;
    s->failed = !texts;
  }
  if (s->failed) return false;
  memcpy(s->states + s->count * words, move->state, words * sizeof *s->states);
  s->worth[s->count++] = (step){move->cost, move->time};
  memcpy(s->texts + s->text_bytes, text, n);
  s->text_bytes += n;
  return true;
}

static int push_steps(lua_State *L) {
  const steps *s = lua_touserdata(L, 1);
  const char *text = s->texts;
  lua_createtable(L, (int)s->count, 0);
  for (size_t i = 0; i < s->count; i++, text += strlen(text) + 1) {
    lua_createtable(L, 0, 4);
    push_state(L, s->m, s->states + i * ls_dve_words(s->m));
    lua_setfield(L, -2, "state");
    push_shown(L, text);
    lua_setfield(L, -2, "action");
    lua_pushinteger(L, s->worth[i].cost);
    lua_setfield(L, -2, "cost");
    lua_pushinteger(L, s->worth[i].time);
    lua_setfield(L, -2, "time");
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

/* dve.steps(m, state): the steps from it, a list of {state =, action =, cost =, time =}. */
static int list_steps(lua_State *L) {
  const ls_dve *m = check_model(L, 1);
  const u32 *state = check_state(L, 2, m);
  luaL_checkstack(L, 8, NULL);
  steps s = {.m = m};
  ls_status st = ls_dve_moves(m, state, keep, &s);
  if (!st && s.failed) st = LS_EMEM;
  int outcome = LUA_OK;
  if (!st) {
    lua_pushcfunction(L, push_steps);
    lua_pushlightuserdata(L, &s);
    outcome = lua_pcall(L, 1, 1, 0);
  }
  ls_free(s.states);
  ls_free(s.worth);
  ls_free(s.texts);
  if (st) return ls_raise(L, st);
  return outcome == LUA_OK ? 1 : lua_error(L);
}

/* dve.text(m, state) and dve.change(m, before, after): in words. */
static int state_text(lua_State *L) {
  const ls_dve *m = check_model(L, 1);
  char text[TEXT];
  ls_dve_state_text(m, check_state(L, 2, m), text, sizeof text);
  push_shown(L, text);
  return 1;
}

static int change_text(lua_State *L) {
  const ls_dve *m = check_model(L, 1);
  char text[TEXT];
  const u32 *before = check_state(L, 2, m), *after = check_state(L, 3, m);
  ls_dve_change_text(m, before, after, text, sizeof text);
  push_shown(L, text);
  return 1;
}

static void push_values(lua_State *L, const ls_dve_part *part, u32 item) {
  if (part->fields == 1) {
    lua_pushinteger(L, ls_dve_part_value(part, item, 0));
    return;
  }
  lua_createtable(L, (int)part->fields, 0);
  for (u32 k = 0; k < part->fields; k++) {
    lua_pushinteger(L, ls_dve_part_value(part, item, k));
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
}

/* dve.decode(m, state): {x = 1, a = {0, 2}, P = {state = "wait", j = 0}}; {error = true} */
static int decode(lua_State *L) {
  const ls_dve *m = check_model(L, 1);
  const u32 *state = check_state(L, 2, m);
  lua_newtable(L);
  const int top = lua_gettop(L);
  if (ls_dve_is_error(m, state)) {
    lua_pushboolean(L, true);
    lua_setfield(L, top, "error");
    return 1;
  }
  ls_dve_part part;
  for (u32 i = 0, n = 1; i < n; i++) {
    n = ls_dve_part_at(m, state, i, &part);
    if (i >= n) break;
    if (!part.process)
      lua_pushvalue(L, top);
    else if (lua_getfield(L, top, part.process) != LUA_TTABLE) {
      lua_newtable(L);
      lua_pushvalue(L, -1);
      lua_setfield(L, top, part.process);
    }
    if (!part.name) {
      lua_pushstring(L, part.state);
      lua_setfield(L, -2, "state");
    } else if (!part.list) {
      push_values(L, &part, 0);
      lua_setfield(L, -2, part.name);
    } else {
      lua_createtable(L, (int)part.count, 0);
      for (u32 k = 0; k < part.count; k++) {
        push_values(L, &part, k);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
      }
      lua_setfield(L, -2, part.name);
    }
    lua_settop(L, top);
  }
  return 1;
}

/* dve.is(x): is it a model? */
static int is_model(lua_State *L) {
  lua_pushboolean(L, luaL_testudata(L, 1, MODEL) != NULL);
  return 1;
}

static int push_text(lua_State *L) {
  lua_pushstring(L, lua_touserdata(L, 1));
  return 1;
}

/* dve.describe(m): the model in words. */
static int describe(lua_State *L) {
  const ls_dve *m = check_model(L, 1);
  char *text;
  const ls_status st = ls_dve_model_text(m, &text);
  if (st) return ls_raise(L, st);
  lua_pushcfunction(L, push_text);
  lua_pushlightuserdata(L, text);
  const int outcome = lua_pcall(L, 1, 1, 0);
  ls_free(text);
  return outcome == LUA_OK ? 1 : lua_error(L);
}

static int model_tostring(lua_State *L) {
  ls_dve **m = luaL_checkudata(L, 1, MODEL);
  char name[512];
  if (!*m)
    lua_pushliteral(L, "DVE model (closed)");
  else
    lua_pushfstring(L, "DVE model %s", ls_shown(ls_dve_name(*m), 0, name, sizeof name));
  return 1;
}

/* --- state spaces --------------------------------------------------------------------------------------- */

static ls_dve_space *check_space(lua_State *L, int i) {
  ls_dve_space **s = luaL_testudata(L, i, SPACE);
  if (!s) luaL_typeerror(L, i, "state space");
  if (!*s) luaL_argerror(L, i, "the state space is closed");
  return *s;
}

static int close_space(lua_State *L) {
  ls_dve_space **s = luaL_checkudata(L, 1, SPACE);
  ls_dve_space_release(*s);
  *s = NULL;
  return 0;
}

typedef struct exploring {
  ls_dve *m;
  ls_dve_bounds bounds;
  ls_dve_space *space;
  ls_graph *graph;
} exploring;

static ls_status do_explore(void *arg) {
  exploring *x = arg;
  return ls_dve_explore(x->m, &x->bounds, &x->space, &x->graph);
}

static int push_space(lua_State *L) {
  ls_dve_space **s = lua_newuserdatauv(L, sizeof *s, 0), **from = lua_touserdata(L, 1);
  *s = *from;
  luaL_setmetatable(L, SPACE);
  *from = NULL;
  return 1;
}

/* dve.explore(m, states, bytes, edges): a state space and its graph (nil without edges). 0: no bound. */
static int explore(lua_State *L) {
  exploring x = {.m = check_model(L, 1)};
  const lua_Integer states = luaL_checkinteger(L, 2), bytes = luaL_checkinteger(L, 3);
  luaL_argcheck(L, states >= 0, 2, "a number of states is not negative");
  luaL_argcheck(L, bytes >= 0, 3, "a number of bytes is not negative");
  x.bounds = (ls_dve_bounds){(u64)states, (u64)bytes, lua_toboolean(L, 4)};
  ls_dve **pinned = ls_push_dve(L); /* though a finalizer close it meanwhile */
  *pinned = ls_dve_retain(x.m);
  ls_do(L, do_explore, &x, false);
  lua_pushcfunction(L, push_space);
  lua_pushlightuserdata(L, &x.space);
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
    ls_dve_space_release(x.space);
    ls_graph_release(x.graph);
    return lua_error(L);
  }
  const ls_dve_space *s = check_space(L, -1);
  if (x.graph)
    ls_push_graph(L, x.graph);
  else
    lua_pushnil(L);
  ls_tell_collector(L, s->n * (ls_dve_words(s->model) + 1) * 4);
  return 2;
}

static u32 check_vertex(lua_State *L, int i, const ls_dve_space *s) {
  const lua_Integer v = luaL_checkinteger(L, i);
  if (v < 0 || (u64)v >= s->n)
    luaL_error(L, "state %I is not below the number of states, %I", (LUAI_UACINT)v, (LUAI_UACINT)s->n);
  return (u32)v;
}

static void set_integer(lua_State *L, const char *name, u64 x) {
  lua_pushinteger(L, (lua_Integer)x);
  lua_setfield(L, -2, name);
}

/* space:numbers() */
static int space_numbers(lua_State *L) {
  static const char *const ends[] = {"complete", "states", "memory", "edges"};
  const ls_dve_space *s = check_space(L, 1);
  lua_createtable(L, 0, 9);
  set_integer(L, "states", s->n);
  set_integer(L, "transitions", s->m);
  set_integer(L, "expanded", s->expanded);
  set_integer(L, "levels", s->levels);
  set_integer(L, "deadlocks", s->deadlock_count);
  set_integer(L, "errors", s->errors);
  set_integer(L, "bytes", s->bytes);
  set_integer(L, "words", ls_dve_words(s->model));
  if (s->error != LS_NO_VERTEX) set_integer(L, "error", s->error);
  lua_pushstring(L, ends[s->end]);
  lua_setfield(L, -2, "stopped");
  return 1;
}

static int push_list(lua_State *L, const u32 *list, u64 count) {
  ls_buffer *b;
  const ls_status st = ls_buffer_new(LS_U32, count, 0, &b);
  if (st) return ls_raise(L, st);
  u32 *to = ls_buffer_overwrite(b);
  if (to && count) memcpy(to, list, count * sizeof *to);
  ls_push_buffer(L, b);
  return to ? 1 : ls_raise(L, LS_EMEM);
}

/* space:levels(): where each level begins, and the number of states behind. */
static int space_levels(lua_State *L) {
  const ls_dve_space *s = check_space(L, 1);
  return push_list(L, s->level, s->levels + 1ull);
}

static int space_deadlocks(lua_State *L) {
  const ls_dve_space *s = check_space(L, 1);
  return push_list(L, s->deadlocks, s->deadlock_count);
}

/* space:packed(v) */
static int space_packed(lua_State *L) {
  const ls_dve_space *s = check_space(L, 1);
  push_state(L, s->model, ls_dve_state(s, check_vertex(L, 2, s)));
  return 1;
}

/* space:parent(v): nil of state 0 */
static int space_parent(lua_State *L) {
  const ls_dve_space *s = check_space(L, 1);
  const u32 parent = s->parent[check_vertex(L, 2, s)];
  if (parent == LS_NO_VERTEX)
    lua_pushnil(L);
  else
    lua_pushinteger(L, parent);
  return 1;
}

/* space:move(from, to, which) */
static int space_move(lua_State *L) {
  const ls_dve_space *s = check_space(L, 1);
  char text[TEXT];
  const lua_Integer which = luaL_optinteger(L, 4, 0);
  const u32 from = check_vertex(L, 2, s), to = check_vertex(L, 3, s);
  if (which >= 0 && which < UINT32_MAX && ls_dve_move_text(s, from, to, (u32)which, text, sizeof text))
    push_shown(L, text);
  else
    lua_pushnil(L);
  return 1;
}

/* space:accepts(v) */
static int space_accepts(lua_State *L) {
  const ls_dve_space *s = check_space(L, 1);
  lua_pushboolean(L, ls_dve_accepts(s->model, ls_dve_state(s, check_vertex(L, 2, s))));
  return 1;
}

typedef struct finding {
  ls_dve_space *s;
  const char *expr;
  u32 v;
  char text[TEXT];
} finding;

static ls_status do_find(void *arg) {
  finding *f = arg;
  return ls_dve_find(f->s, f->expr, &f->v);
}

static ls_status do_violation(void *arg) {
  finding *f = arg;
  return ls_dve_violation(f->s, &f->v, f->text, sizeof f->text);
}

/* Pushes what keeps the space alive. */
static ls_dve_space *pin(lua_State *L, int i) {
  ls_dve_space *s = ls_dve_space_retain(check_space(L, i));
  lua_pushcfunction(L, push_space);
  lua_pushlightuserdata(L, &s);
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
    ls_dve_space_release(s);
    lua_error(L);
  }
  return check_space(L, -1);
}

/* space:find(expr): the first state in which it holds, or nil */
static int space_find(lua_State *L) {
  finding f = {.expr = luaL_checkstring(L, 2)};
  f.s = pin(L, 1);
  ls_do(L, do_find, &f, f.s->n < 1 << 16);
  if (f.v == LS_NO_VERTEX)
    lua_pushnil(L);
  else
    lua_pushinteger(L, f.v);
  return 1;
}

/* space:violation(): the first state in which an assertion does not hold, and that assertion; or nil */
static int space_violation(lua_State *L) {
  finding f = {.s = pin(L, 1)};
  ls_do(L, do_violation, &f, f.s->n < 1 << 16);
  if (f.v == LS_NO_VERTEX) return 0;
  lua_pushinteger(L, f.v);
  push_shown(L, f.text);
  return 2;
}

typedef struct lasso {
  ls_dve_space *s;
  ls_graph *g;
  u32 v;
  ls_buffer *cycle;
} lasso;

static ls_status do_lasso(void *arg) {
  lasso *l = arg;
  return ls_dve_lasso(l->s, l->g, &l->v, &l->cycle);
}

/* Not a graph that was derived from it. */
static bool is_own(const ls_dve_space *s, const ls_graph *g) {
  return ls_dve_space_of(g) == s && g->n == s->n && g->m == s->m && !g->ids && !g->reversed;
}

/* space:lasso(graph): an accepting state on a cycle and the cycle's edges; nothing where there is none */
static int space_lasso(lua_State *L) {
  lasso l = {.g = ls_pin_graph(L, 2)};
  l.s = pin(L, 1);
  if (!is_own(l.s, l.g)) return luaL_error(L, "the graph is not the one of this state space");
  ls_do(L, do_lasso, &l, l.g->m < 1 << 18);
  if (l.v == LS_NO_VERTEX) return 0;
  ls_push_buffer(L, l.cycle);
  lua_pushinteger(L, l.v);
  lua_insert(L, -2);
  return 2;
}

static ls_status do_check(void *arg) {
  const lasso *l = arg;
  return ls_dve_check(l->s, l->g);
}

/* space:check(graph or nil): raises where the space is not the model's */
static int space_check(lua_State *L) {
  lasso l = {.g = lua_isnoneornil(L, 2) ? NULL : ls_pin_graph(L, 2)};
  l.s = pin(L, 1);
  if (l.g && !is_own(l.s, l.g)) return luaL_error(L, "the graph is not the one of this state space");
  ls_do(L, do_check, &l, l.s->m < 1 << 16);
  return 0;
}

static const luaL_Reg space_methods[] = {
    {"check", space_check},   {"lasso", space_lasso},         {"numbers", space_numbers},
    {"levels", space_levels}, {"deadlocks", space_deadlocks}, {"packed", space_packed},
    {"parent", space_parent}, {"move", space_move},           {"accepts", space_accepts},
    {"find", space_find},     {"violation", space_violation}, {NULL, NULL},
};

static const luaL_Reg functions[] = {
    {"explore", explore},   {"decode", decode},   {"initial", initial},
    {"steps", list_steps},  {"text", state_text}, {"change", change_text},
    {"describe", describe}, {"is", is_model},     {NULL, NULL},
};

void ls_open_dve(lua_State *L) {
  luaL_newmetatable(L, MODEL);
  lua_pushcfunction(L, close_model);
  lua_setfield(L, -2, "__gc");
  lua_pushcfunction(L, close_model);
  lua_setfield(L, -2, "__close");
  lua_pushcfunction(L, model_tostring);
  lua_setfield(L, -2, "__tostring");
  lua_newtable(L); /* lua/explore.lua adds the methods */
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__index");
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__methods");
  luaL_newlib(L, functions);
  lua_insert(L, -2);
  lua_setfield(L, -2, "methods");
  lua_setglobal(L, "dve");
  lua_pop(L, 1);
  luaL_newmetatable(L, SPACE);
  lua_pushcfunction(L, close_space);
  lua_setfield(L, -2, "__gc");
  luaL_newlib(L, space_methods);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__index");
  lua_setfield(L, -2, "__methods");
  lua_pop(L, 1);
}
