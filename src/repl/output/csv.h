/* Writes a Lua value as comma-separated values (CSV):
 *   a record (table with names, graph, device) or a list of them: a line of names, then one line per record
 *   a table of columns (lists or buffers of one length): a line of names, then one line per row
 *   a list of lists: one line per list
 *   another list, a buffer: one line per item
 *   anything else: one field
 * A table within a record is written as JSON. May raise a Lua error. */
#ifndef LS_REPL_CSV_H
#define LS_REPL_CSV_H

#include <lua.h>

#include "core/string_builder.h"

void ls_csv(lua_State *L, int index, ls_text *out);

#endif
