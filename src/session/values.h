/* Expressions over what a stopped function sees, and its values as text.
 *
 * Expressions (until, if, watch, display; and the prompt's, at a stop) see, in this order: the COUNTs of the
 * primitive that ran last (`until moved == 0`), the values of the last iteration mark, the locals and the
 * upvalues of the stopped function, globals. Counts come first since a local that takes a count is assigned
 * only after the primitive has returned. An error in a condition that names something unknown means "not
 * yet"; any other error stops and is shown. */
#ifndef LS_SESSION_VALUES_H
#define LS_SESSION_VALUES_H

#include <stdbool.h>

#include <lua.h>

/* At a stop: has that name a meaning there that is not a global's? */
bool ls_session_knows(const char *name);
/* The same, and pushes it onto the session's stack; nothing of the user's runs. */
bool ls_session_push(const char *name);
/* The stopped function's locals; nothing where nothing is paused. */
void ls_session_locals(void (*show)(const char *name, const char *value));
/* Who pushes a table's contents as one line of text, for displays, locals and watches; may raise. */
void ls_session_on_text(void (*push)(lua_State *L, int index));
/* For views, which look but run nothing of the user's. Calls each with every local and upvalue of the
 * functions that stand at the stop, innermost first; where nothing is paused, with the globals instead (level
 * -1). The value is on top of L's stack and stays there. Raw access alone, and the collector rests meanwhile:
 * no metamethod, no finalizer runs. Nothing happens while Lua runs. */
void ls_session_values(void (*each)(void *ctx, lua_State *L, int level, const char *name), void *ctx);

/* --- for the layers above ---------------------------------------------------------------------------- */

extern struct values {
  lua_State *scratch; /* evaluates expressions */
  lua_State *frame;   /* whose names are seen by what is typed, or by an expression; NULL: nobody's */
  int evaluating;     /* > 0: primitives run freely and nothing stops */
  bool unknown;       /* the last expression named something unknown: */
  char unknown_name[64];
  bool assigned; /* names were assigned to by hand at this stop */
  bool changed;  /* locals were, and no moment of the past has them yet */
} the_values;

void values_open(lua_State *L);
void values_begin(void); /* a run goes on: nothing has been assigned to by hand */
void values_abort(void); /* an error has left an evaluation */
/* A reference to the compiled `return expr`; LUA_NOREF with the message set if it does not compile. Raises
 * only when memory is short. */
int values_compile(lua_State *L, const char *expr);
/* Its value in frame T; leaves it at 1 and its text at 2 of the_values.scratch, or returns false with the
 * message set. */
bool values_of(lua_State *L, lua_State *T, int compiled);
/* Is it true? An error that is no "not yet" counts as a stop: *failed is set. */
bool values_true(lua_State *L, lua_State *T, int compiled, bool *failed);
void values_push_environment(lua_State *L); /* in which names mean what they mean in the_values.frame */

#endif
