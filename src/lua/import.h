/* import: the modules of the library, lua/FAMILY/NAME.lua. */
#ifndef LS_LUA_IMPORT_H
#define LS_LUA_IMPORT_H

#include <lua.h>

#include "core/embedded.h"

/* Makes `import` global, imports lua/FAMILY/globals.lua of each family, and makes global what these return.
 * `library` is ls_embedded_lua or ls_embedded_code. Raises an error if a module fails. */
void ls_open_library(lua_State *L, const ls_embedded *library);
/* Pops the value that a changed copy of a module has returned (nil: ignored), and puts it in the module's
 * place. Raises errors. file: "scc/scc.lua". */
void ls_import_replace(lua_State *L, const char *file);

#endif
