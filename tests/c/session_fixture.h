/* Fixture of the session's suites: a session with two fake primitives, one(k) and two(k), and a small library
 * of algorithms that call them. */
#ifndef LS_TESTS_SESSION_FIXTURE_H
#define LS_TESTS_SESSION_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"
#include "lua/bind.h"
#include "session/session.h"

/* --- stubs of functions that the program links only in some builds ---------------------------------- */

#define WEAK __attribute__((weak))

WEAK int ls_prims(void) { return 2; }
WEAK ls_prim *ls_prim_at(int i) {
  static ls_prim table[2] = {{.name = "relax"}, {.name = "trim"}};
  return &table[i];
}
WEAK ls_prim *ls_prim_find(const char *name) {
  for (int i = 0; i < ls_prims(); i++)
    if (strcmp(ls_prim_at(i)->name, name) == 0) return ls_prim_at(i);
  return NULL;
}

/* relax and another row of the table play the two primitives: the trace records name these rows, with known
 * COUNTs. */
static const ls_arg one_args[] = {{.role = LS_COUNT, .type = LS_U32, .name = "improved", .extent = "1"}};
static const ls_arg two_args[] = {{.role = LS_COUNT, .type = LS_U32, .name = "moved", .extent = "1"}};
static ls_prim rows[2] = {{.name = "relax", .args = one_args, .nargs = 1}, {.args = two_args, .nargs = 1}};
static ls_device device = {.name = "cpu"};

static int calls; /* calls of primitives since the start of the suite */

static u64 launch(int row, u64 count) {
  ls_record r = {.seq = ls_trace_next_seq(), .prim = &rows[row], .device = &device, .counts = {count}};
  r.begin = ls_now();
  r.end = r.begin + 0.00131;
  ls_trace_add(&r);
  calls++;
  return count;
}

/* one(k) and two(k): a primitive whose COUNT is k. It returns the COUNT and the argument. */
static int launch_one(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  lua_pushinteger(L, (lua_Integer)launch(0, (u64)luaL_optinteger(L, 1, 0)));
  lua_pushvalue(L, 1);
  return 2;
}

static int launch_two(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  lua_pushinteger(L, (lua_Integer)launch(1, (u64)luaL_optinteger(L, 1, 0)));
  return 1;
}

static int launch_failing(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  return ls_raise(L, ls_fail(LS_EARG, "failing: expected f32[10], got i32[8]"));
}

static int one(lua_State *L) { return ls_session_around(L, launch_one, "one"); }
static int two(lua_State *L) { return ls_session_around(L, launch_two, "two"); }
static int failing(lua_State *L) { return ls_session_around(L, launch_failing, "failing"); }

/* Ctrl-C while Lua runs. */
static int ctrl_c(lua_State *L) {
  (void)L;
  ls_interrupt();
  ls_session_interrupt();
  return 0;
}

static char stop_line[512];
static int stops;

static void on_stop(const ls_stop *stop) {
  ls_session_stop_line(stop, stop_line, sizeof stop_line);
  stops++;
}

static void run(const char *text) {
  int n;
  ls_ran ran = ls_session_eval(text, "=test", &n);
  if (ran != LS_DONE) fail_msg("%s: %s", text, lua_tostring(ls_session_lua(), -1));
  lua_pop(ls_session_lua(), n);
}

static char text_of[512];

/* The value of an expression at the prompt, as text. */
static const char *value(const char *expr) {
  int n;
  lua_State *L = ls_session_lua();
  ls_ran ran = ls_session_eval(expr, "=test", &n);
  if (ran == LS_UNFINISHED) return "unfinished";
  if (ran == LS_DONE && n == 0) return "nothing";
  snprintf(text_of, sizeof text_of, "%s", luaL_tolstring(L, ran == LS_DONE ? -n : -1, NULL));
  lua_pop(L, (ran == LS_DONE ? n : 1) + 1);
  return text_of;
}

/* The result of a finished run or the message of a failed one, which it left on the stack. */
static const char *outcome(void) {
  lua_State *L = ls_session_lua();
  snprintf(text_of, sizeof text_of, "%s", luaL_tolstring(L, -2 + (lua_gettop(L) < 2), NULL));
  lua_settop(L, 0);
  return text_of;
}

static const char library[] =
    "function count(n) for i = 1, n do one(n - i) end return 'counted', n end\n" /* line 1 */
    "function inner(k)\n"
    "  local mine = k * 10\n"
    "  one(k)\n"
    "  two(k + 1)\n" /* 5 */
    "  return mine\n"
    "end\n"
    "function outer()\n"
    "  local a = inner(1)\n"
    "  local b = inner(2)\n" /* 10 */
    "  return a + b\n"
    "end\n"
    "function looped(n)\n"
    "  for it in iterations('state') do\n"
    "    one(n - it.n)\n" /* 15 */
    "    it:mark{improved = n - it.n, lambda = 0.5}\n"
    "    two(it.n)\n"
    "    if it.n == n then break end\n"
    "  end\n"
    "  return session.mark()\n" /* 20 */
    "end\n"
    "function unmarked(n) for it in iterations() do one() if it.n == n then return n end end end\n"
    "function fixed() two(7) fixpoint(one, 5) two(8) fixpoint(one, 3) two(9) return 'fixed' end\n"
    "function words(n)\n"
    "  for it in iterations() do\n"
    "    it:mark{word = it.n % 2 == 0 and 'even' or 'odd', left = n - it.n}\n"
    "    if it.n == n then return n end\n"
    "  end\n"
    "end\n"
    "function nested(n)\n"
    "  for it in iterations() do unmarked(n) it:mark{left = n - it.n} if it.n == n then break end end\n"
    "end\n";

static const char prelude[] = "function fixpoint(prim, from)\n"
                              "  local inside <close> = session.fixpoint()\n"
                              "  repeat from = from - 1 local c = prim(from) until c == 0\n"
                              "end\n";

static int open_session(void **state) {
  (void)state;
  rows[1].name = "trim";
  for (int i = 0; i < ls_prims(); i++)
    if (strcmp(ls_prim_at(i)->name, "relax") != 0) rows[1].name = ls_prim_at(i)->name;
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  assert_int_equal(ls_session_attach(L), LS_OK);
  ls_open_session(L);
  lua_register(L, "one", one);
  lua_register(L, "two", two);
  lua_register(L, "failing", failing);
  lua_register(L, "ctrl_c", ctrl_c);
  assert_int_equal(luaL_loadbuffer(L, library, sizeof library - 1, "@some/lib.lua"), LUA_OK);
  lua_call(L, 0, 0);
  assert_int_equal(luaL_loadbuffer(L, prelude, sizeof prelude - 1, "@base/loops.lua"), LUA_OK);
  lua_call(L, 0, 0);
  ls_session_on_stop(on_stop);
  stops = calls = 0;
  return 0;
}

static int close_session(void **state) {
  (void)state;
  ls_session_close();
  assert_null(ls_session_lua());
  return 0;
}

#define assert_line(part)                                                                                    \
  do {                                                                                                       \
    if (!strstr(stop_line, part)) fail_msg("no `%s` in `%s`", part, stop_line);                              \
  } while (0)
#define SESSION_TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
#define assert_value(expr, expected) assert_string_equal(value(expr), expected)

#endif
