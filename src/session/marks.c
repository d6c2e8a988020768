#include "session/marks.h"

#include <lauxlib.h>

static char last_values; /* its address is the registry key of the last mark's values */

void ls_session_mark_values(lua_State *L, int index) {
  lua_pushvalue(L, index);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &last_values);
}

bool marks_push(lua_State *L, const char *name) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &last_values) == LUA_TTABLE) {
    lua_pushstring(L, name);
    lua_rawget(L, -2);
    lua_remove(L, -2);
    if (!lua_isnil(L, -1)) return true;
  }
  lua_pop(L, 1);
  return false;
}

void marks_forget(lua_State *L) {
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &last_values);
}

int marks_keep(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &last_values);
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

void marks_restore(lua_State *L, int reference) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &last_values);
}
