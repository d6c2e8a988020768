/* model.load and model.sample. A model of communicating processes is recognized by its file's name, one of
 * differential equations by the file's contents. A file with the name of a graph's format is rejected. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/folder.h"
#include "core/escape.h"
#include "core/source.h"
#include "load/load.h"
#include "lua/bind.h"
#include "lua/base/l_model.h"

/* Pushes the path of the sample model of this name, which may lack its extension; false: there is none. */
static bool push_sample(lua_State *L, const char *folder, const char *name) {
  static const char *const endings[] = {"", ".ode", ".phml", ".dve", ".mdve"};
  for (size_t i = 0; *name && *name != '.' && !strchr(name, '/') && i < sizeof endings / sizeof *endings;
       i++) {
    lua_pushfstring(L, "%s/%s%s", folder, name, endings[i]);
    if (access(lua_tostring(L, -1), R_OK) == 0) return true;
    lua_pop(L, 1);
  }
  return false;
}

static void refuse_sample(lua_State *L, const char *path) {
  char folder[4096], shown[128];
  if (access(path, F_OK) == 0) return;
  ls_samples_folder("models", folder, sizeof folder);
  if (!push_sample(L, folder, path)) return;
  ls_escaped(path, 0, shown, sizeof shown);
  luaL_error(
      L, "%s: No such file or directory (there is a sample of that name: model.load(model.sample \"%s\"))",
      shown, shown);
}

static int load(lua_State *L) {
  static const char *const processes[] = {".dve", ".mdve"};
  const char *path = ls_check_path(L, 1);
  refuse_sample(L, path);
  for (size_t i = 0; i < sizeof processes / sizeof *processes; i++)
    if (ls_path_ends(path, processes[i])) return ls_dve_load(L);
  const ls_format *f = ls_format_of_path(path);
  if (f && strcmp(f->name, "tsv") != 0) /* a .txt may contain equations */
    return luaL_error(L, "%s has the file name of a graph, not of a model: load it with graph.load", path);
  return ls_ode_load(L);
}

static int by_text(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *e) { return e->d_name[0] != '.'; }

/* Raises an error that lists the models of the folder. */
static int no_sample(lua_State *L, const char *name, const char *folder) {
  struct dirent **entries;
  const int n = scandir(folder, &entries, is_shown, by_text);
  if (n < 0)
    return luaL_error(L, "model.sample: the models that come with the program are not in %s", folder);
  char list[1024] = "";
  for (int i = 0; i < n; i++) {
    const size_t at = strlen(list);
    snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "", entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
  return luaL_error(L, "model.sample: no model is called '%s'; there are %s", name, list);
}

/* model.sample(name) -> the path of a model that comes with the program (core/folder.h); name: the file's
 * name, with or without its extension. */
static int sample(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  char folder[4096], shown[128];
  ls_samples_folder("models", folder, sizeof folder);
  return push_sample(L, folder, name) ? 1 : no_sample(L, ls_escaped(name, 0, shown, sizeof shown), folder);
}

int ls_open_model(lua_State *L) {
  static const luaL_Reg functions[] = {{"load", load}, {"sample", sample}, {NULL, NULL}};
  luaL_newlib(L, functions);
  lua_setglobal(L, "model");
  ls_open_dve(L);
  ls_open_dve_spaces(L);
  ls_open_dve_levels(L);
  ls_open_dve_compile(L);
  ls_open_ode(L);
  return 0;
}
