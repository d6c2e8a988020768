#include "lua/bind.h"
#include "lua/l_plot.h"

/* The bindings first, since the library is written over them. */
static lua_CFunction const openers[] = {
    ls_open_buffer,  ls_open_graph, ls_open_load, ls_open_gen,    ls_open_reference,
    ls_open_cycle,   ls_open_model, ls_open_prim, ls_open_device, ls_open_trace,
    ls_open_session, ls_open_plot,  ls_open_os,
};

void ls_open_all(lua_State *L) {
  luaL_openlibs(L);
  for (size_t i = 0; i < sizeof openers / sizeof *openers; i++) {
    lua_pushcfunction(L, openers[i]);
    lua_call(L, 0, 0);
  }
  for (const ls_embedded *e = ls_embedded_lua; e->name; e++) {
    lua_pushfstring(L, "@%s", e->name);
    if (luaL_loadbuffer(L, e->text, e->bytes, lua_tostring(L, -1)) != LUA_OK) lua_error(L);
    lua_remove(L, -2);
    lua_call(L, 0, 0);
  }
}
