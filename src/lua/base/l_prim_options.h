/* Options of a call, in addition to its row's arguments: where a loop begins and ends, and the block size on
 * CUDA. */
#ifndef LS_LUA_L_PRIM_OPTIONS_H
#define LS_LUA_L_PRIM_OPTIONS_H

#include "lua/bind.h"
#include "run/launch/dispatch.h"

/* If the row has an option called `name`, stores the value on top in c, or raises if it is wrong; else
 * returns false. */
bool ls_take_option(lua_State *L, ls_call *c, const char *name);
/* Adds c's options to the table on top, in the form that ls_take_option reads. */
void ls_put_options(lua_State *L, const ls_call *c);

#endif
