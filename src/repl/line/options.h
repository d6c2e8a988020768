/* The options of the call that is being typed, for completion: gen.rmat{sc. */
#ifndef LS_REPL_OPTIONS_H
#define LS_REPL_OPTIONS_H

#include <lua.h>

/* Calls `each` for every option that the doc of the function names, if the word that begins at `start` may be
 * an option. */
void ls_option_names(lua_State *L, const char *line, int start, void (*each)(void *, const char *),
                     void *ctx);

#endif
