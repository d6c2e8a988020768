#ifndef LS_LUA_L_STATE_H
#define LS_LUA_L_STATE_H

#include "lua/bind.h"
#include "run/launch/state.h"

ls_state *ls_test_state(lua_State *L, int i); /* NULL if it is not an open state */
int ls_open_state(lua_State *L);              /* state.NAME(g [, type]) */

#endif
