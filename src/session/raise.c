#include "lua/bind.h"

static ls_status last = LS_OK;

int ls_raise(lua_State *L, ls_status st) {
  last = st;
  luaL_where(L, 1);
  lua_pushstring(L, ls_error());
  lua_concat(L, 2);
  return lua_error(L);
}

ls_status ls_last_status(void) { return last; }

void ls_clear_status(void) { last = LS_OK; }
void ls_set_status(ls_status st) { last = st; }

void ls_push_lines(lua_State *L, void (*text)(lua_State *L)) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  const lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
  for (lua_Integer i = 1; i <= n; i++) {
    if (i > 1) luaL_addchar(&b, '\n');
    lua_rawgeti(L, 1, i);
    text(L);
    luaL_addvalue(&b);
  }
  luaL_pushresult(&b);
}
