/* The functions of the operating system that lua/base/paper.lua uses, in the table `paper`.
 * lua/base/paper.lua later replaces this global by the function paper. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/atomic_file.h"
#include "core/folder.h"
#include "lua/bind.h"

/* paper.scripts() -> the folder of the scripts, or nil and the last place tried. */
static int scripts(lua_State *L) {
  char folder[4096];
  const bool found = ls_shipped_folder("scripts/paper", folder, sizeof folder);
  if (!found) lua_pushnil(L);
  lua_pushstring(L, folder);
  return found ? 1 : 2;
}

/* paper.program() -> the path of this program. */
static int program(lua_State *L) {
  char path[4096];
  if (!ls_program_path(path, sizeof path)) return luaL_error(L, "the path of the program is not known");
  lua_pushstring(L, path);
  return 1;
}

/* paper.make_folder(path) -> true, or false if it exists already. */
static int make_folder(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  struct stat st;
  const bool made = mkdir(path, 0777) == 0;
  if (!made && errno != EEXIST) return luaL_error(L, "%s: %s", path, strerror(errno));
  if (!made && stat(path, &st) == 0 && !S_ISDIR(st.st_mode))
    return luaL_error(L, "%s: it is no folder", path);
  lua_pushboolean(L, made);
  return 1;
}

/* paper.write(path, text) */
static int write_file(lua_State *L) {
  size_t bytes;
  const char *path = luaL_checkstring(L, 1), *text = luaL_checklstring(L, 2, &bytes);
  ls_status st = ls_atomic_file_write_bytes(path, text, bytes);
  return st ? ls_raise(L, st) : 0;
}

static const luaL_Reg functions[] = {{"scripts", scripts},
                                     {"program", program},
                                     {"make_folder", make_folder},
                                     {"write", write_file},
                                     {NULL, NULL}};

int ls_open_paper(lua_State *L) {
  luaL_newlib(L, functions);
  lua_setglobal(L, "paper");
  return 0;
}
