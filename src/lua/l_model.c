/* model.load: communicating processes are known by the file's name, models of differential equations by its
 * contents. A graph's file is none of them. */
#include <string.h>

#include "core/source.h"
#include "load/load.h"
#include "lua/l_model.h"

static int load(lua_State *L) {
  static const char *const processes[] = {".dve", ".mdve"};
  const char *path = luaL_checkstring(L, 1);
  for (size_t i = 0; i < sizeof processes / sizeof *processes; i++)
    if (ls_path_ends(path, processes[i])) return ls_dve_load(L);
  const ls_format *f = ls_format_of_path(path);
  if (f && strcmp(f->name, "tsv") != 0) /* equations may stand in a .txt */
    return luaL_error(L, "%s is a graph by its name: graph.load reads it", path);
  return ls_ode_load(L);
}

int ls_open_model(lua_State *L) {
  lua_newtable(L);
  lua_pushcfunction(L, load);
  lua_setfield(L, -2, "load");
  lua_setglobal(L, "model");
  ls_open_dve(L);
  ls_open_dve_spaces(L);
  ls_open_dve_levels(L);
  ls_open_dve_compile(L);
  ls_open_ode(L);
  return 0;
}
