/* State spaces of DVE models in Lua. */
#include <string.h>

#include "core/mem.h"
#include "lua/dve/l_dve.h"
#include "session/session.h"

ls_dve_space *ls_check_dve_space(lua_State *L, int i) {
  ls_dve_space **s = luaL_testudata(L, i, LS_DVE_SPACE);
  if (!s) luaL_typeerror(L, i, "state space");
  if (!*s) luaL_argerror(L, i, "the state space is closed");
  return *s;
}

/* As ls_check_dve_space, and fetches the states to the host. */
static ls_dve_space *check_states(lua_State *L, int i) {
  ls_dve_space *s = ls_check_dve_space(L, i);
  const ls_status st = ls_dve_space_fetch(s);
  if (st) ls_raise(L, st);
  return s;
}

static int close_space(lua_State *L) {
  ls_dve_space **s = luaL_checkudata(L, 1, LS_DVE_SPACE);
  ls_dve_space_release(*s);
  *s = NULL;
  return 0;
}

static int space_text(lua_State *L) {
  ls_dve_space **s = luaL_checkudata(L, 1, LS_DVE_SPACE);
  if (*s)
    lua_pushfstring(L, "state space of %I states", (LUAI_UACINT)(*s)->n);
  else
    lua_pushliteral(L, "state space (closed)");
  return 1;
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

/* Pushes a userdata without a space; returns the address at which the caller then stores its space. */
static ls_dve_space **push_place(lua_State *L) {
  ls_dve_space **s = lua_newuserdatauv(L, sizeof *s, 0);
  *s = NULL;
  luaL_setmetatable(L, LS_DVE_SPACE);
  return s;
}

static int push_space(lua_State *L) {
  *push_place(L) = lua_touserdata(L, 1);
  return 1;
}

void ls_push_dve_space(lua_State *L, ls_dve_space *s) {
  lua_pushcfunction(L, push_space);
  lua_pushlightuserdata(L, s);
  if (lua_pcall(L, 1, 1, 0) == LUA_OK) return;
  ls_dve_space_release(s);
  lua_error(L);
}

/* dve.explore(m, states, bytes, edges, maker): a state space and, if `edges`, its graph, else nil.
 * `states` and `bytes` are limits, 0 means no limit; `maker` is from dve.compile, or nil. Ctrl-C ends the
 * search early if session.keep() is in force, and is an error otherwise. */
static int explore(lua_State *L) {
  exploring x = {.m = ls_check_dve(L, 1)};
  const lua_Integer states = luaL_checkinteger(L, 2), bytes = luaL_checkinteger(L, 3);
  luaL_argcheck(L, states >= 0, 2, "a number of states must not be negative");
  luaL_argcheck(L, bytes >= 0, 3, "a number of bytes must not be negative");
  x.bounds = (ls_dve_bounds){(u64)states, (u64)bytes, lua_toboolean(L, 4), ls_check_dve_maker(L, 5, x.m)};
  ls_dve **pinned = ls_push_dve(L); /* keeps the model even if a finalizer closes it meanwhile */
  *pinned = ls_dve_retain(x.m);
  ls_dve_space **place = push_place(L);
  ls_do(L, do_explore, &x, false);
  const ls_dve_space *s = *place = x.space;
  if (s->end == LS_DVE_INTERRUPTED && !ls_session_interrupted(L)) { /* session.keep() is not in force */
    ls_graph_release(x.graph);
    return ls_raise(
        L, ls_fail(LS_EINTERRUPTED, "explore: interrupted at %llu states", (unsigned long long)s->n));
  }
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

/* space:numbers() */
static int space_numbers(lua_State *L) {
  static const char *const ends[] = {"complete", "states", "memory", "edges", "interrupted"};
  const ls_dve_space *s = ls_check_dve_space(L, 1);
  lua_createtable(L, 0, 9);
  ls_set_integer(L, "states", s->n);
  ls_set_integer(L, "transitions", s->m);
  ls_set_integer(L, "expanded", s->expanded);
  ls_set_integer(L, "levels", s->levels);
  ls_set_integer(L, "deadlocks", s->deadlock_count);
  ls_set_integer(L, "errors", s->errors);
  ls_set_integer(L, "bytes", s->bytes);
  ls_set_integer(L, "words", ls_dve_words(s->model));
  if (s->error != LS_NO_VERTEX) ls_set_integer(L, "error", s->error);
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

/* space:levels(): the first state of each level, and at the end the number of states. */
static int space_levels(lua_State *L) {
  const ls_dve_space *s = ls_check_dve_space(L, 1);
  return push_list(L, s->level, s->levels + 1ull);
}

static int space_deadlocks(lua_State *L) {
  const ls_dve_space *s = ls_check_dve_space(L, 1);
  return push_list(L, s->deadlocks, s->deadlock_count);
}

/* space:packed(v) */
static int space_packed(lua_State *L) {
  const ls_dve_space *s = check_states(L, 1);
  ls_push_dve_state(L, s->model, ls_dve_state(s, check_vertex(L, 2, s)));
  return 1;
}

/* space:parent(v): nil for state 0 */
static int space_parent(lua_State *L) {
  const ls_dve_space *s = check_states(L, 1);
  const u32 parent = s->parent[check_vertex(L, 2, s)];
  if (parent == LS_NO_VERTEX)
    lua_pushnil(L);
  else
    lua_pushinteger(L, parent);
  return 1;
}

/* space:move(from, to, which) */
static int space_move(lua_State *L) {
  const ls_dve_space *s = check_states(L, 1);
  char text[LS_DVE_TEXT];
  const lua_Integer which = luaL_optinteger(L, 4, 0);
  const u32 from = check_vertex(L, 2, s), to = check_vertex(L, 3, s);
  if (which >= 0 && which < UINT32_MAX && ls_dve_move_text(s, from, to, (u32)which, text, sizeof text))
    ls_push_dve_text(L, text);
  else
    lua_pushnil(L);
  return 1;
}

/* space:accepts(v) */
static int space_accepts(lua_State *L) {
  const ls_dve_space *s = check_states(L, 1);
  lua_pushboolean(L, ls_dve_accepts(s->model, ls_dve_state(s, check_vertex(L, 2, s))));
  return 1;
}

typedef struct finding {
  ls_dve_space *s;
  const char *expr;
  u32 v;
  char text[LS_DVE_TEXT];
} finding;

static ls_status do_find(void *arg) {
  finding *f = arg;
  return ls_dve_find(f->s, f->expr, &f->v);
}

static ls_status do_violation(void *arg) {
  finding *f = arg;
  return ls_dve_violation(f->s, &f->v, f->text, sizeof f->text);
}

/* Pushes a reference that keeps the space alive. */
static ls_dve_space *pin(lua_State *L, int i) {
  ls_push_dve_space(L, ls_dve_space_retain(check_states(L, i)));
  return ls_check_dve_space(L, -1);
}

/* space:find(expr): the first state in which the expression is true, or nil */
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
  ls_push_dve_text(L, f.text);
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

/* Is g the space's own graph, and not one derived from it? */
static bool is_own(const ls_dve_space *s, const ls_graph *g) {
  return ls_dve_space_of(g) == s && g->n == s->n && g->m == s->m && !g->ids && !g->reversed;
}

/* space:lasso(graph): an accepting state on a cycle and the cycle's edges; nothing if there is none */
static int space_lasso(lua_State *L) {
  lasso l = {.g = ls_pin_graph(L, 2)};
  l.s = pin(L, 1);
  if (!is_own(l.s, l.g)) return luaL_error(L, "expected this state space's own graph");
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

/* space:check(graph or nil): raises if the space, or the graph, does not agree with the model */
static int space_check(lua_State *L) {
  lasso l = {.g = lua_isnoneornil(L, 2) ? NULL : ls_pin_graph(L, 2)};
  l.s = pin(L, 1);
  if (l.g && !is_own(l.s, l.g)) return luaL_error(L, "expected this state space's own graph");
  ls_do(L, do_check, &l, l.s->m < 1 << 16);
  return 0;
}

static const luaL_Reg space_methods[] = {
    {"check", space_check},   {"lasso", space_lasso},         {"numbers", space_numbers},
    {"levels", space_levels}, {"deadlocks", space_deadlocks}, {"packed", space_packed},
    {"parent", space_parent}, {"move", space_move},           {"accepts", space_accepts},
    {"find", space_find},     {"violation", space_violation}, {NULL, NULL},
};

static const luaL_Reg functions[] = {{"explore", explore}, {NULL, NULL}};

void ls_open_dve_spaces(lua_State *L) {
  ls_vertex_names_kind_register(&ls_dve_names);
  ls_vertex_names_kind_register(&ls_dve_automaton_names);
  lua_getglobal(L, "dve");
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
  luaL_newmetatable(L, LS_DVE_SPACE);
  luaL_setfuncs(L, (const luaL_Reg[]){{"__gc", close_space}, {"__tostring", space_text}, {NULL, NULL}}, 0);
  luaL_newlib(L, space_methods);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__index");
  lua_setfield(L, -2, "__methods");
  lua_pop(L, 1);
}
