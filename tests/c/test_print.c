/* Values printed on one line: with each allocation by Lua failing in turn, and with little room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <lauxlib.h>
#include <lua.h>

#include "repl/repl.h"

static int left = -1; /* allocations until one fails; -1: none fails */

static void *allocate(void *arg, void *p, size_t old, size_t bytes) {
  (void)arg, (void)old;
  if (bytes == 0) return free(p), NULL;
  if (left == 0 && (!p || bytes > old)) return NULL;
  left -= left > 0;
  return realloc(p, bytes);
}

static lua_State *with(const char *value) {
  lua_State *L = lua_newstate(allocate, NULL);
  assert_non_null(L);
  assert_int_equal(luaL_dostring(L, value), LUA_OK);
  return L;
}

static void every_allocation_fails(void **state) {
  (void)state;
  lua_State *L =
      with("local x = {} for i = 1, 20 do x['key' .. i] = {{i}, name = {i, of = {1}}} end return x");
  char whole[4096] = "";
  for (int n = 0; !*whole; n++) {
    ls_text text = {0};
    ls_text_puts(&text, "x = ");
    lua_gc(L, LUA_GCCOLLECT);
    left = n;
    ls_print_brief(L, -1, sizeof whole, &text);
    if (left > 0) strcpy(whole, ls_text_str(&text));
    left = -1;
    assert_int_equal(lua_gettop(L), 1);
    assert_memory_equal(ls_text_str(&text), "x = ", 4);
    ls_text_free(&text);
    assert_true(n < 10000);
  }
  assert_non_null(strstr(whole, "key1 = {[1], name = {1, of = [1]}}, key10 = "));
  lua_close(L);
}

static void little_room(void **state) {
  (void)state;
  lua_State *L = with("return {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}");
  static const struct {
    size_t width;
    const char *shown;
  } cases[] = {{80, "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]"},
               {40, "[1, 2, 3, 4, 5, ... 10 more]"},
               {25, "[... 15 more]"},
               {23, "[... 15 more]"},
               {10, "[... 15..."}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ls_text text = {0};
    ls_print_brief(L, -1, cases[i].width, &text);
    assert_string_equal(ls_text_str(&text), cases[i].shown);
    ls_text_free(&text);
  }
  lua_close(L);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_allocation_fails),
      cmocka_unit_test(little_room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
