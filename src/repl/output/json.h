/* Writes a Lua value as JSON in one line:
 *   list, buffer: an array
 *   other table: an object with sorted names; a key that is a number becomes its decimal text
 *   table with __record in its metatable: the table that this function returns
 *   graph: {"graph": name, "n": ..., "m": ...}
 *   other userdata: an object if its type has fields, else a string
 *   nan, inf, function: null
 * Bytes that are not UTF-8 become U+FFFD. Raises a Lua error if two keys have the same text (1 and "1"), if a
 * key cannot be converted to text, and for cycles. */
#ifndef LS_REPL_JSON_H
#define LS_REPL_JSON_H

#include <lua.h>

#include "data/buffer.h"

#include "core/string_builder.h"

void ls_json(lua_State *L, int index, ls_text *out);
/* Writes the value as ls_json does, and a newline. But a list with a __tostring that prints it as a table,
 * such as the result of stats(), is written as one line per row. */
void ls_json_lines(lua_State *L, int index, ls_text *out);
/* ls_element writes an element of a buffer. In JSON, an element that is missing or not finite is null; in
 * CSV, a missing element is empty, and one that is not finite is nan, inf or -inf. */
bool ls_element_missing(lua_State *L, ls_buffer *b, u64 i);
void ls_element(lua_State *L, ls_buffer *b, u64 i, bool csv, ls_text *out);
/* Pushes a table of the fields of a graph, of another userdata or of a table with __record. False, with
 * nothing pushed, if the value has no fields. */
bool ls_push_record(lua_State *L, int index);

#endif
