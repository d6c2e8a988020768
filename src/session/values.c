/* Looking into a stopped function: where it stands, its locals, and expressions over them. */
#include "session/parts.h"

#include <stdio.h>
#include <string.h>

#include "run/journal.h"

static char environment; /* its address is the registry key of the expressions' environment */
static char assigned;    /* and this one's that of the names that were assigned to by hand */

/* Of a recursion without end the innermost are looked at: a level is found by walking to it. */
enum { MOST_FRAMES = 250 };

/* --- frames ------------------------------------------------------------------------------------------------
 */

int scope_height(lua_State *T) {
  lua_Debug ar;
  int above = 1;
  while (lua_getstack(T, above, &ar)) above *= 2;
  int low = above / 2; /* lua_getstack walks, so halving beats counting */
  if (!lua_getstack(T, low, &ar)) return low;
  while (low + 1 < above) {
    int middle = (low + above) / 2;
    if (lua_getstack(T, middle, &ar))
      low = middle;
    else
      above = middle;
  }
  return above;
}

bool scope_height_is(lua_State *T, int height) {
  lua_Debug ar;
  return !lua_getstack(T, height, &ar) && (height == 0 || lua_getstack(T, height - 1, &ar));
}

static bool is_prelude(const lua_Debug *ar) { return strcmp(ar->source, "@prelude.lua") == 0; }

bool scope_in_prelude(lua_State *T, lua_Debug *ar) {
  lua_getinfo(T, "S", ar);
  return is_prelude(ar);
}

int scope_level(lua_State *T) {
  lua_Debug ar;
  int first = -1;
  for (int level = 0; lua_getstack(T, level, &ar); level++) {
    lua_getinfo(T, "S", &ar);
    if (*ar.what == 'C') continue;
    if (first < 0) first = level;
    if (!is_prelude(&ar)) return level;
  }
  return first;
}

bool scope_frame(lua_State *T, lua_Debug *ar) {
  int level = scope_level(T);
  return level >= 0 && lua_getstack(T, level, ar);
}

static void describe(const lua_Debug *ar, char *out, size_t bytes) {
  const char *file = ar->short_src;
  if (*ar->source == '@') {
    const char *slash = strrchr(ar->source, '/');
    file = slash ? slash + 1 : ar->source + 1;
  }
  if (ar->currentline > 0)
    snprintf(out, bytes, "%s:%d", file, ar->currentline);
  else
    snprintf(out, bytes, "%s", file);
}

void ls_session_where(lua_State *L, char *out, size_t bytes) {
  lua_Debug ar;
  out[0] = '\0';
  if (!scope_frame(L, &ar)) return;
  lua_getinfo(L, "Sl", &ar);
  describe(&ar, out, bytes);
}

void ls_session_source(char *out, size_t bytes) {
  lua_Debug ar;
  out[0] = '\0';
  if (session.past) past_source(out, bytes);
  if (!session.paused || session.past || !scope_frame(session.standing[0], &ar)) return;
  lua_getinfo(session.standing[0], "S", &ar);
  snprintf(out, bytes, "%s", ar.source);
}

/* A yield from a line hook leaves the thread one instruction back, where the local of the line before is not
 * yet one and the line is the old one. So names are taken while the hook runs, values by their slots later.
 */
enum { MOST_LOCALS = 200 }; /* Lua's own limit */
static const char *slot_names[MOST_LOCALS];
static int slots;

void scope_remember(lua_State *T) {
  lua_Debug ar;
  slots = 0;
  if (!lua_getstack(T, 0, &ar)) return;
  while (slots < MOST_LOCALS && (slot_names[slots] = lua_getlocal(T, &ar, slots + 1))) {
    lua_pop(T, 1);
    slots++;
  }
}

static bool hooked(lua_State *T, int level) {
  return session.paused && session.stop.kind == LS_STOP_LINE && T == session.standing[0] && level == 0;
}

