/* stats() in Lua, opened with trace.*. */
#ifndef LS_LUA_L_STATS_H
#define LS_LUA_L_STATS_H

#include "lua/bind.h"

void ls_open_stats(lua_State *L);

#endif
