/* A Lua value as JSON in one line: arrays and buffers as arrays, tables as objects with sorted names, graphs
 * as
 * {"graph": name, "n": ..., "m": ...}, other userdata as strings; what JSON lacks (nan, inf, functions) is
 * null. May raise a Lua error. */
#ifndef LS_REPL_JSON_H
#define LS_REPL_JSON_H

#include <lua.h>

#include "repl/text.h"

void ls_json(lua_State *L, int index, ls_text *out);
/* The same, but a list that prints itself as a table (it has __tostring, as that of stats()) has a line a
 * row; the last line is not ended. */
void ls_json_lines(lua_State *L, int index, ls_text *out);

#endif
