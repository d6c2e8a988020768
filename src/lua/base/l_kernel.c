/* kernel.*: kernels and loops that are written while the program runs. */
#include "lua/bind.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compile/kernel.h"
#include "compile/parse.h"
#include "core/mem.h"
#include "core/atomic_file.h"
#include "lua/keywords.h"
#include "session/stops.h"

/* --- names ------------------------------------------------------------------------------------------------
 */

/* May a kernel have this name? It becomes a global, so the name must not mean anything else. */
static ls_status may_be_called(const char *name, void *context) {
  lua_State *L = context;
  if (ls_is_keyword(name, strlen(name)))
    return ls_fail(LS_EARG, "'%s' is a keyword of Lua: a kernel needs another name", name);
  lua_pushglobaltable(L);
  lua_pushstring(L, name);
  const int type = lua_rawget(L, -2);
  lua_pop(L, 2);
  if (type == LUA_TNIL || ls_prim_find(name)) return LS_OK;
  return ls_fail(LS_EARG, "there is a %s called %s already: a kernel needs another name",
                 lua_typename(L, type), name);
}

/* --- loading ----------------------------------------------------------------------------------------------
 */

/* Compiles the user's loops again if kernels that they call have been replaced. */
static void renew_loops(lua_State *L) {
  for (int i = 0; i < ls_prims(); i++) {
    ls_prim *p = ls_prim_at(i), *newer;
    if (!p->loop || !p->text) continue;
    if (ls_kernels_renew_loop(p, &newer))
      fprintf(stderr, "(the loop %s still runs the previous kernels: %s)\n", p->name, ls_error());
    else if (newer)
      ls_publish_prim(L, newer);
  }
}

/* Loads a text and pushes its primitives, in order; raises if the text is wrong. */
static int load_text(lua_State *L, const char *name, const char *folder, int line, const char *text,
                     const char *of) {
  ls_kernel_text *t;
  ls_status st = ls_kernels_load(name, folder, line, text, of, may_be_called, L, &t);
  if (st) {
    luaL_where(L, 1); /* if the text is in the running line, the message has the position already */
    const size_t len = strlen(name);
    const char *where = lua_tostring(L, -1);
    if (strncmp(where, name, len) != 0 || where[len] != ':' || strncmp(ls_error(), name, len) != 0)
      return ls_raise(L, st);
    ls_set_status(st);
    lua_pushstring(L, ls_error());
    return lua_error(L);
  }
  for (int i = 0; i < t->nrows; i++) ls_publish_prim(L, &t->row[i]->prim);
  renew_loops(L);
  luaL_checkstack(L, t->nrows, NULL);
  for (int i = 0; i < t->nrows; i++) lua_getglobal(L, t->row[i]->prim.name);
  return t->nrows;
}

