/* model.load: the file's name says which kind of model it is, else its first bytes do. */
#include <stdio.h>
#include <string.h>

#include "core/show.h"
#include "core/source.h"
#include "lua/l_model.h"

static const struct kind {
  const char *name, *extensions[3];
  int (*load)(lua_State *);
} kinds[] = {
    {"DVE", {".dve", ".mdve", NULL}, ls_dve_load},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int load(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  for (int i = 0; i < KINDS; i++)
    for (const char *const *e = kinds[i].extensions; *e; e++)
      if (ls_path_ends(path, *e)) return kinds[i].load(L);
  char shown[512];
  return luaL_error(L, "model.load: %s: expected a name that ends in .dve or .mdve",
                    ls_shown(path, 0, shown, sizeof shown));
}

int ls_open_model(lua_State *L) {
  lua_newtable(L);
  lua_pushcfunction(L, load);
  lua_setfield(L, -2, "load");
  lua_setglobal(L, "model");
  ls_open_dve(L);
  return 0;
}
