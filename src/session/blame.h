/* Where an error is said to be. What the library, or C that it calls, refuses is refused to the line that
 * called the library: "model.lua:219: x.ode has no variable 'Q'" tells a user nothing. Errors of the
 * library's own (attempts to index, bad arguments) keep their place. */
#ifndef LS_SESSION_BLAME_H
#define LS_SESSION_BLAME_H

#include <lauxlib.h>

/* Of the message on top of L, with which co has ended: its place becomes that of the innermost line outside
 * of the library; without a place where there is none, as in a tail call at the prompt. */
void blame_caller(lua_State *L, lua_State *co);

#endif
