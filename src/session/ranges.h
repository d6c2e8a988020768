/* Which run and which algorithms a profiler is shown as ranges. */
#ifndef LS_SESSION_RANGES_H
#define LS_SESSION_RANGES_H

#include <lua.h>

/* The algorithm that stands on L begins: until it returns, which is noticed at the next primitive. */
void ls_session_algorithm(lua_State *L, const char *name);
/* A primitive begins: what has returned ends. */
void ls_session_ranges(lua_State *L);

/* --- for the layers above ---------------------------------------------------------------------------- */

void ranges_run(const char *text); /* a stretch of a run begins */
void ranges_rest(void);            /* it has ended, or stands at a stop */

#endif
