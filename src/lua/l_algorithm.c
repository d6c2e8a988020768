/* algorithm.nearest. lua/algorithm.lua adds what is written in Lua. */
#include "lua/bind.h"

#include "core/nearest.h"

enum { MOST_NAMES = 256 };

/* algorithm.nearest(word, {name, ...}) */
static int nearest(lua_State *L) {
  const char *word = luaL_checkstring(L, 1), *names[MOST_NAMES];
  size_t count = 0;
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checkstack(L, MOST_NAMES, "too many names");
  for (lua_Integer i = 1; count < MOST_NAMES && lua_rawgeti(L, 2, i) == LUA_TSTRING; i++)
    names[count++] = lua_tostring(L, -1);            /* the names stay on the stack while they are compared */
  lua_pushstring(L, ls_nearest(word, names, count)); /* nil where it is NULL */
  return 1;
}

int ls_open_algorithm(lua_State *L) {
  static const luaL_Reg functions[] = {{"nearest", nearest}, {NULL, NULL}};
  luaL_newlib(L, functions);
  lua_setglobal(L, "algorithm");
  return 0;
}
