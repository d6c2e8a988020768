/* The values of the last iteration mark: it:mark{improved = 12, lambda = 3.5}. */
#ifndef LS_SESSION_MARKS_H
#define LS_SESSION_MARKS_H

#include <stdbool.h>

#include <lua.h>

void ls_session_mark_values(lua_State *L, int index); /* sets the values: the fields of the table at index */

/* --- for the layers above ---------------------------------------------------------------------------- */

bool marks_push(lua_State *L, const char *name); /* pushes the value of that name; false: there is none */
void marks_forget(lua_State *L);
int marks_keep(lua_State *L); /* returns a registry reference to the values */
void marks_restore(lua_State *L, int reference);

#endif
