/* ranks in Lua: how many processes run this script, and which of them this one is. lua/ranks.lua has the
 * rest. */
#include "lua/bind.h"
#include "ranks/ranks.h"

int ls_open_ranks(lua_State *L) {
  lua_createtable(L, 0, 3);
  lua_pushinteger(L, ls_ranks());
  lua_setfield(L, -2, "count");
  lua_pushinteger(L, ls_rank());
  lua_setfield(L, -2, "rank");
  lua_pushstring(L, ls_ranks_transport());
  lua_setfield(L, -2, "transport");
  lua_setglobal(L, "ranks");
  return 0;
}
