/* ranks in Lua: how many processes run this script, and which of them this one is. lua/ranks.lua has the
 * rest. */
#include "lua/bind.h"
#include "ranks/ranks.h"

/* ranks.gathered(x): a list of what all ranks give */
static int gathered(lua_State *L) {
  i64 all[LS_MOST_RANKS];
  const int rank = ls_rank(), count = ls_ranks();
  all[rank] = luaL_checkinteger(L, 1);
  const ls_status st = ls_exchange_gather(all, (u64)count, sizeof *all, (u64)rank, (u64)rank + 1);
  if (st) return ls_raise(L, st);
  lua_createtable(L, count, 0);
  for (int r = 0; r < count; r++) {
    lua_pushinteger(L, all[r]);
    lua_rawseti(L, -2, r + 1);
  }
  return 1;
}

int ls_open_ranks(lua_State *L) {
  lua_createtable(L, 0, 4);
  lua_pushinteger(L, ls_ranks());
  lua_setfield(L, -2, "count");
  lua_pushinteger(L, ls_rank());
  lua_setfield(L, -2, "rank");
  lua_pushstring(L, ls_ranks_transport());
  lua_setfield(L, -2, "transport");
  lua_pushcfunction(L, gathered);
  lua_setfield(L, -2, "gathered");
  lua_setglobal(L, "ranks");
  return 0;
}
