/* gen.clients{...}: reads scenarios.
 *
 *   gen.clients{
 *     {name = "editor", count = 3,
 *      {"open", 2}, {"edit", 1}, {"save", 5, server = true}, {"saved", 1, server = true}},
 *     {name = "reader", count = 2,
 *      {"ask", 1, server = true}, {"answer", 4, server = true}, {"read", 2}},
 *   }
 *
 * An action is {name, cost [, time = 1] [, server = true]}; the key server = false next to the
 * scenarios has the effect that every server = true is ignored. */
#include <string.h>

#include "core/nearest.h"
#include "gen/clients.h"
#include "lua/graph/l_gen.h"

typedef struct request {
  const ls_scenario *scenarios;
  u32 count;
  bool server;
  ls_graph *out;
} request;

/* Raises if the table on top has a string key that is not one of `names`. */
static void check_keys(lua_State *L, const char *what, const char *const *names, size_t count) {
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    if (lua_isinteger(L, -1)) continue;
    const char *key = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : luaL_typename(L, -1);
    bool known = false;
    for (size_t i = 0; i < count; i++) known = known || strcmp(names[i], key) == 0;
    const char *near = ls_nearest(key, names, count);
    if (!known && near)
      luaL_error(L, "gen.clients: unknown key '%s' in %s (did you mean %s?)", key, what, near);
    if (!known) luaL_error(L, "gen.clients: unknown key '%s' in %s", key, what);
  }
}

/* Reads the action on top of the stack; returns whether it has a time. The argument of gen.clients keeps the
 * action's name alive. */
static bool read_action(lua_State *L, const char *scenario, u32 nr, ls_action *a) {
  static const char *const keys[] = {"server", "time"};
  if (!lua_istable(L, -1))
    luaL_error(L, "gen.clients: %s: action %d: a table {name, cost} expected, got %s", scenario, (int)nr,
               luaL_typename(L, -1));
  check_keys(L, "an action", keys, 2);
  if (lua_rawgeti(L, -1, 1) != LUA_TSTRING)
    luaL_error(L, "gen.clients: %s: action %d: its name must be a string, not a %s", scenario, (int)nr,
               luaL_typename(L, -1));
  a->name = lua_tostring(L, -1);
  lua_rawgeti(L, -2, 2);
  if (!ls_is_whole(L, -1))
    luaL_error(L, "gen.clients: %s: %s: its cost must be a whole number", scenario, a->name);
  lua_Integer cost = lua_tointeger(L, -1);
  if (cost < INT32_MIN || cost > INT32_MAX)
    luaL_error(L, "gen.clients: %s: %s: a cost of %I does not fit i32", scenario, a->name, (LUAI_UACINT)cost);
  a->cost = (i32)cost;
  lua_getfield(L, -3, "server");
  a->server = lua_toboolean(L, -1);
  if (lua_rawgeti(L, -4, 3) != LUA_TNIL)
    luaL_error(L, "gen.clients: %s: %s: unexpected third value (write time = 1 or server = true)", scenario,
               a->name);
  const bool timed = lua_getfield(L, -5, "time") != LUA_TNIL;
  const lua_Integer time = timed ? lua_tointeger(L, -1) : 1;
  if (timed && (!ls_is_whole(L, -1) || time < 0 || time > INT32_MAX))
    luaL_error(L, "gen.clients: %s: %s: its time must be a whole number from 0 to 2^31 - 1", scenario,
               a->name);
  a->time = (i32)time;
  lua_pop(L, 5);
  return timed;
}

/* Reads the scenario on top of the stack. Its actions are in a userdata that stays on the stack below it. */
static void read_scenario(lua_State *L, u32 nr, ls_scenario *s) {
  static const char *const keys[] = {"name", "count"};
  if (!lua_istable(L, -1))
    luaL_error(L, "gen.clients: scenario %d: a table expected, got %s", (int)nr, luaL_typename(L, -1));
  check_keys(L, "a scenario", keys, 2);
  int type = lua_getfield(L, -1, "name");
  if (type == LUA_TSTRING)
    s->name = lua_tostring(L, -1);
  else if (type == LUA_TNIL)
    s->name = "client";
  else
    luaL_error(L, "gen.clients: scenario %d: its name must be a string, not a %s", (int)nr,
               luaL_typename(L, -1));
  type = lua_getfield(L, -2, "count");
  lua_Integer count = type == LUA_TNIL ? 1 : lua_tointeger(L, -1);
  if ((type != LUA_TNIL && !ls_is_whole(L, -1)) || count < 0 || count > 64)
    luaL_error(L, "gen.clients: %s: count must be a whole number between 0 and 64", s->name);
  s->count = (u32)count;
  lua_pop(L, 2);
  lua_Unsigned length = lua_rawlen(L, -1);
  if (length > 1 << 20) luaL_error(L, "gen.clients: %s has too many actions", s->name);
  s->length = (u32)length;
  s->timed = false;
  ls_action *actions = lua_newuserdatauv(L, length * sizeof *actions + 1, 0);
  lua_insert(L, -2);
  for (u32 i = 1; i <= length; i++) {
    lua_rawgeti(L, -1, i);
    if (read_action(L, s->name, i, &actions[i - 1])) s->timed = true;
    lua_pop(L, 1);
  }
  s->actions = actions;
}

static ls_status make(void *arg) {
  request *r = arg;
  return ls_gen_clients(r->scenarios, r->count, r->server, &r->out);
}

int ls_gen_clients_call(lua_State *L) {
  static const char *const keys[] = {"server"};
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  check_keys(L, "the list of scenarios", keys, 1);
  lua_Unsigned count = lua_rawlen(L, 1);
  if (count > 64)
    return luaL_error(L, "gen.clients: expected at most 64 scenarios, got %I", (LUAI_UACINT)count);
  request r = {.count = (u32)count,
               .server = lua_getfield(L, 1, "server") == LUA_TNIL || lua_toboolean(L, -1)};
  luaL_checkstack(L, (int)count + 16, NULL);
  ls_scenario *scenarios = lua_newuserdatauv(L, count * sizeof *scenarios + 1, 0);
  for (u32 i = 1; i <= count; i++) {
    lua_rawgeti(L, 1, i);
    read_scenario(L, i, &scenarios[i - 1]);
    lua_pop(L, 1);
  }
  r.scenarios = scenarios;
  if (r.server) { /* without marked actions the graph has no server */
    bool used = false;
    for (u32 i = 0; i < count; i++)
      for (u32 a = 0; a < scenarios[i].length; a++) used = used || scenarios[i].actions[a].server;
    r.server = used;
  }
  ls_do(L, make, &r, false);
  ls_push_graph(L, r.out);
  return 1;
}
