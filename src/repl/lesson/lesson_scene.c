#include "repl/lesson/lesson_scene.h"

#include <stdio.h>
#include <string.h>

#include "repl/commands/command.h"
#include "run/devices/device.h"

/* Keys in Lua's registry. */
static char before_key; /* copy of the globals at the last ls_scene_begin */
static char found_key;  /* copy of the globals when the lesson began, with weak values */
static char taken_key;  /* changed names: {name = {value before the lesson, value that the lesson set}} */

static struct {
  ls_device *before, *own; /* the device before the lesson, and the one that it chose; own NULL: unchanged */
  ls_device *at_begin;     /* the device at the last ls_scene_begin */
  char started[120];       /* the algorithm that the lesson left at a stop; "": none */
} scene;

/* Copies the globals into the table on top. */
static void copy_globals(lua_State *L) {
  const int to = lua_gettop(L);
  lua_pushglobaltable(L);
  for (lua_pushnil(L); lua_next(L, to + 1);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, to);
  }
  lua_settop(L, to);
}

static int note_globals(lua_State *L) {
  lua_settop(L, 0);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &found_key) != LUA_TTABLE) {
    lua_newtable(L);
    copy_globals(L);
    lua_newtable(L);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &found_key);
  }
  lua_newtable(L);
  copy_globals(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &before_key);
  return 0;
}

bool ls_scene_found(lua_State *L, const char *name) {
  const int value = lua_gettop(L);
  bool found = false;
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &found_key) == LUA_TTABLE) {
    lua_pushstring(L, name);
    lua_rawget(L, -2);
    found = lua_rawequal(L, value, -1);
  }
  lua_settop(L, value);
  return found;
}

/* If the global whose name is on top has changed, notes the change. Stack: 1 the globals before, 2 the
 * globals now, 3 the table of changed names. */
static void note(lua_State *L) {
  const int key = lua_gettop(L);
  lua_pushvalue(L, key);
  lua_rawget(L, 1);
  lua_pushvalue(L, key);
  lua_rawget(L, 2);
  if (!lua_rawequal(L, -1, -2)) {
    lua_pushvalue(L, key);
    if (lua_rawget(L, 3) != LUA_TTABLE) { /* the first change of this name */
      lua_pop(L, 1);
      lua_newtable(L);
      lua_pushvalue(L, key + 1);
      lua_rawseti(L, -2, 1);
      lua_pushvalue(L, key);
      lua_pushvalue(L, -2);
      lua_rawset(L, 3);
    }
    lua_pushvalue(L, key + 2);
    lua_rawseti(L, -2, 2);
  }
  lua_settop(L, key);
}

static int take_names(lua_State *L) {
  lua_settop(L, 0);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &before_key) != LUA_TTABLE) return 0;
  lua_pushglobaltable(L);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &taken_key) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &taken_key);
  }
  for (int table = 1; table <= 2; table++) /* 1 finds removed names, 2 added and changed ones */
    for (lua_pushnil(L); lua_next(L, table);) {
      lua_pop(L, 1);
      note(L);
    }
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &before_key);
  return 0;
}

static int give_names(lua_State *L) {
  lua_settop(L, 0);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &found_key);
  lua_pushglobaltable(L);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &taken_key) != LUA_TTABLE) return 0;
  for (lua_pushnil(L); lua_next(L, 2); lua_settop(L, 3)) { /* 3 the name, 4 its two values */
    lua_rawgeti(L, 4, 2);
    lua_pushvalue(L, 3);
    lua_rawget(L, 1);
    if (!lua_rawequal(L, -1, -2)) continue; /* changed by the learner since */
    lua_pushvalue(L, 3);
    lua_rawgeti(L, 4, 1);
    lua_rawset(L, 1);
  }
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &taken_key);
  return 0;
}

/* Calls f in protected mode: if memory is short, the names stay as they are. */
static void call(int (*f)(lua_State *L)) {
  lua_State *L = ls_session_lua();
  lua_pushcfunction(L, f);
  if (lua_pcall(L, 0, 0, 0) != LUA_OK) lua_pop(L, 1);
}

void ls_scene_begin(void) {
  scene.at_begin = ls_device_current();
  ls_session_points_aside(true); /* the learner's breakpoints would stop the commands of a page */
  call(note_globals);
}

void ls_scene_end(void) {
  const ls_stop *stop = ls_session_stop();
  call(take_names);
  ls_session_points_aside(false);
  if (ls_device_current() != scene.at_begin) {
    if (!scene.own) scene.before = scene.at_begin;
    scene.own = ls_device_current();
  }
  snprintf(scene.started, sizeof scene.started, "%s", stop ? stop->text : "");
}

void ls_scene_give_back(void) {
  const ls_stop *stop = ls_session_stop();
  if (stop && *scene.started && strcmp(stop->text, scene.started) == 0) ls_session_abandon();
  call(give_names);
  ls_session_delete_apart();
  if (scene.own && ls_device_current() == scene.own) ls_device_use(scene.before);
  scene.own = NULL;
  scene.started[0] = '\0';
}
