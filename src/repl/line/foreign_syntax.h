/* Syntax of other languages (x += 1, a != b, [1, 2], True), and its equivalent in Lua. */
#ifndef LS_REPL_FOREIGN_SYNTAX_H
#define LS_REPL_FOREIGN_SYNTAX_H

#include <lua.h>

#include "core/string_builder.h"

/* Appends a hint, such as " (write x = x + 1)", for a text that failed with this message in Lua; false: no
 * hint. */
bool ls_foreign_syntax_hint(lua_State *L, const char *message, const char *text, ls_text *out);
/* Looks in the text for True, False, None, null, NULL and undefined as names without a value. Copies the
 * first one to word, and returns what to write instead; "" if there is none. */
const char *ls_foreign_syntax_word(lua_State *L, const char *text, char *word, size_t bytes);
/* Does a line end in the colon that opens a block of Python? */
bool ls_foreign_syntax_block(const char *text);

#endif
