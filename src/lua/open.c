#include "lua/open.h"

#include <string.h>

#include "core/embedded.h"
#include "lua/bind.h"
#include "lua/import.h"
#include "lua/base/l_plot.h"

/* The bindings. They are opened before the library lua/, which uses them. */
static lua_CFunction const openers[] = {
    ls_open_buffer,  ls_open_graph, ls_open_load,   ls_open_gen,       ls_open_reference,
    ls_open_cycle,   ls_open_prim,  ls_open_kernel, ls_open_device,    ls_open_trace,
    ls_open_session, ls_open_plot,  ls_open_os,     ls_open_algorithm, ls_open_model,
    ls_open_network, ls_open_ranks, ls_open_paper,  ls_open_judge,
};

/* A lua_Writer that compares what is written with the bytes at *expected, and moves *expected past them. */
typedef struct expected_code {
  const char *text;
  size_t bytes;
} expected_code;
static int compare_bytes(lua_State *L, const void *p, size_t n, void *arg) {
  (void)L;
  expected_code *expected = arg;
  if (n > expected->bytes || memcmp(p, expected->text, n) != 0) return 1;
  expected->text += n;
  expected->bytes -= n;
  return 0;
}

/* Compiled code suits only the Lua that compiled it, and a dynamically linked Lua may be another release than
 * the build's. The two are assumed to be the same if this Lua compiles the first file of the library to the
 * same bytes. */
static bool compiles_the_same(lua_State *L) {
  const ls_embedded *e = ls_embedded_lua;
  expected_code expected = {ls_embedded_code[0].text, ls_embedded_code[0].bytes};
  lua_pushfstring(L, "@%s", e->name);
  const bool same = luaL_loadbuffer(L, e->text, e->bytes, lua_tostring(L, -1)) == LUA_OK &&
                    lua_dump(L, compare_bytes, &expected, 0) == 0 && expected.bytes == 0;
  lua_pop(L, 2);
  return same;
}

static int open_all(lua_State *L) {
  luaL_openlibs(L);
  for (size_t i = 0; i < sizeof openers / sizeof *openers; i++) {
    lua_pushcfunction(L, openers[i]);
    lua_call(L, 0, 0);
  }
  ls_open_library(L, compiles_the_same(L) ? ls_embedded_code : ls_embedded_lua);
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
