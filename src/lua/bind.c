#include "lua/bind.h"

#include <string.h>

#include "core/folder.h"
#include "core/mapping.h"
#include "core/nearest.h"
#include "core/wait.h"
#include "run/devices/device.h"

typedef struct job {
  ls_status (*work)(void *);
  void *arg;
  ls_status st;
} job;

static void do_job(void *arg) {
  job *j = arg;
  j->st = j->work(j->arg);
}

void ls_do(lua_State *L, ls_status (*work)(void *), void *arg, bool quick) {
  const u64 losses = ls_mapping_losses();
  job j = {work, arg, LS_OK};
  ls_work(do_job, &j, quick);
  if (j.st == LS_EMEM) { /* unreachable graphs and buffers may hold enough memory */
    lua_gc(L, LUA_GCCOLLECT);
    ls_work(do_job, &j, quick);
  }
  ls_progress_end();
  if (!j.st) j.st = ls_mapping_lost_since(losses);
  if (j.st) ls_raise(L, j.st);
}

void ls_tell_collector(lua_State *L, u64 bytes) {
  enum { LEAST = 1 << 26, PART = 32, MOST = 1 << 20 }; /* a step of 1 GiB is a full cycle */
  static u64 untold;
  untold += bytes;
  if (untold < LEAST) return;
  /* A step takes longer than many kernels: wait until garbage may hold a considerable part of the memory. */
  const u64 part = ls_device_current()->memory / PART;
  if (untold < part) return;
  u64 kilobytes = untold >> 10;
  untold = 0;
  lua_gc(L, LUA_GCSTEP, (int)(kilobytes < MOST ? kilobytes : MOST));
}

void ls_set_tostring(lua_State *L, lua_CFunction text) {
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, text);
  lua_setfield(L, -2, "__tostring");
  lua_setmetatable(L, -2);
}

void ls_new_metatable(lua_State *L, const char *name, const luaL_Reg *metamethods) {
  luaL_newmetatable(L, name);
  luaL_setfuncs(L, metamethods, 0);
  lua_pop(L, 1);
}

void ls_new_type(lua_State *L, const char *name, const luaL_Reg *metamethods, const luaL_Reg *methods,
                 lua_CFunction index) {
  luaL_newmetatable(L, name);
  luaL_setfuncs(L, metamethods, 0);
  lua_newtable(L);
  luaL_setfuncs(L, methods, 0);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__methods");
  if (index) lua_pushcclosure(L, index, 1);
  lua_setfield(L, -2, "__index");
}

void ls_set_docs(lua_State *L, const void *rows, size_t count, size_t row_bytes) {
  lua_createtable(L, 0, (int)count);
  for (size_t i = 0; i < count; i++) {
    const char *const *row = (const void *)((const u8 *)rows + i * row_bytes);
    ls_set_string(L, row[0], row[1]);
  }
  lua_setfield(L, -2, "__fields");
}

void ls_push_lines(lua_State *L, void (*text)(lua_State *L)) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  const lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
  for (lua_Integer i = 1; i <= n; i++) {
    if (i > 1) luaL_addchar(&b, '\n');
    lua_rawgeti(L, 1, i);
    text(L);
    luaL_addvalue(&b);
  }
  luaL_pushresult(&b);
}

const char *ls_push_listed(lua_State *L, const char *const *names, size_t count, const char *last) {
  luaL_Buffer list;
  luaL_buffinit(L, &list);
  for (size_t i = 0; i < count; i++) {
    if (i) luaL_addstring(&list, i + 1 < count ? ", " : last);
    luaL_addstring(&list, names[i]);
  }
  luaL_pushresult(&list);
  return lua_tostring(L, -1);
}

void ls_push_strings(lua_State *L, const char *const *strings, int count) {
  lua_createtable(L, count, 0);
  for (int i = 0; i < count; i++) {
    lua_pushstring(L, strings[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

static int push_string(lua_State *L) {
  const ls_text *t = lua_touserdata(L, 1);
  lua_pushlstring(L, ls_text_str(t), t->len);
  return 1;
}

void ls_push_text(lua_State *L, ls_text *t) {
  bool done = !t->failed;
  lua_pushcfunction(L, push_string); /* under pcall, so that the text is freed if Lua has no memory */
  lua_pushlightuserdata(L, t);
  if (done) done = lua_pcall(L, 1, 1, 0) == LUA_OK;
  ls_text_free(t);
  if (!done) luaL_error(L, "out of memory: a text is incomplete");
}

void ls_check_options(lua_State *L, int t, const char *function, const char *const *names, size_t count) {
  lua_pushnil(L);
  while (lua_next(L, t)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING)
      luaL_error(L, "%s: options are named, as in {%s = ...}", function, names[0]);
    const char *name = lua_tostring(L, -1);
    size_t i = 0;
    while (i < count && strcmp(names[i], name) != 0) i++;
    if (i < count) continue;
    const char *near = ls_nearest(name, names, count), *known = ls_push_listed(L, names, count, " and ");
    luaL_error(L, "%s: no option is called '%s'%s%s%s; %s %s", function, name, near ? " (did you mean " : "",
               near ? near : "", near ? "?)" : "", count > 1 ? "its options are" : "its only option is",
               known);
  }
}

const char *ls_check_path(lua_State *L, int i) {
  const char *path = luaL_checkstring(L, i);
  char sample[4096];
  const char *found = ls_samples_path(path, sample, sizeof sample);
  if (found == path) return path;
  lua_pushstring(L, found);
  lua_replace(L, i);
  return lua_tostring(L, i);
}
