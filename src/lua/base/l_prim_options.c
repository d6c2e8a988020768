#include "lua/base/l_prim_options.h"

#include <string.h>

enum { WARP = 32, MOST_THREADS = 512, MOST_OF_GRID = 1024 };

/* The number on top, which must be a limit. */
static u64 check_bound(lua_State *L, const ls_prim *p, const char *name) {
  int exact = 0;
  const lua_Integer most = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &exact) : -1;
  if (most < 0 || !exact)
    luaL_error(L, "%s: %s is %s, expected a number from 0 on (0: no bound)", p->name, name,
               luaL_tolstring(L, -1, NULL));
  return (u64)most;
}

static void take_begun(lua_State *L, ls_call *c) {
  if (lua_isboolean(L, -1)) {
    c->begun = lua_toboolean(L, -1);
  } else if (ls_is_whole(L, -1) && lua_tointeger(L, -1) >= 0) {
    c->begun = true;
    c->done = (u64)lua_tointeger(L, -1);
  } else {
    luaL_error(L, "%s: 'begun' is %s, expected true, false or the number of completed iterations",
               c->prim->name, luaL_tolstring(L, -1, NULL));
  }
}

static void take_block(lua_State *L, ls_call *c) {
  const lua_Integer threads = ls_is_whole(L, -1) ? lua_tointeger(L, -1) : -1;
  const int most = c->prim->domain == LS_GRID ? MOST_OF_GRID : MOST_THREADS;
  if (threads < 0 || threads > most || threads % WARP != 0)
    luaL_error(L,
               "%s: block_size is %s, expected the number of threads per block: a multiple of 32, up to %d "
               "(0: the kernel's default)",
               c->prim->name, luaL_tolstring(L, -1, NULL), most);
  c->block = (u32)threads;
}

/* Reads the option `beside`, which ranks.beside passes. false if the row has an argument of this name. */
static bool take_beside(lua_State *L, ls_call *c) {
  if (ls_arg_find(c->prim, "beside") >= 0) return false;
  if (!ls_prim_exchanges(c->prim))
    luaL_error(L, "%s is not an exchange: only exchanges can run beside kernels (help ranks)", c->prim->name);
  c->beside = lua_toboolean(L, -1);
  return true;
}

bool ls_take_option(lua_State *L, ls_call *c, const char *name) {
  const ls_loop *loop = c->prim->loop;
  if (strcmp(name, "max_iterations") == 0 && loop)
    c->max_iterations = check_bound(L, c->prim, name);
  else if (strcmp(name, "max_repeats") == 0 && loop && loop->code.has_inner)
    c->max_repeats = check_bound(L, c->prim, name);
  else if (strcmp(name, "begun") == 0 && loop)
    take_begun(L, c);
  else if (strcmp(name, "block_size") == 0 && ls_prim_has_block(c->prim))
    take_block(L, c);
  else
    return strcmp(name, "beside") == 0 && take_beside(L, c);
  return true;
}

void ls_put_options(lua_State *L, const ls_call *c) {
  ls_set_integer(L, "max_iterations", c->max_iterations);
  if (c->block) ls_set_integer(L, "block_size", c->block);
  if (!c->prim->loop) return;
  if (c->prim->loop->code.has_inner) ls_set_integer(L, "max_repeats", c->max_repeats);
  if (c->done)
    ls_set_integer(L, "begun", c->done);
  else
    ls_set_boolean(L, "begun", c->begun);
}
