/* The Lua functions on the stack at a stop: their positions, names and locals. */
#ifndef LS_SESSION_FRAMES_H
#define LS_SESSION_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include <lua.h>

/* The Lua source position of the primitive's caller, "scc.lua:18"; frames of prelude.lua and algorithm.lua
 * are skipped. */
void ls_session_where(lua_State *L, char *out, size_t bytes);
/* The chunk name of the stopped function: "@/home/ada/scc.lua", or "@scc.lua" in the embedded library;
 * LS_NO_SOURCE if a loop of primitives was started directly; "" if nothing is paused. */
#define LS_NO_SOURCE "=a loop"
void ls_session_source(char *out, size_t bytes);
/* The chunk name of the file that `where` calls `file` ("scc.lua"); "" if it is not among the last files from
 * which primitives were called. */
const char *ls_session_source_of(const char *file);
/* Calls `show` for each Lua function on the stack at a stop, innermost first; does nothing if nothing is
 * paused. */
void ls_session_backtrace(void (*show)(int level, const char *where, const char *function));
/* Finds the global ("outer"), or the field of a global ("scc.fast"), whose value is the function on top of T.
 * Needed after a tail call or a call through a table, for which Lua itself knows no such name. Scans all
 * globals, which takes some 50 us. */
bool ls_function_name(lua_State *T, char *out, size_t bytes);

/* --- for the layers above ---------------------------------------------------------------------------- */

/* FRAMES_STANDING: a stop passes at most this many coroutines (Lua's own limit on nested C calls is 200).
 * FRAMES_LOOKED_AT: of each coroutine only this many innermost frames are read, because Lua finds a frame by
 * walking to it, which would take too long in an endless recursion. */
enum { FRAMES_STANDING = 240, FRAMES_LOOKED_AT = 250 };

/* Replaces the frames while the user looks at the past (past.c): the recorded locals of the stopped
 * function. */
typedef struct frames_recorded {
  bool (*push)(lua_State *L,
               const char *name);          /* pushes the value of a local or upvalue; false: there is none */
  void (*source)(char *out, size_t bytes); /* leaves `out` unchanged if unknown */
  /* Calls `each` for every local, with its value on top of L. May raise. */
  void (*locals)(lua_State *L, void (*each)(void *ctx, lua_State *L, const char *name), void *ctx);
} frames_recorded;

extern struct frames {
  lua_State *standing[FRAMES_STANDING]; /* the coroutines that are stopped, innermost first */
  int count;
  const frames_recorded *recorded; /* NULL: the user does not look at the past */
} the_frames;

int frames_height(lua_State *T); /* the number of frames on T */
bool frames_height_is(lua_State *T, int height);
const char *frames_file(const char *source);      /* the last part of a chunk's name */
bool frames_is_shared(const lua_Debug *ar);       /* of prelude.lua or algorithm.lua? ar->source is set */
int frames_level(lua_State *T);                   /* the level of the stopped Lua function; -1: none */
bool frames_stopped(lua_State *T, lua_Debug *ar); /* the stopped Lua function; false: there is none */
bool frames_in_loop(lua_State *T);  /* is T stopped in prelude.lua, because a loop was started directly? */
void frames_remember(lua_State *T); /* in a line hook: stores the names of the locals */
const char *frames_local(lua_State *T, lua_Debug *ar, int i); /* as lua_getlocal, for the stopped function */

/* Pushes the value of T's local or upvalue of that name onto L; false: the stopped function has none. */
bool frames_push(lua_State *L, lua_State *T, const char *name);
/* Pops the value on top of L and assigns it to T's local or upvalue of that name; false, and the value stays,
 * if there is none. */
bool frames_set(lua_State *L, lua_State *T, const char *name);
/* Pushes a table of the stopped function and its locals' names and values, {f, name, value, ...}; `keep`
 * replaces a value on top of L by what is to be stored. Returns the number of items; may raise. */
int frames_push_locals(lua_State *L, lua_State *T, void (*keep)(lua_State *L));

#endif
