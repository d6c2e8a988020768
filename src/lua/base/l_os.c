/* Replaces os.setlocale by a version that keeps the decimal point: what the program reads and writes (graphs,
 * CSV, JSON, checkpoints) has one, whatever the language. */
#include <locale.h>
#include <string.h>

#include "lua/bind.h"

static int set_locale(lua_State *L) {
  const char *category = luaL_optstring(L, 2, "all");
  const int n = lua_gettop(L);
  const bool numbers = strcmp(category, "numeric") == 0, all = strcmp(category, "all") == 0;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, n, 1);
  setlocale(LC_NUMERIC, "C");
  if (!lua_toboolean(L, -1)) return 1;
  if (numbers)
    lua_pushstring(L, strcmp(lua_tostring(L, -1), "C") == 0 ? "C" : NULL); /* nil: it was refused */
  if (all) lua_pushstring(L, setlocale(LC_ALL, NULL));
  return 1;
}

int ls_open_os(lua_State *L) {
  lua_getglobal(L, "os");
  lua_getfield(L, -1, "setlocale");
  lua_pushcclosure(L, set_locale, 1);
  lua_setfield(L, -2, "setlocale");
  return 0;
}
