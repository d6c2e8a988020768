#include "session/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "data/buffer.h"
#include "run/record/journal.h"
#include "session/rewrite_equality.h"
#include "session/frames.h"
#include "session/marks.h"
#include "session/records.h"
#include "session/threads.h"

struct values the_values;

static char environment; /* its address is the registry key of the expressions' environment */
static char assigned;    /* its address is the key of the set of names assigned by hand */
static void (*table_text)(lua_State *L, int index); /* NULL: a table is "table: 0x..." */

void ls_session_on_text(void (*push)(lua_State *L, int index)) { table_text = push; }

void values_begin(void) { the_values.assigned = the_values.changed = false; }

void values_abort(void) {
  the_values.evaluating = 0;
  the_values.frame = NULL;
  ls_buffer_beside(false);
}

/* --- values as text ---------------------------------------------------------------------------------- */

/* Pushes a short one-line text of the value at i. Calls __tostring, which may raise. */
static void text_of(lua_State *L, int i) {
  enum { SHOWN = 60 };
  size_t bytes;
  if (lua_type(L, i) == LUA_TSTRING) {
    const char *s = lua_tolstring(L, i, &bytes);
    if (bytes <= SHOWN && !strchr(s, '\n')) {
      lua_pushfstring(L, "\"%s\"", s);
    } else {
      size_t line = strcspn(s, "\n");
      lua_pushlstring(L, s, line < SHOWN ? line : SHOWN);
      lua_pushfstring(L, "\"%s...\"", lua_tostring(L, -1));
      lua_remove(L, -2);
    }
    return;
  }
  if (lua_isinteger(L, i) && lua_tointeger(L, i) == 0xffffffff) { /* shown as in buffers and tables */
    lua_pushliteral(L, "-");
    return;
  }
  if (lua_type(L, i) == LUA_TNUMBER && isnan(lua_tonumber(L, i))) { /* never "-nan" */
    lua_pushliteral(L, "nan");
    return;
  }
  if (lua_istable(L, i) && table_text) {
    if (luaL_getmetafield(L, i, "__tostring") == LUA_TNIL) {
      table_text(L, i);
      return;
    }
    lua_pop(L, 1);
  }
  const char *text = luaL_tolstring(L, i, &bytes);
  size_t line = strcspn(text, "\n");
  if (line < bytes || line > 4 * SHOWN) {
    lua_pushlstring(L, text, line < 4 * SHOWN ? line : 4 * SHOWN);
    lua_remove(L, -2);
  }
}

/* --- names ------------------------------------------------------------------------------------------- */

static bool push_count(lua_State *L, const char *name) {
  const ls_record *record = the_stop.now.recorded ? &the_stop.now.record : NULL;
  if (!the_stop.paused) record = records_newest();
  if (!record) return false;
  int count = 0;
  for (int i = 0; i < record->prim->nargs; i++) {
    if (record->prim->args[i].role != LS_COUNT) continue;
    if (strcmp(record->prim->args[i].name, name) == 0) {
      lua_pushinteger(L, (lua_Integer)record->counts[count]);
      return true;
    }
    count++;
  }
  return false;
}

/* --- names assigned by hand at this stop: they mean the assigned value ------------------------------- */

static bool was_assigned(lua_State *L, const char *name) {
  if (!the_values.assigned || the_frames.recorded) return false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &assigned);
  lua_pushstring(L, name);
  const bool was = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  return was;
}

static void note_assigned(lua_State *L, const char *name) {
  if (!the_values.assigned) {
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &assigned);
    the_values.assigned = true;
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &assigned);
  lua_pushboolean(L, true);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

/* --- the environment of what is typed at a stop ------------------------------------------------------ */

/* Pushes what the name means in frame T; false if it means nothing there. */
static bool push_known(lua_State *L, lua_State *T, const char *name) {
  if (!was_assigned(L, name) && (push_count(L, name) || marks_push(L, name))) return true;
  return frames_push(L, T, name);
}

/* Returns the key at index 2 if it may be a name of the stopped function, else NULL. `_`, `_1` ... always
 * mean the last results of the prompt, even if the stopped function uses a local `_` for values that it does
 * not need. */
static const char *name_there(lua_State *L) {
  const char *name = the_values.frame && lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
  const bool value = name && name[0] == '_' && strspn(name + 1, "123456789") == strlen(name + 1);
  return value ? NULL : name;
}

