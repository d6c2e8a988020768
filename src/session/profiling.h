/* Shows runs and algorithms to a profiler as named ranges. */
#ifndef LS_SESSION_PROFILING_H
#define LS_SESSION_PROFILING_H

#include <lua.h>

/* Opens a range for the algorithm that begins on L. It is closed at the first primitive after the algorithm
 * has returned. */
void ls_session_algorithm(lua_State *L, const char *name);
/* A primitive begins: closes the ranges of algorithms that have returned. */
void ls_session_ranges(lua_State *L);

/* --- for the layers above ---------------------------------------------------------------------------- */

void ranges_run(const char *text); /* a run begins or continues */
void ranges_rest(void);            /* the run has ended or stopped */

#endif
