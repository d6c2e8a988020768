/* A Lua value as comma-separated values: a list of records (tables with names, graphs, devices) as a line of
 * names and a line a record, one record likewise, a list of lists as a line each, another list or a buffer as
 * a line an item, anything else as one field. A table within a record is JSON. May raise a Lua error. */
#ifndef LS_REPL_CSV_H
#define LS_REPL_CSV_H

#include <lua.h>

#include "repl/text.h"

void ls_csv(lua_State *L, int index, ls_text *out);

#endif