/* Pushes a file's text. */
static const char *push_file(lua_State *L, const char *path) {
  struct stat st;
  FILE *f = fopen(path, "rb");
  if (!f) luaL_error(L, "%s: %s", path, strerror(errno));
  if (fstat(fileno(f), &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > LS_TEXT_MOST) {
    fclose(f);
    luaL_error(L, "%s: expected a file of at most 1 MiB", path);
  }
  luaL_Buffer b;
  char *to = luaL_buffinitsize(L, &b, (size_t)st.st_size);
  const size_t got = fread(to, 1, (size_t)st.st_size, f);
  fclose(f);
  luaL_pushresultsize(&b, got);
  const char *text = lua_tostring(L, -1);
  if (strlen(text) != got) luaL_error(L, "%s: expected the text of a kernel, found a zero byte", path);
  return text;
}

/* kernel.load(path) */
static int load(lua_State *L) {
  const char *path = ls_check_path(L, 1);
  const char *text = push_file(L, path), *slash = strrchr(path, '/');
  if (slash)
    lua_pushlstring(L, path, slash == path ? 1 : (size_t)(slash - path));
  else
    lua_pushstring(L, ".");
  return load_text(L, slash ? slash + 1 : path, lua_tostring(L, -1), 1, text, NULL);
}

/* Does the line of a chunk, counted from 1, contain `part`? */
static bool line_has(const char *source, int line, const char *part, size_t len) {
  char *text = NULL;
  size_t room = 0;
  bool has = false;
  FILE *f = source[0] == '@'   ? fopen(source + 1, "r")
            : source[0] == '=' ? NULL
                               : fmemopen((void *)(uintptr_t)source, strlen(source), "r");
  while (f && line-- > 0 && getline(&text, &room, f) >= 0)
    if (line == 0) has = memmem(text, strlen(text), part, len) != NULL;
  free(text);
  if (f) fclose(f);
  return has;
}

/* The line on which the text of kernel[[ ... ]] begins: the line of the call or the next one, since Lua omits
 * a newline right after [[. */
static int first_line(const lua_Debug *ar, const char *text) {
  const size_t len = strcspn(text, "\n");
  return ar->currentline + !(len > 0 && line_has(ar->source, ar->currentline, text, len));
}

static int read_text(lua_State *L, const char *of) {
  const char *text = luaL_checkstring(L, lua_istable(L, 1) ? 2 : 1);
  lua_Debug ar;
  int line = 1;
  char name[64] = "kernel";
  if (strlen(text) != lua_rawlen(L, lua_istable(L, 1) ? 2 : 1))
    return luaL_error(L, "the text of a kernel contains a zero byte");
  if (lua_getstack(L, 1, &ar) && lua_getinfo(L, "Sl", &ar) && ar.currentline > 0) {
    line = first_line(&ar, text);
    const char *base = strrchr(ar.short_src, '/');
    snprintf(name, sizeof name, "%s", base ? base + 1 : ar.short_src);
  }
  return load_text(L, name, NULL, line, text, of);
}

/* kernel[[ ... ]], loop[[ ... ]] */
static int from_text(lua_State *L) { return read_text(L, NULL); }

/* kernel.generated(text [, of]) */
static int from_generated(lua_State *L) { return read_text(L, luaL_optstring(L, 2, "a program")); }

/* --- sources ----------------------------------------------------------------------------------------------
 */

/* Pushes the text of a primitive, as kernel[[ ... ]] takes it. */
static const ls_prim *push_source(lua_State *L, const char *name) {
  const ls_prim *p = ls_prim_find(name);
  if (!p) luaL_error(L, "there is no primitive %s", name);
  if (p->text) {
    lua_pushstring(L, p->text->text);
    return p;
  }
  char *text = ls_shipped_text(name);
  if (!text) luaL_error(L, "%s has no source: it is an operation of a library, not a kernel", name);
  lua_pushstring(L, text);
  ls_free(text);
  return p;
}

/* kernel.source(name) */
static int source(lua_State *L) {
  push_source(L, luaL_checkstring(L, 1));
  return 1;
}

/* kernel.restore(name) */
static int restore(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  ls_prim *p = ls_prim_shipped_find(name);
  if (!p) return luaL_error(L, "no primitive called %s was built in", name);
  if (ls_prim_find(name) == p) return 0;
  ls_status st = ls_prim_register(p);
  if (st) return ls_raise(L, st);
  ls_publish_prim(L, p);
  renew_loops(L);
  return 0;
}

/* --- saving -----------------------------------------------------------------------------------------------
 */

/* Writes the string on top of the stack to a file. */
static ls_status write_top(lua_State *L, const char *path) {
  size_t bytes;
  const char *text = lua_tolstring(L, -1, &bytes);
  return ls_atomic_file_write_bytes(path, text, bytes);
}

static bool is_there(const char *path) {
  struct stat st;
  return stat(path, &st) == 0;
}

/* Saves a kernel in a family's folder: the body as NAME.h, the row at the end of FAMILY.def. */
static int save_in_family(lua_State *L, const ls_prim *p, const char *folder) {
  char real[PATH_MAX]; /* so that "." and "mine/" have names, too */
  if (!realpath(folder, real)) return luaL_error(L, "%s: %s", folder, strerror(errno));
  const char *family = strrchr(real, '/') + 1;
  const char *def = lua_pushfstring(L, "%s/%s.def", folder, family);
  const char *header = lua_pushfstring(L, "%s/%s.h", folder, p->name);
  if (p->loop || p->text->nrows != 1)
    return luaL_error(
        L,
        "%s: only a text of one kernel and no loop can be saved to a folder; the text of %s has %d kernels "
        "and loops",
        folder, p->name, p->text->nrows);
  if (is_there(header)) return luaL_error(L, "%s already exists", header);
  const char *before =
      is_there(def) ? push_file(L, def) : "/* Rows of this family. How to read one: kernels/README.md. */\n";
  const char *row = lua_pushfstring(L, "PRIM(%s,", p->name);
  if (strstr(before, row)) return luaL_error(L, "%s already contains '%s'", def, p->name);
  const ls_text_row *of = p->text->row[0];
  lua_pushlstring(L, p->text->text, of->at);
  lua_pushstring(L, p->text->text + of->at + of->len + (p->text->text[of->at + of->len] == '\n'));
  lua_concat(L, 2);
  ls_status st = write_top(L, header);
  lua_pushstring(L, before);
  lua_pushlstring(L, p->text->text + of->at, of->len);
  lua_pushstring(L, "\n");
  lua_concat(L, 3);
  if (!st && (st = write_top(L, def))) remove(header); /* do not leave a body without its row */
  if (st) return ls_raise(L, st);
  lua_pushstring(L, header);
  return 1;
}

/* kernel.save(name [, path]) */
static int save(lua_State *L) {
  const char *name = luaL_checkstring(L, 1), *path = luaL_optstring(L, 2, NULL);
  const ls_prim *p = push_source(L, name);
  const char *text = lua_tostring(L, -1);
  struct stat st;
  if (path && stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
    if (!p->text)
      return luaL_error(L, "%s is built in: a built-in kernel can be saved to a file, but not to a folder",
                        name);
    return save_in_family(L, p, path);
  }
  if (!path) path = lua_pushfstring(L, "%s.h", name);
  if (is_there(path)) {
    const char *old = push_file(L, path);
    if (strcmp(old, text) != 0) return luaL_error(L, "%s already exists, with a different text", path);
  }
  ls_status written = ls_atomic_file_write_bytes(path, text, strlen(text));
  if (written) return ls_raise(L, written);
  lua_pushstring(L, path);
  return 1;
}

/* kernel.path(name): the file from which a kernel was loaded; if it was built in or typed, saves a copy as
 * NAME.h. */
static int path_of(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  const ls_prim *p = ls_prim_find(name);
  if (p && p->text && p->text->folder) {
    const char *path = strcmp(p->text->folder, ".") == 0
                           ? lua_pushstring(L, p->text->name)
                           : lua_pushfstring(L, "%s/%s", p->text->folder, p->text->name);
    if (is_there(path)) return 1;
  }
  lua_settop(L, 1);
  return save(L);
}

/* --- bounds -----------------------------------------------------------------------------------------------
 */

static const char *const bounds_words[] = {
    [LS_BOUNDS_OWN] = "own", [LS_BOUNDS_ON] = "on", [LS_BOUNDS_OFF] = "off", NULL};

/* kernel.bounds(), kernel.bounds("on"), kernel.bounds(name, "off") */
static int bounds(lua_State *L) {
  if (lua_gettop(L) == 0) {
    lua_pushstring(L, bounds_words[ls_kernels_bounds()]);
    return 1;
  }
  if (lua_isnoneornil(L, 2)) {
    const char *name = luaL_checkstring(L, 1);
    const ls_prim *p = ls_prim_find(name);
    if (p) {
      lua_pushstring(L, ls_kernels_checked(p) ? "on" : "off");
      return 1;
    }
    ls_kernels_check((ls_bounds)luaL_checkoption(L, 1, NULL, bounds_words));
    return 0;
  }
  static const char *const words[] = {"off", "on", NULL};
  ls_status st = ls_kernels_check_row(luaL_checkstring(L, 1), luaL_checkoption(L, 2, NULL, words));
  return st ? ls_raise(L, st) : 0;
}

/* kernel.races(), kernel.races("on"), kernel.races(name, "off") */
static int races(lua_State *L) {
  static const char *const words[] = {"off", "on", NULL};
  const ls_prim *p = lua_gettop(L) == 0 ? NULL : ls_prim_find(luaL_checkstring(L, 1));
  if (lua_gettop(L) == 0 || (p && lua_isnoneornil(L, 2))) {
    lua_pushstring(L, words[p ? ls_kernels_raced(p) : ls_kernels_races()]);
    return 1;
  }
  ls_status st = LS_OK;
  if (lua_isnoneornil(L, 2))
    ls_kernels_race(luaL_checkoption(L, 1, NULL, words));
  else
    st = ls_kernels_race_row(luaL_checkstring(L, 1), luaL_checkoption(L, 2, NULL, words));
  return st ? ls_raise(L, st) : 0;
}

int ls_open_kernel(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"load", load},    {"save", save},     {"source", source}, {"restore", restore},
      {"path", path_of}, {"bounds", bounds}, {"races", races},   {"generated", from_generated},
      {NULL, NULL}};
  luaL_newlib(L, functions);
  lua_createtable(L, 0, 2);
  lua_pushcfunction(L, from_text);
  lua_setfield(L, -2, "__call");
  ls_set_string(L, "__name", "kernel");
  lua_setmetatable(L, -2);
  lua_setglobal(L, "kernel");
  lua_pushcfunction(L, from_text);
  lua_setglobal(L, "loop");
  ls_session_no_stop_in(load);
  ls_session_no_stop_in(from_text);
  ls_session_no_stop_in(from_generated);
  return 0;
}
