/* The values of the last iteration mark: it:mark{improved = 12, lambda = 3.5}. */
#ifndef LS_SESSION_MARKS_H
#define LS_SESSION_MARKS_H

#include <stdbool.h>

#include <lua.h>

void ls_session_mark_values(lua_State *L, int index); /* those of the table there, from now on */

/* --- for the layers above ---------------------------------------------------------------------------- */

bool marks_push(lua_State *L, const char *name); /* the value of that name; false: there is none */
void marks_forget(lua_State *L);
int marks_keep(lua_State *L); /* a reference to them */
void marks_restore(lua_State *L, int reference);

#endif
