#include "session/frames.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "session/stop.h"

struct frames the_frames;

int frames_height(lua_State *T) {
  lua_Debug ar;
  int above = 1;
  while (lua_getstack(T, above, &ar)) above *= 2;
  int low = above / 2; /* lua_getstack walks the frames, so bisection beats counting */
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

bool frames_height_is(lua_State *T, int height) {
  lua_Debug ar;
  return !lua_getstack(T, height, &ar) && (height == 0 || lua_getstack(T, height - 1, &ar));
}

bool frames_is_shared(const lua_Debug *ar) {
  return strcmp(ar->source, "@base/loops.lua") == 0 || strcmp(ar->source, "@base/algorithm.lua") == 0;
}

int frames_level(lua_State *T) {
  lua_Debug ar;
  int outermost = -1; /* the outermost library function: used if a loop was started directly */
  for (int level = 0; lua_getstack(T, level, &ar); level++) {
    lua_getinfo(T, "S", &ar);
    if (*ar.what == 'C') continue;
    outermost = level;
    if (!frames_is_shared(&ar)) return level;
  }
  return outermost;
}

bool frames_stopped(lua_State *T, lua_Debug *ar) {
  int level = frames_level(T);
  return level >= 0 && lua_getstack(T, level, ar);
}

bool frames_in_loop(lua_State *T) {
  lua_Debug ar;
  if (!frames_stopped(T, &ar)) return false;
  lua_getinfo(T, "S", &ar);
  return frames_is_shared(&ar);
}

/* --- the files that primitives were called from: a `where` has only their last component -------------- */

enum { FILES = 32, PATH = 512 };
static char files[FILES][PATH]; /* a ring of chunk names */
static int newest;

const char *frames_file(const char *source) { return ls_base_name(source + (*source == '@')); }

static void remember_file(const char *source) {
  if (*source != '@' || strcmp(files[newest], source) == 0 || strlen(source) >= PATH) return;
  for (int i = 0; i < FILES; i++)
    if (strcmp(files[i], source) == 0) {
      newest = i;
      return;
    }
  int free = 0;
  while (free < FILES - 1 && *files[free]) free++;
  if (*files[free]) free = (newest + 1) % FILES;
  newest = free;
  strcpy(files[newest], source);
}

const char *ls_session_source_of(const char *file) {
  for (int i = 0; i < FILES; i++) {
    const char *source = files[(newest + FILES - i) % FILES];
    if (*source && strcmp(frames_file(source), file) == 0) return source;
  }
  return "";
}

static void describe(const lua_Debug *ar, char *out, size_t bytes) {
  const char *file = ar->short_src;
  if (*ar->source == '@') file = frames_file(ar->source);
  if (ar->currentline > 0)
    snprintf(out, bytes, "%s:%d", file, ar->currentline);
  else
    snprintf(out, bytes, "%s", file);
}

void ls_session_where(lua_State *L, char *out, size_t bytes) {
  lua_Debug ar;
  out[0] = '\0';
  if (!frames_stopped(L, &ar)) return;
  lua_getinfo(L, "Sl", &ar);
  remember_file(ar.source);
  describe(&ar, out, bytes);
}

void ls_session_source(char *out, size_t bytes) {
  lua_Debug ar;
  out[0] = '\0';
  if (the_frames.recorded) the_frames.recorded->source(out, bytes);
  if (!the_stop.paused || the_frames.recorded || !frames_stopped(the_frames.standing[0], &ar)) return;
  lua_getinfo(the_frames.standing[0], "S", &ar);
  snprintf(out, bytes, "%s", frames_is_shared(&ar) ? LS_NO_SOURCE : ar.source);
}

/* A yield from a line hook leaves the thread one instruction earlier, at the previous line, where a local
 * that this line declares is not active yet. Therefore the names of the locals are stored while the hook
 * runs; their values are read later by their slots. */
enum { MOST_LOCALS = 200 }; /* Lua's own limit */
static const char *slot_names[MOST_LOCALS];
static int slots;

void frames_remember(lua_State *T) {
  lua_Debug ar;
  slots = 0;
  if (!lua_getstack(T, 0, &ar)) return;
  while (slots < MOST_LOCALS && (slot_names[slots] = lua_getlocal(T, &ar, slots + 1))) {
    lua_pop(T, 1);
    slots++;
  }
}

static bool hooked(lua_State *T, int level) {
  return the_stop.paused && the_stop.now.kind == LS_STOP_LINE && T == the_frames.standing[0] && level == 0;
}

const char *frames_local(lua_State *T, lua_Debug *ar, int i) {
  const char *name = lua_getlocal(T, ar, i);
  if (!name || !hooked(T, frames_level(T))) return name;
  if (i <= slots) return slot_names[i - 1];
  lua_pop(T, 1);
  return NULL;
}

/* Looks for the function at index `function` among the fields of the table on top, by raw access. Leaves the
 * stack as it was. */
static bool field_name(lua_State *T, int function, char *out, size_t bytes) {
  int table = lua_gettop(T);
  bool found = false;
  for (lua_pushnil(T); !found && lua_next(T, table);) {
    found = lua_type(T, -2) == LUA_TSTRING && lua_rawequal(T, function, -1);
    if (found) snprintf(out, bytes, "%s", lua_tostring(T, -2));
    lua_settop(T, table + 1); /* keeps the key for lua_next */
  }
  lua_settop(T, table);
  return found;
}

bool ls_function_name(lua_State *T, char *out, size_t bytes) {
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

static void function_name(lua_State *T, lua_Debug *ar, char *out, size_t bytes) {
  lua_getinfo(T, "Snf", ar); /* pushes the function */
  bool found = *ar->what == 'm';
  if (found)
    snprintf(out, bytes, "main chunk");
  else
    found = ls_function_name(T, out, bytes);
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
  if (!the_stop.paused) return;
  if (the_frames.recorded) {
    show(0, the_stop.now.where, "(its callers are known only in the present)");
    return;
  }
  int shown = 0;
  for (int i = 0; i < the_frames.count; i++) {
    lua_State *T = the_frames.standing[i];
    lua_Debug ar;
    for (int level = 0; lua_getstack(T, level, &ar); level++) {
      if (level == FRAMES_LOOKED_AT) {
        show(shown++, "...", "(deeper than is shown)");
        break;
      }
      lua_getinfo(T, "Sl", &ar);
      if (*ar.what == 'C' || frames_is_shared(&ar)) continue;
      char where[128], function[128];
      if (hooked(T, level))
        snprintf(where, sizeof where, "%s", the_stop.now.where);
      else
        describe(&ar, where, sizeof where);
      function_name(T, &ar, function, sizeof function);
      show(shown++, where, function);
    }
  }
}

/* --- locals and upvalues ----------------------------------------------------------------------------- */

/* Where a local or an upvalue was found. */
typedef struct spot {
  enum { NOWHERE, LOCAL, UPVALUE } kind;
  int index;
} spot;

/* If several locals have the same name, the last one is the innermost. */
static spot find_name(lua_State *T, lua_Debug *ar, const char *name) {
  spot found = {NOWHERE, 0};
  const char *other;
  if (!lua_checkstack(T, 4) || !frames_stopped(T, ar)) return found;
  for (int i = 1; (other = frames_local(T, ar, i)); i++) {
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

bool frames_push(lua_State *L, lua_State *T, const char *name) {
  lua_Debug ar;
  if (the_frames.recorded) return the_frames.recorded->push(L, name);
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

bool frames_set(lua_State *L, lua_State *T, const char *name) {
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
  return true;
}

int frames_push_locals(lua_State *L, lua_State *T, void (*keep)(lua_State *L)) {
  lua_Debug ar;
  int table = lua_gettop(L) + 1, items = 1;
  luaL_checkstack(L, 8, NULL);
  lua_newtable(L);
  if (!lua_checkstack(T, 4) || !frames_stopped(T, &ar)) return 0;
  lua_getinfo(T, "f", &ar);
  lua_xmove(T, L, 1);
  lua_rawseti(L, table, 1);
  const char *name;
  for (int i = 1; (name = frames_local(T, &ar, i)); i++) {
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
