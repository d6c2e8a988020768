/* The Lua functions that stand at a stop: where they stand, what they are called, and their locals. */
#ifndef LS_SESSION_FRAMES_H
#define LS_SESSION_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include <lua.h>

/* The Lua source position of the primitive's caller, "scc.lua:18"; frames of prelude.lua and algorithm.lua
 * are passed over. */
void ls_session_where(lua_State *L, char *out, size_t bytes);
/* The chunk name that Lua gives the stopped function's source: "@/home/ada/scc.lua", or "@scc.lua" for one of
 * the embedded library; LS_NO_SOURCE of a loop that was started by itself; "" where nothing is paused. */
#define LS_NO_SOURCE "=a loop"
void ls_session_source(char *out, size_t bytes);
/* The chunk name of the file that `where` calls `file`: "scc.lua". "": none of the newest that primitives
 * were called from. */
const char *ls_session_source_of(const char *file);
/* At a stop, innermost first; nothing where nothing is paused. */
void ls_session_backtrace(void (*show)(int level, const char *where, const char *function));
/* The global ("outer"), or the field of one ("scc.fast"), that the function on top of T is: a tail call or a
 * table leaves it no better name. Looks at all of them, which takes some 50 us. */
bool ls_function_name(lua_State *T, char *out, size_t bytes);

/* --- for the layers above ---------------------------------------------------------------------------- */

/* Lua's own limit on nested C calls is 200; a stop passes at most so many coroutines. Of a recursion without
 * end the innermost frames are looked at: a level is found by walking to it. */
enum { FRAMES_STANDING = 240, FRAMES_LOOKED_AT = 250 };

/* What stands in for the frames while the past is looked at (past.c): what was recorded of the stopped
 * function. */
typedef struct frames_recorded {
  bool (*push)(lua_State *L, const char *name); /* a local's or an upvalue's value; false: it has none */
  void (*source)(char *out, size_t bytes);      /* leaves out alone where nothing is known */
  /* Calls each with the locals; the value is on top of L. May raise. */
  void (*locals)(lua_State *L, void (*each)(void *ctx, lua_State *L, const char *name), void *ctx);
} frames_recorded;

extern struct frames {
  lua_State *standing[FRAMES_STANDING]; /* the coroutines of the present stop, innermost first */
  int count;
  const frames_recorded *recorded; /* NULL: the present is looked at */
} the_frames;

int frames_height(lua_State *T); /* how many there are on T */
bool frames_height_is(lua_State *T, int height);
bool frames_is_shared(const lua_Debug *ar);       /* of prelude.lua or algorithm.lua? ar has its source */
int frames_level(lua_State *T);                   /* of the stopped Lua function; -1: none */
bool frames_stopped(lua_State *T, lua_Debug *ar); /* the stopped Lua function; false: there is none */
bool frames_in_loop(lua_State *T);  /* is that the prelude, since a loop was started by itself? */
void frames_remember(lua_State *T); /* at a line, in the hook: the names of the locals */
const char *frames_local(lua_State *T, lua_Debug *ar, int i); /* as lua_getlocal, for the stopped function */

/* Pushes the value of T's local or upvalue of that name onto L; false: the stopped function has none. */
bool frames_push(lua_State *L, lua_State *T, const char *name);
/* The value on top of L becomes that of T's local or upvalue, and goes; false, and it stays, where T has
 * none. */
bool frames_set(lua_State *L, lua_State *T, const char *name);
/* Pushes a table of the stopped function and its locals' names and values, {f, name, value, ...}; `keep`
 * turns a value on top into what is kept of it. Returns the number of items; may raise. */
int frames_push_locals(lua_State *L, lua_State *T, void (*keep)(lua_State *L));

#endif
