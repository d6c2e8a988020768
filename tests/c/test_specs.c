/* Runs the Lua specs in a bare Lua with the bindings they are about. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "core/mem.h"
#include "lua/bind.h"

static void run(const char *spec) {
  u64 before = ls_mem_in_use();
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  lua_CFunction const openers[] = {ls_open_buffer, ls_open_graph, ls_open_load, ls_open_gen,
                                   ls_open_reference};
  for (size_t i = 0; i < sizeof openers / sizeof *openers; i++) {
    lua_pushcfunction(L, openers[i]);
    lua_call(L, 0, 0);
  }
  char text[1024];
  snprintf(text, sizeof text,
           "local tests = ('%s'):gsub('data$', '')\n dofile(tests .. '../lua/check.lua')\n"
           "arg = {[0] = tests .. 'lua/run.lua', tests .. 'lua/%s'}\n dofile(arg[0])",
           TEST_DATA, spec);
  if (luaL_dostring(L, text) != LUA_OK) fail_msg("%s", lua_tostring(L, -1));
  lua_close(L);
  assert_int_equal(ls_mem_in_use(), before);
}

static void buffers(void **state) {
  (void)state;
  run("buffer_spec.lua");
}

static void references(void **state) {
  (void)state;
  run("reference_spec.lua");
}

static void loaders(void **state) {
  (void)state;
  run("load_spec.lua");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(buffers), cmocka_unit_test(references),
                                     cmocka_unit_test(loaders)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
