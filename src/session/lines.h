/* Which lines of a Lua text have code. */
#ifndef LS_SESSION_LINES_H
#define LS_SESSION_LINES_H

#include <lua.h>

#include "core/error.h"
#include "core/types.h"

/* Returns a table t, freed by the caller with ls_free: t[line] is 1 if a breakpoint can stop at that line,
 * for line in 1 to *lines. NULL if the text does not compile or memory is short. The text is compiled but not
 * run; may raise a memory error. */
u8 *ls_lines_with_code(lua_State *L, const char *text, size_t bytes, u64 *lines);

/* --- for the layers above ---------------------------------------------------------------------------- */

/* Moves *line to the first line with code at or after it; LS_EARG if there is none. `path` is the file name
 * as the user gave it, `file` its last component. If the file is neither loaded nor found, or does not
 * compile, the line is accepted unchecked. `note` gets a remark for the user, or is left unchanged. */
ls_status lines_settle(const char *path, const char *file, int *line, char *note, size_t bytes);

#endif
