#include "session/raise.h"

static ls_status last = LS_OK;

int ls_raise(lua_State *L, ls_status st) {
  last = st;
  luaL_where(L, 1);
  lua_pushstring(L, ls_error());
  lua_concat(L, 2);
  return lua_error(L);
}

ls_status ls_last_status(void) { return last; }

void ls_clear_status(void) { last = LS_OK; }
void ls_set_status(ls_status st) { last = st; }
