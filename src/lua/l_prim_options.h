/* What a call may say besides the arguments of its row: where a loop begins and ends, and the blocks on CUDA.
 */
#ifndef LS_LUA_L_PRIM_OPTIONS_H
#define LS_LUA_L_PRIM_OPTIONS_H

#include "lua/bind.h"
#include "run/dispatch.h"

/* Takes the value on top into c if the row has an option of that name; else returns false. A wrong value is
 * an error. */
bool ls_take_option(lua_State *L, ls_call *c, const char *name);
/* Puts c's options into the table on top, as ls_take_option takes them. */
void ls_put_options(lua_State *L, const ls_call *c);

#endif
