/* Which lines of a Lua text have code. */
#ifndef LS_SESSION_LINES_H
#define LS_SESSION_LINES_H

#include <lua.h>

#include "core/error.h"
#include "core/types.h"

/* A table by line, from 1 to *lines, of whether a breakpoint can stop there; the caller's. NULL: not known,
 * since the text does not compile or memory is short. Calls nothing of the text's; may raise for want of
 * memory. */
u8 *ls_lines_with_code(lua_State *L, const char *text, size_t bytes, u64 *lines);

/* --- for the layers above ---------------------------------------------------------------------------- */

/* Moves *line to the next line of the file that has code; LS_EARG where there is none. `path` is the file as
 * it was named, `file` its last part. A file that is neither loaded nor there is taken at its word. What is
 * to be said of it goes to note, or nothing. */
ls_status lines_settle(const char *path, const char *file, int *line, char *note, size_t bytes);

#endif
