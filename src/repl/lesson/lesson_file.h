/* Checks the format of a lesson's file; writes a new file. */
#ifndef LS_REPL_LESSON_FILE_H
#define LS_REPL_LESSON_FILE_H

#include <lua.h>

#include "core/error.h"

/* Checks the value on top, which a lesson's file returned: a list of pages as described in `help teaching`.
 * Returns the number of pages; otherwise raises an error that names the page and the field. */
int ls_lesson_check_pages(lua_State *L);
/* lesson new NAME: writes NAME.lua, a complete small lesson. */
ls_status ls_lesson_new(const char *name);

#endif