static int index_environment(lua_State *L) {
  const char *name = name_there(L);
  if (name && push_known(L, the_values.frame, name)) return 1;
  lua_pushglobaltable(L);
  lua_pushvalue(L, 2);
  lua_gettable(L, -2);
  if (lua_isnil(L, -1)) {
    if (!the_values.unknown && lua_type(L, 2) == LUA_TSTRING)
      snprintf(the_values.unknown_name, sizeof the_values.unknown_name, "%s", lua_tostring(L, 2));
    the_values.unknown = true;
  }
  return 1;
}

static int assign_environment(lua_State *L) {
  const char *name = name_there(L);
  if (name && !the_frames.recorded) {
    note_assigned(L, name);
    if (frames_set(L, the_values.frame, name)) {
      the_values.changed = true;
      return 0;
    }
  } else if (name && push_known(L, the_values.frame, name)) {
    return ls_raise(L, ls_fail_prefix(ls_journal_present(), "%s cannot be set: ", name));
  }
  lua_pushglobaltable(L);
  lua_replace(L, 1);
  lua_settable(L, 1);
  return 0;
}

bool ls_session_push(const char *name) {
  lua_State *L = the_threads.L;
  if (!the_stop.paused || the_threads.busy || !lua_checkstack(L, 4)) return false;
  const int top = lua_gettop(L);
  if (push_known(L, the_frames.standing[0], name)) return true;
  lua_settop(L, top);
  return false;
}

bool ls_session_knows(const char *name) {
  if (!ls_session_push(name)) return false;
  lua_pop(the_threads.L, 1);
  return true;
}

void values_push_environment(lua_State *L) { lua_rawgetp(L, LUA_REGISTRYINDEX, &environment); }

void values_open(lua_State *L) {
  the_values = (struct values){.scratch = lua_newthread(L)};
  lua_rawsetp(L, LUA_REGISTRYINDEX, &the_values);
  table_text = NULL;
  static const luaL_Reg meta[] = {
      {"__index", index_environment}, {"__newindex", assign_environment}, {NULL, NULL}};
  lua_newtable(L);
  luaL_newlib(L, meta);
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &environment);
}

typedef void (*show_local)(const char *name, const char *value);

static void show_text(void *ctx, lua_State *L, const char *name) {
  text_of(L, lua_gettop(L));
  ((show_local)ctx)(name, lua_tostring(L, -1));
  lua_pop(L, 1);
}

static int list_locals(lua_State *L) {
  show_local show = (show_local)lua_touserdata(L, 1);
  lua_State *T = the_frames.standing[0];
  lua_Debug ar;
  if (the_frames.recorded) {
    the_frames.recorded->locals(L, show_text, (void *)show);
    return 0;
  }
  if (!lua_checkstack(T, 4) || !frames_stopped(T, &ar)) return 0;
  const char *name;
  for (int i = 1; (name = frames_local(T, &ar, i)); i++) {
    lua_xmove(T, L, 1);
    if (*name != '(') show_text((void *)show, L, name);
    lua_settop(L, 1);
  }
  return 0;
}

void ls_session_locals(show_local show) {
  if (!the_stop.paused) return;
  lua_State *L = the_threads.L;
  lua_pushcfunction(L, list_locals);
  lua_pushlightuserdata(L, (void *)show);
  if (ls_session_call(L, 1, 0) != LUA_OK) lua_pop(L, 1);
}

/* --- values for views -------------------------------------------------------------------------------- */

typedef struct visit {
  void (*each)(void *ctx, lua_State *L, int level, const char *name);
  void *ctx;
} visit;

/* Moves the value on top of T to L, calls `each`, and pops the value. */
static void show_value(lua_State *L, lua_State *T, const visit *v, int level, const char *name) {
  lua_xmove(T, L, 1);
  int top = lua_gettop(L);
  if (*name != '(' && strcmp(name, "_ENV") != 0) v->each(v->ctx, L, level, name);
  lua_settop(L, top - 1);
}

static void frame_values(lua_State *L, lua_State *T, const visit *v, int level, lua_Debug *ar, bool at_line) {
  const char *name;
  for (int i = 1; (name = at_line ? frames_local(T, ar, i) : lua_getlocal(T, ar, i)); i++)
    show_value(L, T, v, level, name);
  lua_getinfo(T, "f", ar);
  lua_xmove(T, L, 1);
  int function = lua_gettop(L);
  for (int i = 1; (name = lua_getupvalue(L, function, i)); i++) show_value(L, L, v, level, name);
  lua_settop(L, function - 1);
}

static void show_past_value(void *ctx, lua_State *L, const char *name) {
  const visit *v = ctx;
  v->each(v->ctx, L, 0, name);
}

