/* Evaluates expressions in the scope of a stopped function, and shows its values as text.
 *
 * A name in an expression (of until, if, watch, display, or typed at a stop) is looked up in this order: the
 * COUNTs of the primitive that ran last (`until moved == 0`), the values of the last iteration mark, the
 * locals and the upvalues of the stopped function, globals. Counts come first because a local that receives a
 * count is assigned only after the primitive has returned. If a condition raises an error and contains an
 * unknown name, it is taken as "not yet true"; any other error stops the run and is shown. */
#ifndef LS_SESSION_VALUES_H
#define LS_SESSION_VALUES_H

#include <stdbool.h>

#include <lua.h>

/* At a stop: does that name mean anything there other than a global? */
bool ls_session_knows(const char *name);
/* The same; if true, pushes the value onto the session's stack. Runs no user code. */
bool ls_session_push(const char *name);
/* Calls `show` for each local of the stopped function; does nothing if nothing is paused. */
void ls_session_locals(void (*show)(const char *name, const char *value));
/* Registers the function that pushes a table's contents as one line of text, for displays, locals and
 * watches; it may raise. */
void ls_session_on_text(void (*push)(lua_State *L, int index));
/* For views, which must not run user code. Calls `each` for every local and upvalue of the functions on the
 * stack at the stop, innermost first; if nothing is paused, for the globals (level -1). The value is on top
 * of L's stack, and `each` must leave it there. Only raw access is used, and the collector is stopped
 * meanwhile, so that no metamethod and no finalizer runs. Does nothing while Lua runs. */
void ls_session_values(void (*each)(void *ctx, lua_State *L, int level, const char *name), void *ctx);

/* --- for the layers above ---------------------------------------------------------------------------- */

extern struct values {
  lua_State *scratch; /* evaluates expressions */
  lua_State *frame;   /* thread whose stopped function is the scope of expressions; NULL: only globals */
  int evaluating;     /* > 0: an expression is being evaluated, during which nothing stops */
  bool unknown;       /* the last expression contained this unknown name: */
  char unknown_name[64];
  bool assigned; /* the user has assigned to names at this stop */
  bool changed;  /* the user has changed locals, which the recording does not have yet */
} the_values;

void values_open(lua_State *L);
void values_begin(void); /* a run continues: forgets what was assigned by hand */
void values_abort(void); /* resets the state after an error inside an evaluation */
/* A reference to the compiled `return expr`; LUA_NOREF with the message set if it does not compile. Raises
 * only when memory is short. */
int values_compile(lua_State *L, const char *expr);
/* Evaluates a compiled expression in the scope of T; leaves its value at index 1 and its text at index 2 of
 * the_values.scratch. false, with the message set: it failed. */
bool values_of(lua_State *L, lua_State *T, int compiled);
/* Is a compiled expression true in the scope of T? An error other than "not yet true" counts as true and sets
 * *failed. */
bool values_true(lua_State *L, lua_State *T, int compiled, bool *failed);
void values_push_environment(lua_State *L); /* pushes the environment of expressions */

#endif
