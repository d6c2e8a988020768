/* model.load("x.dve") and model.load("x.mdve", {N = 4}). */
#include "lua/dve/l_dve.h"

enum { MOST = 64 }; /* parameters */

typedef struct loading {
  const char *path;
  ls_dve_define defines[MOST];
  u32 count;
  ls_dve *out;
} loading;

static ls_status load(void *arg) {
  loading *l = arg;
  return ls_dve_read(l->path, l->defines, l->count, &l->out);
}

/* Reads the parameters from the table at 2. A table that is pushed keeps their texts alive. */
static void read_parameters(lua_State *L, loading *l) {
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, 2)) {
    if (lua_type(L, -2) != LUA_TSTRING) luaL_error(L, "model.load: parameters are named, as in {N = 4}");
    const char *name = lua_tostring(L, -2);
    if (ls_is_whole(L, -1)) { /* 4.0 is 4 */
      lua_pushinteger(L, lua_tointeger(L, -1));
      lua_replace(L, -2);
    }
    if (!lua_isinteger(L, -1) && lua_type(L, -1) != LUA_TSTRING)
      luaL_error(L, "model.load: the parameter %s: expected a whole number or a text, got %s", name,
                 luaL_typename(L, -1));
    if (l->count == MOST) luaL_error(L, "model.load: more than %d parameters", MOST);
    lua_pushvalue(L, -1);
    l->defines[l->count] = (ls_dve_define){name, lua_tostring(L, -1)};
    lua_rawseti(L, 3, ++l->count);
    lua_pop(L, 1);
  }
}

int ls_dve_load(lua_State *L) {
  loading l = {.path = luaL_checkstring(L, 1)};
  lua_settop(L, 2);
  if (!lua_isnil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    read_parameters(L, &l);
  }
  ls_dve **place = ls_push_dve(L);
  ls_do(L, load, &l, false);
  *place = l.out;
  return 1;
}
