/* Breakpoints, watches and displays. */
#ifndef LS_SESSION_POINTS_H
#define LS_SESSION_POINTS_H

#include <lua.h>

#include "run/trace.h"

typedef struct ls_breakpoint {
  int id;
  const char *kind; /* "break", "tbreak" or "watch" */
  const char *text; /* as it was given */
  u64 hits;
  const char *lacks; /* a watch: why it has had no value in this run; "": it has */
} ls_breakpoint;

/* spec: "NAME", "FILE:LINE" or "iter [N]", each with an optional " if EXPR". */
ls_status ls_session_break(const char *spec, bool temporary, int *id);
/* Of the last one: that its line has no code and the next that has was taken, or that its file is not loaded;
 * "": nothing. Where no line behind it has code there is no breakpoint, but an error. */
const char *ls_session_break_note(void);
ls_status ls_session_watch(const char *expr, int *id);
ls_status ls_session_delete(int id); /* 0: all */
/* From yes to no breakpoints and watches do nothing, but those that are made meanwhile: a lesson's own. These
 * go on to work until ls_session_delete_apart. */
void ls_session_points_aside(bool yes);
void ls_session_delete_apart(void);
bool ls_session_breakpoint(int i, ls_breakpoint *out); /* the i-th from 0; false: there is none */

/* Expressions shown at every stop. */
ls_status ls_session_display(const char *expr, int *id);
ls_status ls_session_undisplay(int id); /* 0: all */
/* Calls show for each with its value as text, evaluated at the present stop ("" where nothing is paused). */
void ls_session_displays(void (*show)(int id, const char *expr, const char *value));

/* --- for the layers above ---------------------------------------------------------------------------- */

bool points_any_steps(void); /* is there one that needs every primitive to run alone? */
bool points_any_lines(void);
bool points_any(void); /* is there a breakpoint or watch at all? */
/* Do some stop here? Why is then said by stop_why. r NULL: the primitive left no record. */
bool points_after(lua_State *L, const ls_record *r);
bool points_mark(lua_State *L, u32 mark);
bool points_line(lua_State *L, lua_Debug *ar);
void points_begin(void);   /* a new algorithm: watches forget their values */
void points_present(void); /* back from the past: what was watched there is no value of the present stop */
void points_close(void);

#endif