static int visit_values(lua_State *L) {
  visit *v = lua_touserdata(L, 1);
  luaL_checkstack(L, 16, NULL);
  if (the_frames.recorded) {
    the_frames.recorded->locals(L, show_past_value, v);
    return 0;
  }
  if (!the_stop.paused) {
    lua_pushglobaltable(L);
    for (lua_pushnil(L); lua_next(L, 2); lua_settop(L, 3))
      if (lua_type(L, 3) == LUA_TSTRING) v->each(v->ctx, L, -1, lua_tostring(L, 3));
    return 0;
  }
  int shown = 0;
  for (int i = 0; i < the_frames.count; i++) {
    lua_State *T = the_frames.standing[i];
    lua_Debug ar;
    if (!lua_checkstack(T, 4)) continue;
    int stopped = i == 0 ? frames_level(T) : -1;
    for (int level = 0; level < FRAMES_LOOKED_AT && lua_getstack(T, level, &ar); level++) {
      lua_getinfo(T, "S", &ar);
      if (*ar.what != 'C' && !frames_is_shared(&ar)) frame_values(L, T, v, shown++, &ar, level == stopped);
    }
  }
  return 0;
}

void ls_session_values(void (*each)(void *ctx, lua_State *L, int level, const char *name), void *ctx) {
  lua_State *L = the_threads.L;
  if (!L || the_threads.busy) return;
  visit v = {each, ctx};
  bool collects = lua_gc(L, LUA_GCISRUNNING);
  lua_gc(L, LUA_GCSTOP);
  ls_session_try(L, visit_values, &v);
  if (collects) lua_gc(L, LUA_GCRESTART);
}

/* --- expressions ------------------------------------------------------------------------------------- */

int values_compile(lua_State *L, const char *expr) {
  char *text = ls_session_equalities(expr);
  if (!text) {
    ls_fail(LS_EMEM, "%s: out of memory", expr);
    return LUA_NOREF;
  }
  lua_pushliteral(L, "return ");
  lua_pushstring(L, text);
  ls_free(text);
  lua_concat(L, 2);
  const char *source = lua_tostring(L, -1);
  int status = luaL_loadbufferx(L, source, strlen(source), "=expression", "t");
  lua_remove(L, -2);
  if (status != LUA_OK) {
    ls_fail(LS_EARG, "%s: %s", expr, lua_tostring(L, -1));
    lua_pop(L, 1);
    return LUA_NOREF;
  }
  values_push_environment(L);
  lua_setupvalue(L, -2, 1);
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

static int value_and_text(lua_State *L) {
  enum { SHOWN_VALUES = 9 };
  lua_call(L, 0, LUA_MULTRET);
  int n = lua_gettop(L);
  if (n == 0) lua_pushnil(L), n = 1;
  text_of(L, 1);
  luaL_checkstack(L, 2, NULL);
  for (int i = 2; i <= n && i <= SHOWN_VALUES; i++) { /* `a, b`: all are shown; the first is the value */
    text_of(L, i);
    lua_pushfstring(L, "%s, %s", lua_tostring(L, -2), lua_tostring(L, -1));
    lua_replace(L, n + 1);
    lua_settop(L, n + 1);
  }
  lua_copy(L, -1, 2);
  lua_settop(L, 2);
  return 2;
}

bool values_of(lua_State *L, lua_State *T, int compiled) {
  lua_State *E = the_values.scratch, *running = the_threads.running, *frame = the_values.frame;
  int count = 0;
  lua_settop(E, 0);
  lua_pushcfunction(E, value_and_text);
  lua_rawgeti(E, LUA_REGISTRYINDEX, compiled);
  the_values.frame = T;
  the_values.unknown = false;
  the_values.unknown_name[0] = '\0';
  the_values.evaluating++;
  bool beside = ls_buffer_beside(true);
  the_threads.running = E;
  threads_sync_hook(E);
  int status = lua_resume(E, L, 1, &count);
  the_threads.running = running;
  the_values.evaluating--;
  ls_buffer_beside(beside);
  the_values.frame = frame;
  if (status == LUA_OK) return true;
  const char *message = status == LUA_YIELD ? "a yield in an expression" : lua_tostring(E, -1);
  static const char place[] = "expression:1: ";
  if (message && strncmp(message, place, sizeof place - 1) == 0) message += sizeof place - 1;
  ls_fail(LS_EARG, "%s", message ? message : "an error that is not a string");
  lua_resetthread(E);
  return false;
}

bool values_true(lua_State *L, lua_State *T, int compiled, bool *failed) {
  *failed = false;
  if (values_of(L, T, compiled)) return lua_toboolean(the_values.scratch, 1);
  *failed = !the_values.unknown;
  return *failed;
}
