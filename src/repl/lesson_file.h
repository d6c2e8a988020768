/* A lesson's file: its format, and a new one to begin with. */
#ifndef LS_REPL_LESSON_FILE_H
#define LS_REPL_LESSON_FILE_H

#include <lua.h>

#include "core/error.h"

/* What a lesson's file has returned is on top. Raises an error that names the page and the field where it is
 * no list of pages, as `help teaching` tells; returns how many there are. */
int ls_lesson_check_pages(lua_State *L);
/* lesson new NAME: writes NAME.lua, a whole lesson. */
ls_status ls_lesson_new(const char *name);

#endif