/* As lua_getlocal, for the stopped function. */
static const char *get_local(lua_State *T, lua_Debug *ar, int i) {
  const char *name = lua_getlocal(T, ar, i);
  if (!name || !hooked(T, scope_level(T))) return name;
  if (i <= slots) return slot_names[i - 1];
  lua_pop(T, 1);
  return NULL;
}

/* Pushes nothing; looks for the function at `function` among the fields of the table on top, by raw access.
 */
static bool field_name(lua_State *T, int function, char *out, size_t bytes) {
  int table = lua_gettop(T);
  bool found = false;
  for (lua_pushnil(T); !found && lua_next(T, table);) {
    found = lua_type(T, -2) == LUA_TSTRING && lua_rawequal(T, function, -1);
    if (found) snprintf(out, bytes, "%s", lua_tostring(T, -2));
    lua_settop(T, table + 1); /* the key, for the next */
  }
  lua_settop(T, table);
  return found;
}

bool scope_global_name(lua_State *T, char *out, size_t bytes) {
  if (!lua_checkstack(T, 8)) return false;
  int function = lua_gettop(T);
  char field[64];
  lua_pushglobaltable(T);
  bool found = field_name(T, function, out, bytes);
  for (lua_pushnil(T); !found && lua_next(T, function + 1);) {
    if (lua_type(T, -2) == LUA_TSTRING && lua_istable(T, -1) &&
        field_name(T, function, field, sizeof field)) {
      snprintf(out, bytes, "%s.%s", lua_tostring(T, -2), field);
      found = true;
    }
    lua_settop(T, function + 2);
  }
  lua_settop(T, function);
  return found;
}

void scope_function_name(lua_State *T, lua_Debug *ar, char *out, size_t bytes) {
  lua_getinfo(T, "Snf", ar); /* pushes the function */
  bool found = *ar->what == 'm';
  if (found)
    snprintf(out, bytes, "main chunk");
  else
    found = scope_global_name(T, out, bytes);
  lua_pop(T, 1);
  if (found) return;
  if (ar->name && *ar->name != '?')
    snprintf(out, bytes, "%s", ar->name);
  else if (*ar->what == 'C')
    snprintf(out, bytes, "a primitive");
  else
    snprintf(out, bytes, "function at line %d", ar->linedefined);
}

void ls_session_backtrace(void (*show)(int level, const char *where, const char *function)) {
  if (!session.paused) return;
  if (session.past) {
    show(0, session.stop.where, "(who called it is known in the present alone)");
    return;
  }
  int shown = 0;
  for (int i = 0; i < session.nstanding; i++) {
    lua_State *T = session.standing[i];
    lua_Debug ar;
    for (int level = 0; lua_getstack(T, level, &ar); level++) {
      if (level == MOST_FRAMES) {
        show(shown++, "...", "(deeper than is shown)");
        break;
      }
      lua_getinfo(T, "Sl", &ar);
      if (*ar.what == 'C' || is_prelude(&ar)) continue;
      char where[128], function[128];
      if (hooked(T, level))
        snprintf(where, sizeof where, "%s", session.stop.where);
      else
        describe(&ar, where, sizeof where);
      scope_function_name(T, &ar, function, sizeof function);
      show(shown++, where, function);
    }
  }
}

/* --- values as text --------------------------------------------------------------------------------------
 */

