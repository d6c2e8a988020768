/* Lua's coroutine library, replaced so that a stop yields through the user's own coroutines. If a coroutine
 * yields because of a stop and not by coroutine.yield, resume and wrap yield too, and resume the coroutine
 * when they are resumed. All else behaves as in the manual, with the session's own coroutine in the role of
 * the main one. */
#include "session/coroutine.h"

#include "session/frames.h"
#include "session/stop.h"
#include "session/stops.h"
#include "session/threads.h"
#include "session/values.h"

static lua_State *thread_at(lua_State *L, int i) {
  lua_State *co = lua_tothread(L, i);
  luaL_argexpected(L, co, i, "coroutine");
  return co;
}

static bool is_base(lua_State *L) {
  return L == the_threads.L || L == the_values.scratch || (the_stops.present && L == the_stops.present->co);
}

static bool is_standing(const lua_State *co) {
  for (int i = 0; i < the_frames.count; i++)
    if (the_frames.standing[i] == co) return true;
  return false;
}

static int go_on(lua_State *L, int status, lua_KContext wrapped);

/* Leaves results on L as resume or a wrapped function returns them; returns their number. */
static int finish(lua_State *L, lua_State *co, int status, int count, bool wrapped) {
  if (status == LUA_OK || status == LUA_YIELD) {
    luaL_checkstack(L, count + 1, "too many results to resume");
    if (!wrapped) lua_pushboolean(L, 1);
    lua_xmove(co, L, count);
    return count + !wrapped;
  }
  if (!wrapped) {
    lua_xmove(co, L, 1); /* does nothing if co is L itself */
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
  }
  /* A wrapped coroutine that failed is closed, and its error is raised again with the position of the
   * call. */
  int state = lua_status(co);
  if (state != LUA_OK && state != LUA_YIELD) lua_resetthread(co);
  lua_xmove(co, L, 1);
  if (state != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int resume(lua_State *L, lua_State *co, int nargs, bool wrapped) {
  lua_State *was = the_threads.running;
  bool blocked = the_stops.blocked;
  int count = 0;
  if (!lua_isyieldable(L)) the_stops.blocked = true;
  the_stops.nested++;
  if (was) the_threads.running = co;
  if (was) threads_sync_hook(co);
  int status = lua_resume(co, L, nargs, &count);
  the_threads.running = was;
  the_stops.blocked = blocked;
  the_stops.nested--;
  if (was) threads_sync_hook(L);
  if (status == LUA_YIELD && the_frames.count && the_frames.standing[the_frames.count - 1] == co && was) {
    the_frames.standing[the_frames.count++] = L;
    return lua_yieldk(L, 0, wrapped, go_on);
  }
  return finish(L, co, status, count, wrapped);
}

static int go_on(lua_State *L, int status, lua_KContext wrapped) {
  (void)status;
  lua_State *co = wrapped ? lua_tothread(L, lua_upvalueindex(1)) : lua_tothread(L, 1);
  return resume(L, co, 0, wrapped);
}

static void refuse_standing(lua_State *L, lua_State *co) {
  if (the_stop.paused && is_standing(co)) luaL_error(L, "this coroutine is stopped: `continue` resumes it");
}

/* Moves nargs values from L to co. If co cannot be resumed, lua_resume reports it afterwards. */
static void give(lua_State *L, lua_State *co, int nargs) {
  if (!lua_checkstack(co, nargs)) luaL_error(L, "too many arguments to resume");
  lua_xmove(L, co, nargs);
}

static int co_resume(lua_State *L) {
  lua_State *co = thread_at(L, 1);
  refuse_standing(L, co);
  int nargs = lua_gettop(L) - 1;
  give(L, co, nargs);
  return resume(L, co, nargs, false);
}

static int wrapped_call(lua_State *L) {
  lua_State *co = lua_tothread(L, lua_upvalueindex(1));
  refuse_standing(L, co);
  int nargs = lua_gettop(L);
  give(L, co, nargs);
  return resume(L, co, nargs, true);
}

static int co_create(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  return 1;
}

static int co_wrap(lua_State *L) {
  co_create(L);
  lua_pushcclosure(L, wrapped_call, 1);
  return 1;
}

static int co_yield (lua_State *L) {
  if (is_base(L)) return luaL_error(L, "attempt to yield from outside a coroutine");
  return lua_yield(L, lua_gettop(L));
}

static int co_isyieldable(lua_State *L) {
  lua_State *co = lua_isthread(L, 1) ? lua_tothread(L, 1) : L;
  lua_pushboolean(L, !is_base(co) && lua_isyieldable(co));
  return 1;
}

static int co_running(lua_State *L) {
  lua_pushthread(L);
  lua_pushboolean(L, is_base(L));
  return 2;
}

static const char *status_of(lua_State *L, lua_State *co) {
  lua_Debug ar;
  if (L == co) return "running";
  if (the_stop.paused && is_standing(co)) return "normal";
  switch (lua_status(co)) {
  case LUA_YIELD: return "suspended";
  case LUA_OK:
    if (lua_getstack(co, 0, &ar)) return "normal";
    return lua_gettop(co) == 0 ? "dead" : "suspended";
  default: return "dead";
  }
}

static int co_status(lua_State *L) {
  lua_pushstring(L, status_of(L, thread_at(L, 1)));
  return 1;
}

static int co_close(lua_State *L) {
  lua_State *co = thread_at(L, 1);
  refuse_standing(L, co);
  const char *status = status_of(L, co);
  if (*status != 's' && *status != 'd') return luaL_error(L, "cannot close a %s coroutine", status);
  if (lua_resetthread(co) == LUA_OK) {
    lua_pushboolean(L, 1);
    return 1;
  }
  lua_pushboolean(L, 0);
  lua_xmove(co, L, 1);
  return 2;
}

void ls_session_open_coroutines(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"create", co_create},   {"wrap", co_wrap},     {"resume", co_resume},
      {"yield", co_yield },    {"status", co_status}, {"isyieldable", co_isyieldable},
      {"running", co_running}, {"close", co_close},   {NULL, NULL}};
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  luaL_getsubtable(L, -1, "coroutine"); /* also the table that `require "coroutine"` returns */
  luaL_setfuncs(L, functions, 0);
  lua_setglobal(L, "coroutine");
  lua_pop(L, 1);
}
