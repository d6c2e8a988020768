/* Breakpoints, watches and displays. */
#ifndef LS_SESSION_BREAKPOINTS_H
#define LS_SESSION_BREAKPOINTS_H

#include <lua.h>

#include "run/record/trace.h"

typedef struct ls_breakpoint {
  int id;
  const char *kind; /* "break", "tbreak" or "watch" */
  const char *text; /* as the user gave it */
  u64 hits;
  const char *lacks; /* watch: the error that has prevented a value in this run; "": none */
} ls_breakpoint;

/* spec: "NAME", "FILE:LINE" or "iter [N]", each with an optional " if EXPR". */
ls_status ls_session_break(const char *spec, bool temporary, int *id);
/* A remark on the last breakpoint: its line has no code and the next line with code was taken, or its file is
 * not loaded; "" if there is none. If no later line has code, ls_session_break fails. */
const char *ls_session_break_note(void);
ls_status ls_session_watch(const char *expr, int *id);
ls_status ls_session_delete(int id); /* 0: all */
/* ls_session_points_aside(true) disables all breakpoints and watches until ls_session_points_aside(false),
 * except those made in between (by a lesson). These work until ls_session_delete_apart deletes them. */
void ls_session_points_aside(bool yes);
void ls_session_delete_apart(void);
bool ls_session_breakpoint(int i, ls_breakpoint *out); /* the i-th from 0; false: there is none */

/* Expressions shown at every stop. */
ls_status ls_session_display(const char *expr, int *id);
ls_status ls_session_undisplay(int id); /* 0: all */
/* Calls `show` for each display with its value as text, evaluated at the current stop ("" if nothing is
 * paused). */
void ls_session_displays(void (*show)(int id, const char *expr, const char *value));

/* --- for the layers above ---------------------------------------------------------------------------- */

bool points_any_steps(void); /* must primitives run separately, for a watch or a breakpoint? */
bool points_any_lines(void); /* is there a breakpoint at a line? */
bool points_any(void);       /* is there a breakpoint or watch at all? */
/* Does any breakpoint or watch stop here? If so, adds the reasons with stop_why. r NULL: the primitive left
 * no record. */
bool points_after(lua_State *L, const ls_record *r);
bool points_mark(lua_State *L, u32 mark);
bool points_line(lua_State *L, lua_Debug *ar);
void points_begin(void);   /* a new algorithm: watches forget their values */
void points_present(void); /* back from the past: watches take their values at the present stop */
void points_close(void);

#endif
