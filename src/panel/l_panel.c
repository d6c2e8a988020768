#include "panel/l_panel.h"

#include <string.h>

#include "lua/bind.h"
#include "panel/panel.h"

/* Returns true, or false and the reason, so that a script can go on without a terminal. */
static int outcome(lua_State *L, ls_status st) {
  lua_pushboolean(L, st == LS_OK);
  if (st == LS_OK) return 1;
  lua_pushstring(L, ls_error());
  return 2;
}

static int on(lua_State *L) { return outcome(L, ls_panel_on()); }

static int off(lua_State *L) {
  (void)L;
  ls_panel_off();
  return 0;
}

static int show(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  if (!ls_view_find(name)) return ls_raise(L, ls_fail(LS_EARG, "panel.show: there is no view `%s`", name));
  return outcome(L, ls_panel_show(name));
}

static int is_on(lua_State *L) {
  lua_pushboolean(L, ls_panel_is_on());
  return 1;
}

static int open(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"on", on}, {"off", off}, {"show", show}, {"is_on", is_on}, {NULL, NULL}};
  luaL_newlib(L, functions);
  lua_setglobal(L, "panel");
  return 0;
}

ls_status panel_open_lua(lua_State *L) {
  lua_pushcfunction(L, open);
  if (lua_pcall(L, 0, 0, 0) == LUA_OK) return LS_OK;
  lua_pop(L, 1);
  return ls_fail(LS_EMEM, "no memory for the panel's functions");
}
