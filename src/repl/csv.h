/* A Lua value as comma-separated values: a list of records as a line of names and a line a record, a list of
 * lists as a line each, another list as a line an item, anything else as one field. May raise a Lua error. */
#ifndef LS_REPL_CSV_H
#define LS_REPL_CSV_H

#include <lua.h>

#include "repl/text.h"

void ls_csv(lua_State *L, int index, ls_text *out);

#endif
