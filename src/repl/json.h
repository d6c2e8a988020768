/* A Lua value as JSON in one line: arrays and buffers as arrays; tables as objects with sorted names, where a
 * number is a name as it is written; graphs as {"graph": name, "n": ..., "m": ...}, what else has fields as
 * an object of them; a table whose metatable has __record as the table that this function makes of it; other
 * userdata as strings. What JSON lacks (nan, inf, functions) is null; bytes that are
 * no UTF-8 become U+FFFD. Raises a Lua error for two keys of one name (1 and "1"), a key without a name, and
 * cycles. */
#ifndef LS_REPL_JSON_H
#define LS_REPL_JSON_H

#include <lua.h>

#include "data/buffer.h"

#include "repl/text.h"

void ls_json(lua_State *L, int index, ls_text *out);
/* The same with its line's end, but a list that prints itself as a table (it has __tostring, as that of
 * stats()) has a line a row. */
void ls_json_lines(lua_State *L, int index, ls_text *out);
bool ls_is_rows(lua_State *L, int index); /* is it such a list? */
/* An element of a buffer. In JSON it is null where it is missing or not finite; in CSV nothing where it is
 * missing, else nan, inf or -inf. */
bool ls_element_missing(lua_State *L, ls_buffer *b, u64 i);
void ls_element(lua_State *L, ls_buffer *b, u64 i, bool csv, ls_text *out);
/* Pushes a table of the fields of a graph, of another userdata or of a table with __record (false, nothing
 * pushed: it has none). */
bool ls_push_record(lua_State *L, int index);

#endif
