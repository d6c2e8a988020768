/* The user's own coroutines: a stop passes through them. */
#ifndef LS_SESSION_COROUTINE_H
#define LS_SESSION_COROUTINE_H

#include <lua.h>

void ls_session_open_coroutines(lua_State *L); /* replaces the functions of Lua's table `coroutine` */

#endif
