/* What lua/dve/levels.lua needs in addition to the kernels of kernels/dve: a model's program, and a state
 * space made from the results of these kernels. */
#include "core/mem.h"
#include "lua/dve/l_dve.h"
#include "run/launch/row.h"

/* dve.program(m): the model's program in the form that the kernels read, a u32 buffer. */
static int program(lua_State *L) {
  u32 *words;
  u64 count;
  ls_buffer *b;
  ls_status st = ls_dve_flat(ls_check_dve(L, 1), &words, &count);
  if (!st && (st = ls_buffer_wrap(LS_U32, count, words, NULL, &b))) ls_free(words);
  if (st) return ls_raise(L, st);
  b->read_only = true;
  ls_buffer_knows(b, LS_CONTRACT_dve_program, 1);
  ls_push_buffer(L, b);
  return 1;
}

/* dve.worth(m): 1 if the model has costs, else 0; then the same for times. */
static int worth(lua_State *L) {
  bool costs, times;
  ls_dve_worth(ls_check_dve(L, 1), &costs, &times);
  lua_pushinteger(L, costs);
  lua_pushinteger(L, times);
  return 2;
}

/* parts.most_steps(m): an upper bound on the number of steps from a state. */
static int most_steps(lua_State *L) {
  u32 most;
  const ls_status st = ls_dve_most_steps(ls_check_dve(L, 1), &most);
  if (st) return ls_raise(L, st);
  lua_pushinteger(L, most);
  return 1;
}

/* parts.space(m): an empty state space, to be filled. */
static int new_space(lua_State *L) {
  ls_dve_space *s;
  const ls_status st = ls_dve_space_new(ls_check_dve(L, 1), &s);
  if (st) return ls_raise(L, st);
  ls_push_dve_space(L, s);
  return 1;
}

/* parts.add_deadlocks(space, queue, end) */
static int add_deadlocks(lua_State *L) {
  ls_dve_space *s = ls_check_dve_space(L, 1);
  ls_buffer *queue = ls_check_buffer(L, 2);
  const lua_Integer end = luaL_checkinteger(L, 3);
  luaL_argcheck(L, queue->type == LS_U32 && queue->count > 0, 2, "expected a queue of u32");
  luaL_argcheck(L, end >= 0 && end <= UINT32_MAX, 3, "expected a number of states");
  const ls_status st = ls_dve_space_add_deadlocks(s, queue, (u32)end);
  return st ? ls_raise(L, st) : 0;
}

static u64 number_in(lua_State *L, int table, const char *name, u64 most) {
  lua_getfield(L, table, name);
  int exact;
  const lua_Integer x = lua_tointegerx(L, -1, &exact);
  if (!exact || x < 0 || (u64)x > most) luaL_error(L, "fill: '%s' is not a whole number in its range", name);
  lua_pop(L, 1);
  return (u64)x;
}

/* parts.fill(space, states, parent, levels, {states =, transitions =, expanded =, errors =, error =, bytes =,
 * stopped =}) */
static int fill(lua_State *L) {
  static const char *const ends[] = {"complete", "states", "memory", "edges", "interrupted", NULL};
  ls_dve_space *s = ls_check_dve_space(L, 1), of = {0};
  ls_buffer *states = ls_check_buffer(L, 2), *parents = ls_check_buffer(L, 3), *level = ls_check_buffer(L, 4);
  luaL_checktype(L, 5, LUA_TTABLE);
  of.n = number_in(L, 5, "states", LS_MAX_VERTICES);
  of.m = number_in(L, 5, "transitions", INT64_MAX);
  of.expanded = number_in(L, 5, "expanded", of.n);
  of.errors = number_in(L, 5, "errors", INT64_MAX);
  of.error = (u32)number_in(L, 5, "error", LS_NO_VERTEX);
  of.bytes = number_in(L, 5, "bytes", INT64_MAX);
  lua_getfield(L, 5, "stopped");
  of.end = (ls_dve_end)luaL_checkoption(L, -1, NULL, ends);
  luaL_argcheck(L, states->type == LS_U32 && states->count / ls_dve_words(s->model) >= of.n, 2,
                "too few states");
  luaL_argcheck(L, parents->type == LS_U32 && parents->count >= of.n, 3, "too few parents");
  luaL_argcheck(L, level->type == LS_U32 && level->count > 0 && level->count <= UINT32_MAX, 4, "no levels");
  const u32 *begins = ls_buffer_read(level);
  if (!begins) return ls_raise(L, LS_EMEM);
  const ls_status st = ls_dve_space_fill(s, &of, states, parents, begins, (u32)level->count - 1);
  return st ? ls_raise(L, st) : 0;
}

static ls_buffer *graph_array(lua_State *L, int i, ls_dtype type, u64 count) {
  if (lua_isnoneornil(L, i)) return NULL;
  ls_buffer *b = ls_check_buffer(L, i);
  luaL_argcheck(L, b->type == type && b->count == count, i, "another type or size");
  return b;
}

/* parts.make_graph(space, off, to, w or nil, t or nil): the graph of the space, from buffers that must not be
 * written any more. */
static int make_graph(lua_State *L) {
  ls_dve_space *s = ls_check_dve_space(L, 1);
  ls_graph *g;
  ls_check_buffer(L, 2), ls_check_buffer(L, 3);
  ls_buffer *const arrays[4] = {graph_array(L, 2, LS_U32, s->n + 1), graph_array(L, 3, LS_U32, s->m),
                                graph_array(L, 4, LS_I32, s->m), graph_array(L, 5, LS_I32, s->m)};
  const ls_status st = ls_dve_space_graph(s, arrays, &g);
  if (st) return ls_raise(L, st);
  ls_push_graph(L, g);
  return 1;
}

/* dve.fault(m, state): raises the error of a faulty step from that state. */
static int fault(lua_State *L) {
  const ls_dve *m = ls_check_dve(L, 1);
  const ls_status st = ls_dve_fault(m, ls_check_dve_state(L, 2, m));
  return st ? ls_raise(L, st) : 0;
}

static const luaL_Reg functions[] = {{"program", program}, {"worth", worth}, {"fault", fault}, {NULL, NULL}};

/* These functions do not check states, levels and edges, which come from the kernels. Only lua/dve/levels.lua
 * and lua/dve/levels_ranks.lua use them; the latter removes them from dve. */
static const luaL_Reg parts[] = {{"most_steps", most_steps},       {"space", new_space},
                                 {"add_deadlocks", add_deadlocks}, {"fill", fill},
                                 {"make_graph", make_graph},       {NULL, NULL}};

void ls_open_dve_levels(lua_State *L) {
  lua_getglobal(L, "dve");
  luaL_setfuncs(L, functions, 0);
  luaL_newlib(L, parts);
  lua_setfield(L, -2, "parts");
  lua_pop(L, 1);
}
