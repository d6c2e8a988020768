/* What people write who come from another language, and how it is written here: x += 1, a != b, [1, 2], True.
 */
#ifndef LS_REPL_HABITS_H
#define LS_REPL_HABITS_H

#include <lua.h>

#include "repl/text.h"

/* " (write x = x + 1)" for a text that Lua has refused with this message; false: it is no such text. */
bool ls_habit(lua_State *L, const char *message, const char *text, ls_text *out);
/* The first of the words True, False, None, null in the text that names nothing: what to write instead. "":
 * there is none. */
const char *ls_habit_word(lua_State *L, const char *text, char *word, size_t bytes);
/* Does a line end in the colon that opens a block of Python? */
bool ls_habit_block(const char *text);

#endif
