#include "lua/import.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>

#define MODULES "lockstep.modules" /* in the registry: name of a module -> its value, or IN_PROGRESS */

static char in_progress; /* its address is the value of a module that is being loaded */

static const ls_embedded *library;

/* import(name): the value that the module lua/NAME.lua returns, or true. A module is run once. */
static int import(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  lua_settop(L, 1);
  lua_getfield(L, LUA_REGISTRYINDEX, MODULES);
  if (lua_getfield(L, 2, name) != LUA_TNIL) {
    if (lua_touserdata(L, -1) == &in_progress)
      return luaL_error(L, "import: '%s' imports itself, perhaps through other modules", name);
    return 1;
  }
  const ls_embedded *e = ls_embedded_find(library, lua_pushfstring(L, "%s.lua", name));
  if (!e) return luaL_error(L, "import: the library has no module '%s'", name);
  lua_pushlightuserdata(L, &in_progress);
  lua_setfield(L, 2, name);
  lua_pushfstring(L, "@%s", e->name);
  if (luaL_loadbuffer(L, e->text, e->bytes, lua_tostring(L, -1)) != LUA_OK) return lua_error(L);
  lua_call(L, 0, 1);
  if (lua_isnil(L, -1)) lua_pushboolean(L, true);
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, name);
  return 1;
}

static int refuse_global(lua_State *L) {
  return luaL_error(L, "a module of the library assigns to the global '%s'", luaL_tolstring(L, 2, NULL));
}

static void call_import(lua_State *L, const char *name, size_t len) {
  lua_pushcfunction(L, import);
  lua_pushlstring(L, name, len);
  lua_call(L, 1, 1);
}

void ls_open_library(lua_State *L, const ls_embedded *from) {
  static const char exports[] = "/globals.lua";
  library = from;
  lua_newtable(L);
  lua_setfield(L, LUA_REGISTRYINDEX, MODULES);
  lua_register(L, "import", import);
  lua_newtable(L); /* all that the modules export */
  const int all = lua_gettop(L);
  lua_pushglobaltable(L);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, refuse_global);
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
  for (const ls_embedded *e = library; e->name; e++) {
    const size_t len = strlen(e->name), end = sizeof exports - 1;
    if (len <= end || strcmp(e->name + len - end, exports) != 0) continue;
    call_import(L, e->name, len - strlen(".lua"));
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
      lua_pushvalue(L, -2);
      lua_pushvalue(L, -2);
      lua_rawset(L, all);
    }
    lua_pop(L, 1);
  }
  lua_pushnil(L);
  lua_setmetatable(L, -2);
  for (lua_pushnil(L); lua_next(L, all); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, all + 1);
  }
  lua_settop(L, all - 1);
  call_import(L, "base/renamed", strlen("base/renamed"));
  lua_pop(L, 1);
}

void ls_import_replace(lua_State *L, const char *file) {
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return;
  }
  lua_getfield(L, LUA_REGISTRYINDEX, "lockstep.replace"); /* lua/base/replace.lua */
  lua_insert(L, -2);
  lua_pushlstring(L, file, strlen(file) - strlen(".lua"));
  lua_insert(L, -2);
  lua_call(L, 2, 0);
}
