#include "lua/open.h"

#include "core/embedded.h"
#include "lua/bind.h"
#include "lua/l_plot.h"

/* The bindings. They are opened before the library lua/, which uses them. */
static lua_CFunction const openers[] = {
    ls_open_buffer, ls_open_graph,     ls_open_load,   ls_open_gen,     ls_open_reference, ls_open_cycle,
    ls_open_prim,   ls_open_kernel,    ls_open_device, ls_open_trace,   ls_open_session,   ls_open_plot,
    ls_open_os,     ls_open_algorithm, ls_open_model,  ls_open_network, ls_open_ranks,
};

static int open_all(lua_State *L) {
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
  return 0;
}

lua_State *ls_session_open(void) {
  lua_State *L = luaL_newstate();
  if (!L) {
    ls_fail(LS_EMEM, "no memory for Lua");
    return NULL;
  }
  if (ls_session_attach(L) != LS_OK) {
    lua_close(L);
    return NULL;
  }
  lua_pushcfunction(L, open_all);
  if (lua_pcall(L, 0, 0, 0) == LUA_OK) return L;
  const char *message = lua_tostring(L, -1);
  ls_fail(LS_EARG, "cannot open the library: %s", message ? message : "?");
  ls_session_close();
  return NULL;
}