/* Pushes a short text of the value at i, one line. May raise, by a __tostring. */
void scope_text(lua_State *L, int i) {
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
  if (lua_istable(L, i) && session.on_text) {
    if (luaL_getmetafield(L, i, "__tostring") == LUA_TNIL) {
      session.on_text(L, i);
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

/* --- names -----------------------------------------------------------------------------------------------
 */

static bool push_count(lua_State *L, const char *name) {
  const ls_record *record = session.stop.recorded ? &session.stop.record : NULL;
  if (!session.paused) record = stops_newest();
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

/* Where a name lies that is not a count, a mark's value or a global. */
typedef struct spot {
  enum { NOWHERE, LOCAL, UPVALUE } kind;
  int index;
} spot;

/* Of several locals of a name the last is the innermost. */
static spot find_name(lua_State *T, lua_Debug *ar, const char *name) {
  spot found = {NOWHERE, 0};
  const char *other;
  if (!lua_checkstack(T, 4) || !scope_frame(T, ar)) return found;
  for (int i = 1; (other = get_local(T, ar, i)); i++) {
    if (strcmp(other, name) == 0) found = (spot){LOCAL, i};
    lua_pop(T, 1);
  }
  if (found.kind || strcmp(name, "_ENV") == 0) return found;
  lua_getinfo(T, "f", ar);
  for (int i = 1; !found.kind && (other = lua_getupvalue(T, -1, i)); i++) {
    if (strcmp(other, name) == 0) found = (spot){UPVALUE, i};
    lua_pop(T, 1);
  }
  lua_pop(T, 1);
  return found;
}

static bool push_local(lua_State *L, lua_State *T, const char *name) {
  lua_Debug ar;
  if (session.past) return past_push_local(L, name);
  if (T == L) return false;
  const spot p = find_name(T, &ar, name);
  if (!p.kind) return false;
  if (p.kind == LOCAL) {
    lua_getlocal(T, &ar, p.index);
  } else {
    lua_getinfo(T, "f", &ar);
    lua_getupvalue(T, -1, p.index);
    lua_remove(T, -2);
  }
  lua_xmove(T, L, 1);
  return true;
}

/* The value on top of L becomes that of T's local or upvalue, and goes; false, and it stays, where T has
 * none. */
static bool set_local(lua_State *L, lua_State *T, const char *name) {
  lua_Debug ar;
  if (T == L) return false;
  const spot p = find_name(T, &ar, name);
  if (!p.kind) return false;
  if (p.kind == UPVALUE) lua_getinfo(T, "f", &ar);
  lua_xmove(L, T, 1);
  if (p.kind == LOCAL) {
    lua_setlocal(T, &ar, p.index);
  } else {
    lua_setupvalue(T, -2, p.index);
    lua_pop(T, 1);
  }
  session.changed = true;
  return true;
}

/* --- names that were assigned to by hand at this stop: they mean what they were given ---------------------
 */

static bool was_assigned(lua_State *L, const char *name) {
  if (!session.assigned || session.past) return false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &assigned);
  lua_pushstring(L, name);
  const bool was = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  return was;
}

static void note_assigned(lua_State *L, const char *name) {
  if (!session.assigned) {
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &assigned);
    session.assigned = true;
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &assigned);
  lua_pushboolean(L, true);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

/* --- the environment of what is typed at a stop ------------------------------------------------------------
 */

/* What the name means in frame T, if it has a meaning there. */
static bool push_known(lua_State *L, lua_State *T, const char *name) {
  if (!was_assigned(L, name) && (push_count(L, name) || marks_push(L, name))) return true;
  return push_local(L, T, name);
}

/* The key at 2 where it is a name that the stopped function may have; `_`, `_1` ... are what the prompt gave
 * last, also where a loop has put aside what it does not want in a `_` of its own. */
static const char *name_there(lua_State *L) {
  const char *name = session.frame && lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
  const bool value = name && name[0] == '_' && strspn(name + 1, "123456789") == strlen(name + 1);
  return value ? NULL : name;
}

static int index_environment(lua_State *L) {
  const char *name = name_there(L);
  if (name && push_known(L, session.frame, name)) return 1;
  lua_pushglobaltable(L);
  lua_pushvalue(L, 2);
  lua_gettable(L, -2);
  if (lua_isnil(L, -1)) session.unknown = true;
  return 1;
}

static int assign_environment(lua_State *L) {
  const char *name = name_there(L);
  if (name && !session.past) {
    note_assigned(L, name);
    if (set_local(L, session.frame, name)) return 0;
  } else if (name && push_known(L, session.frame, name)) {
    return ls_raise(L, ls_fail_prefix(ls_journal_present(), "%s cannot be set: ", name));
  }
  lua_pushglobaltable(L);
  lua_replace(L, 1);
  lua_settable(L, 1);
  return 0;
}

bool ls_session_push(const char *name) {
  lua_State *L = session.L;
  if (!session.paused || session.current || !lua_checkstack(L, 4)) return false;
  const int top = lua_gettop(L);
  if (push_known(L, session.standing[0], name)) return true;
  lua_settop(L, top);
  return false;
}

bool ls_session_knows(const char *name) {
  if (!ls_session_push(name)) return false;
  lua_pop(session.L, 1);
  return true;
}

void scope_push_environment(lua_State *L) { lua_rawgetp(L, LUA_REGISTRYINDEX, &environment); }

void scope_open(lua_State *L) {
  static const luaL_Reg meta[] = {
      {"__index", index_environment}, {"__newindex", assign_environment}, {NULL, NULL}};
  lua_newtable(L);
  luaL_newlib(L, meta);
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &environment);
}

int scope_push_locals(lua_State *L, lua_State *T, void (*keep)(lua_State *L)) {
  lua_Debug ar;
  int table = lua_gettop(L) + 1, items = 1;
  luaL_checkstack(L, 8, NULL);
  lua_newtable(L);
  if (!lua_checkstack(T, 4) || !scope_frame(T, &ar)) return 0;
  lua_getinfo(T, "f", &ar);
  lua_xmove(T, L, 1);
  lua_rawseti(L, table, 1);
  const char *name;
  for (int i = 1; (name = get_local(T, &ar, i)); i++) {
    lua_xmove(T, L, 1);
    if (*name != '(') { /* Lua's own temporaries have such names */
      keep(L);
      lua_rawseti(L, table, items + 2);
      lua_pushstring(L, name);
      lua_rawseti(L, table, items + 1);
      items += 2;
    }
    lua_settop(L, table);
  }
  return items;
}

typedef void (*show_local)(const char *name, const char *value);

static void show_text(void *ctx, lua_State *L, const char *name) {
  scope_text(L, lua_gettop(L));
  ((show_local)ctx)(name, lua_tostring(L, -1));
  lua_pop(L, 1);
}

static int list_locals(lua_State *L) {
  show_local show = (show_local)lua_touserdata(L, 1);
  lua_State *T = session.standing[0];
  lua_Debug ar;
  if (session.past) {
    past_locals(L, show_text, (void *)show);
    return 0;
  }
  if (!lua_checkstack(T, 4) || !scope_frame(T, &ar)) return 0;
  const char *name;
  for (int i = 1; (name = get_local(T, &ar, i)); i++) {
    lua_xmove(T, L, 1);
    if (*name != '(') show_text((void *)show, L, name);
    lua_settop(L, 1);
  }
  return 0;
}

void ls_session_locals(show_local show) {
  if (!session.paused) return;
  lua_State *L = session.L;
  lua_pushcfunction(L, list_locals);
  lua_pushlightuserdata(L, (void *)show);
  if (ls_session_call(L, 1, 0) != LUA_OK) lua_pop(L, 1);
}

/* --- values for views ------------------------------------------------------------------------------------
 */

typedef struct visit {
  void (*each)(void *ctx, lua_State *L, int level, const char *name);
  void *ctx;
} visit;

/* The value on top of T goes to L for the call, and away. */
static void show_value(lua_State *L, lua_State *T, const visit *v, int level, const char *name) {
  lua_xmove(T, L, 1);
  int top = lua_gettop(L);
  if (*name != '(' && strcmp(name, "_ENV") != 0) v->each(v->ctx, L, level, name);
  lua_settop(L, top - 1);
}

static void frame_values(lua_State *L, lua_State *T, const visit *v, int level, lua_Debug *ar, bool at_line) {
  const char *name;
  for (int i = 1; (name = at_line ? get_local(T, ar, i) : lua_getlocal(T, ar, i)); i++)
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
  if (session.past) {
    past_locals(L, show_past_value, v);
    return 0;
  }
  if (!session.paused) {
    lua_pushglobaltable(L);
    for (lua_pushnil(L); lua_next(L, 2); lua_settop(L, 3))
      if (lua_type(L, 3) == LUA_TSTRING) v->each(v->ctx, L, -1, lua_tostring(L, 3));
    return 0;
  }
  int shown = 0;
  for (int i = 0; i < session.nstanding; i++) {
    lua_State *T = session.standing[i];
    lua_Debug ar;
    if (!lua_checkstack(T, 4)) continue;
    int stopped = i == 0 ? scope_level(T) : -1;
    for (int level = 0; level < MOST_FRAMES && lua_getstack(T, level, &ar); level++) {
      lua_getinfo(T, "S", &ar);
      if (*ar.what != 'C' && !is_prelude(&ar)) frame_values(L, T, v, shown++, &ar, level == stopped);
    }
  }
  return 0;
}

void ls_session_values(void (*each)(void *ctx, lua_State *L, int level, const char *name), void *ctx) {
  lua_State *L = session.L;
  if (!L || session.current) return;
  visit v = {each, ctx};
  bool collects = lua_gc(L, LUA_GCISRUNNING);
  lua_gc(L, LUA_GCSTOP);
  lua_pushcfunction(L, visit_values);
  lua_pushlightuserdata(L, &v);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) lua_pop(L, 1);
  if (collects) lua_gc(L, LUA_GCRESTART);
}

/* --- expressions -----------------------------------------------------------------------------------------
 */

int scope_compile(lua_State *L, const char *expr) {
  lua_pushfstring(L, "return %s", expr);
  const char *source = lua_tostring(L, -1);
  int status = luaL_loadbufferx(L, source, strlen(source), "=expression", "t");
  lua_remove(L, -2);
  if (status != LUA_OK) {
    ls_fail(LS_EARG, "%s: %s", expr, lua_tostring(L, -1));
    lua_pop(L, 1);
    return LUA_NOREF;
  }
  scope_push_environment(L);
  lua_setupvalue(L, -2, 1);
  return luaL_ref(L, LUA_REGISTRYINDEX);
}

static int value_and_text(lua_State *L) {
  lua_call(L, 0, 1);
  scope_text(L, 1);
  return 2;
}

bool scope_value(lua_State *L, lua_State *T, int compiled) {
  lua_State *E = session.scratch, *running = session.running, *frame = session.frame;
  int count = 0;
  lua_settop(E, 0);
  lua_pushcfunction(E, value_and_text);
  lua_rawgeti(E, LUA_REGISTRYINDEX, compiled);
  session.frame = T;
  session.unknown = false;
  session.evaluating++;
  bool beside = ls_buffer_beside(true);
  session.running = E;
  session_sync_hook(E);
  int status = lua_resume(E, L, 1, &count);
  session.running = running;
  session.evaluating--;
  ls_buffer_beside(beside);
  session.frame = frame;
  if (status == LUA_OK) return true;
  const char *message = status == LUA_YIELD ? "a yield in an expression" : lua_tostring(E, -1);
  static const char place[] = "expression:1: ";
  if (message && strncmp(message, place, sizeof place - 1) == 0) message += sizeof place - 1;
  ls_fail(LS_EARG, "%s", message ? message : "an error that is no string");
  lua_resetthread(E);
  return false;
}

bool scope_true(lua_State *L, lua_State *T, int compiled, bool *failed) {
  *failed = false;
  if (scope_value(L, T, compiled)) return lua_toboolean(session.scratch, 1);
  *failed = !session.unknown;
  return *failed;
}
