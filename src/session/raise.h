/* Raises Lua errors. Only src/lua and src/session may do so. */
#ifndef LS_SESSION_RAISE_H
#define LS_SESSION_RAISE_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "core/error.h"

/* Raises ls_error() as a Lua error with the position of the caller, and remembers st for the exit code. */
int ls_raise(lua_State *L, ls_status st);
ls_status ls_last_status(void); /* the status of the last ls_raise; LS_OK: none */
void ls_clear_status(void);
void ls_set_status(ls_status st); /* puts back a status saved before code that must not change it */

#endif
