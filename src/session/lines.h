#ifndef LS_SESSION_LINES_H
#define LS_SESSION_LINES_H

#include "lua/bind.h"

/* A table by line, from 1 to *lines, of whether a breakpoint can stop there; the caller's. NULL: not known,
 * since the text does not compile or memory is short. Calls nothing of the text's; may raise for want of
 * memory. */
u8 *ls_lines_with_code(lua_State *L, const char *text, size_t bytes, u64 *lines);

#endif
