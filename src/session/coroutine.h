/* Lua's coroutine library, replaced so that a stop passes through the user's own coroutines. */
#ifndef LS_SESSION_COROUTINE_H
#define LS_SESSION_COROUTINE_H

#include <lua.h>

void ls_session_open_coroutines(lua_State *L); /* replaces the functions of Lua's table `coroutine` */

#endif
