/* Corrects the position in an error message. If a value was rejected by the library or by C code that it
 * calls, the message gets the position of the line that called the library, because a position in the
 * library, as in "model.lua:219: x.ode has no variable 'Q'", does not help a user. The library's own errors
 * (attempts to index, bad arguments) keep their position. */
#ifndef LS_SESSION_ERROR_POSITION_H
#define LS_SESSION_ERROR_POSITION_H

#include <lauxlib.h>

/* Replaces the position in the message on top of L, with which co has ended, by that of the innermost line
 * outside the library; removes it if there is no such line, as in a tail call at the prompt. */
void blame_caller(lua_State *L, lua_State *co);

#endif
