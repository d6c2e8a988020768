/* The session over two made-up primitives: every kind of stop, in every place where Lua can stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/mem.h"
#include "core/wait.h"
#include "lua/session.h"
#include "run/dispatch.h"

/* --- stand-ins for what is linked when it is there
 * ---------------------------------------------------------- */

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
WEAK bool ls_compare_on(ls_device **a, ls_device **b) {
  *a = *b = NULL;
  return false;
}
WEAK const char *ls_compare_report(void) { return ""; }
WEAK void ls_open_all(lua_State *L) { (void)L; }

/* relax and another row of the table stand for the two; their records name these, with known COUNTs. */
static const ls_arg one_args[] = {{LS_COUNT, LS_U32, "improved", "1"}};
static const ls_arg two_args[] = {{LS_COUNT, LS_U32, "moved", "1"}};
static ls_prim rows[2] = {{.name = "relax", .args = one_args, .nargs = 1}, {.args = two_args, .nargs = 1}};
static ls_device device = {.name = "cpu"};

static int calls; /* of primitives, ever */

static u64 launch(int row, u64 count) {
  ls_record r = {.seq = ls_trace_next_seq(), .prim = &rows[row], .device = &device, .counts = {count}};
  r.begin = ls_now();
  r.end = r.begin + 0.00131;
  ls_trace_add(&r);
  calls++;
  return count;
}

/* one(k) and two(k): a primitive whose COUNT is k, which it returns, with the argument again. */
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

static int one(lua_State *L) { return ls_session_around(L, launch_one); }
static int two(lua_State *L) { return ls_session_around(L, launch_two); }
static int failing(lua_State *L) { return ls_session_around(L, launch_failing); }

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

/* What an expression at the prompt gives, as text. */
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

/* What a finished or failed run left on the stack. */
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
    "function fixed() two(7) fixpoint(one, 5) two(8) fixpoint(one, 3) two(9) return 'fixed' end\n";

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
  assert_int_equal(luaL_loadbuffer(L, prelude, sizeof prelude - 1, "@prelude.lua"), LUA_OK);
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
#define assert_value(expr, expected) assert_string_equal(value(expr), expected)

/* --- the prompt
 * --------------------------------------------------------------------------------------------- */

static void test_eval(void **state) {
  (void)state;
  assert_value("1 + 1", "2");
  assert_value("x = 5", "nothing");
  assert_value("x", "5");
  assert_value("for i = 1, 2 do", "unfinished");
  assert_value("f(", "unfinished");
  assert_value("x +", "unfinished");
  assert_non_null(strstr(value("x x"), "syntax error"));
  assert_non_null(strstr(value("error('here')"), "test:1: here"));
  assert_non_null(strstr(ls_session_traceback(), "stack traceback"));
  assert_non_null(strstr(value("failing()"), "expected f32[10], got i32[8]"));
  assert_int_equal(ls_last_status(), LS_EARG);
  assert_value("error({})", "(error object is a table value)");
  assert_value("error(setmetatable({}, {__tostring = function() return 'mine' end}))", "mine");
  assert_non_null(strstr(value("error(setmetatable({}, {__tostring = error}))"), "__tostring fails"));
  assert_non_null(strstr(value("local function f() return 1 + f() end f()"), "stack overflow"));
  assert_non_null(value("xpcall(error, function() error('again') end)"));
  assert_non_null(strstr(value("coroutine.yield(1)"), "outside a coroutine"));
  assert_value("select(2, coroutine.running())", "true");
  assert_value("count(10)", "counted");
  assert_int_equal(calls, 10);
  assert_int_equal(stops, 0);
}

static void test_nothing_started(void **state) {
  (void)state;
  assert_int_equal(ls_session_step(1), LS_ERROR);
  assert_non_null(strstr(outcome(), "nothing is started: start f(args)"));
  assert_int_equal(ls_session_until("x"), LS_ERROR);
  lua_settop(ls_session_lua(), 0);
  assert_int_equal(ls_session_abandon(), LS_EARG);
}

/* --- stepping
 * ----------------------------------------------------------------------------------------------- */

static void test_step(void **state) {
  (void)state;
  assert_int_equal(ls_session_start("count(5)"), LS_PAUSED);
  assert_int_equal(calls, 0);
  assert_string_equal(stop_line, "before one lib.lua:1");
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_int_equal(calls, 1);
  assert_line(" relax 1.31 ms improved 4 lib.lua:1");
  assert_int_equal(ls_session_step(3), LS_PAUSED);
  assert_int_equal(calls, 4);
  assert_line("improved 2->1");
  assert_value("count(3)", "counted"); /* beside it, freely */
  assert_value("improved", "1");       /* what ran beside it is not its own */
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_line("improved 1->0 ");
  assert_int_equal(ls_session_step(9), LS_DONE);
  assert_int_equal(ls_session_results(), 2);
  assert_string_equal(outcome(), "counted");
  assert_false(ls_session_paused());
  assert_null(ls_session_stop());
}

static void test_results_survive(void **state) {
  (void)state;
  run("function f() local a, b = one(41) return a + 1, b end");
  assert_int_equal(ls_session_start("f()"), LS_PAUSED);
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "42");
}

static void test_no_primitive(void **state) {
  (void)state;
  assert_int_equal(ls_session_start("1 + 1, 3"), LS_DONE);
  assert_int_equal(ls_session_results(), 2);
  assert_string_equal(outcome(), "2");
  assert_int_equal(stops, 0);
}

static void test_next(void **state) {
  (void)state;
  assert_int_equal(ls_session_start("fixed()"), LS_PAUSED);
  assert_int_equal(ls_session_next(1), LS_PAUSED);
  assert_line("moved 7");
  assert_int_equal(ls_session_next(1), LS_PAUSED);
  assert_int_equal(calls, 6);
  assert_line("improved 1->0");
  assert_line("lib.lua:23");
  assert_int_equal(ls_session_next(1), LS_PAUSED);
  assert_line("moved 7->8");
  assert_int_equal(ls_session_step(1), LS_PAUSED); /* into the second fixpoint */
  assert_line("improved 0->2");
  assert_int_equal(ls_session_next(1), LS_PAUSED); /* inside it, a primitive is a step */
  assert_line("improved 2->1");
  assert_int_equal(ls_session_next(2), LS_PAUSED);
  assert_line("moved 8->9");
  assert_int_equal(ls_session_next(1), LS_DONE);
  assert_string_equal(outcome(), "fixed");
}

static int stepped_answer;

static int ask_stepped(lua_State *L) {
  stepped_answer = ls_session_stepped();
  lua_getglobal(L, "session");
  lua_getfield(L, -1, "stepped");
  lua_call(L, 0, 1);
  assert_int_equal(lua_toboolean(L, -1), stepped_answer);
  return 0;
}

/* Loops may run fused exactly where nothing can want to stop inside. */
static void test_stepped(void **state) {
  (void)state;
  int id;
  lua_register(ls_session_lua(), "ask", ask_stepped);
  run("function f() one() ask() one() ask() one() ask() one() ask() one() ask() one() end ask()");
  assert_false(stepped_answer);
  assert_int_equal(ls_session_start("f()"), LS_PAUSED);
  ls_session_step(2);
  assert_true(stepped_answer);
  ls_session_next(1);
  assert_false(stepped_answer);
  ls_session_until("improved == 0");
  assert_true(stepped_answer);
  assert_int_equal(ls_session_break("iter 5", false, &id), LS_OK);
  assert_int_equal(ls_session_break("lib.lua:1", false, &id), LS_OK);
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_false(stepped_answer);
  assert_int_equal(ls_session_break("relax if improved == 77", false, &id), LS_OK);
  assert_int_equal(ls_session_start("f()"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_true(stepped_answer);
  run("ask()");
  assert_false(stepped_answer);
}

static void test_until(void **state) {
  (void)state;
  assert_int_equal(ls_session_start("count(100)"), LS_PAUSED);
  assert_int_equal(ls_session_until("improved < 40"), LS_PAUSED);
  assert_line("improved 40->39");
  assert_line("until");
  assert_int_equal(ls_session_until("i == 70"), LS_PAUSED); /* a local */
  assert_line("->30");
  assert_int_equal(ls_session_until("improved <"), LS_ERROR);
  lua_settop(ls_session_lua(), 0);
  assert_int_equal(ls_session_until("improved + {}"), LS_PAUSED);
  assert_line("arithmetic");
  assert_int_equal(ls_session_until("moved == 0"), LS_DONE); /* never known */
  lua_settop(ls_session_lua(), 0);
}

static void test_iter(void **state) {
  (void)state;
  int id;
  assert_int_equal(ls_session_start("looped(9)"), LS_PAUSED);
  assert_int_equal(ls_session_iter(1), LS_PAUSED);
  assert_string_equal(stop_line, "iter 1 improved 8 lambda 0.5 lib.lua:16");
  assert_int_equal(ls_session_iter(2), LS_PAUSED);
  assert_line("iter 3 improved 6");
  assert_value("lambda", "0.5");
  assert_int_equal(ls_session_break("iter 6", false, &id), LS_OK);
  assert_int_equal(ls_session_continue(), LS_PAUSED);
  assert_line("iter 6");
  assert_line("break 1");
  assert_int_equal(ls_session_break("iter if improved == 1", false, &id), LS_OK);
  assert_int_equal(ls_session_continue(), LS_PAUSED);
  assert_line("iter 8");
  assert_line("break 2");
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "0"); /* the loop's mark is gone after it */
  assert_int_equal(ls_session_start("unmarked(4)"), LS_PAUSED);
  assert_int_equal(ls_session_iter(2), LS_PAUSED);
  assert_line("iter 2 lib.lua:22");
  assert_int_equal(ls_session_delete(0), LS_OK);
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "4");
}

static void test_finish(void **state) {
  (void)state;
  assert_int_equal(ls_session_start("outer()"), LS_PAUSED);
  assert_line("lib.lua:4");
  assert_int_equal(ls_session_finish(), LS_PAUSED);
  assert_line("lib.lua:10");
  assert_line("finished");
  assert_int_equal(calls, 2);
  assert_value("a", "10");
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_line("lib.lua:4");
  assert_int_equal(ls_session_finish(), LS_PAUSED);
  assert_line("lib.lua:11");
  assert_int_equal(ls_session_finish(), LS_DONE);
  assert_string_equal(outcome(), "30");
}

/* --- breakpoints
 * -------------------------------------------------------------------------------------------- */

static void test_break_name(void **state) {
  (void)state;
  char spec[64];
  int id;
  snprintf(spec, sizeof spec, "%s", rows[1].name);
  assert_int_equal(ls_session_break(spec, false, &id), LS_OK);
  assert_int_equal(ls_session_start("outer()"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_PAUSED);
  assert_int_equal(calls, 2);
  assert_line("moved 2 lib.lua:5  break 1");
  assert_int_equal(ls_session_continue(), LS_PAUSED);
  assert_int_equal(calls, 4);
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_int_equal(ls_session_delete(id), LS_OK);
  assert_int_equal(ls_session_delete(id), LS_EARG);
  assert_int_equal(ls_session_break("relax if improved == 2 and mine == 20", true, &id), LS_OK);
  assert_int_equal(ls_session_start("outer()"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_PAUSED);
  assert_line("improved 1->2");
  assert_line("tbreak 2");
  ls_breakpoint b;
  assert_false(ls_session_breakpoint(0, &b));
  assert_int_equal(ls_session_break("relaks", false, &id), LS_EARG);
  assert_non_null(strstr(ls_error(), "did you mean relax?"));
  assert_int_equal(ls_session_break("relax if (", false, &id), LS_EARG);
  assert_int_equal(ls_session_abandon(), LS_OK);
}

static void test_break_line(void **state) {
  (void)state;
  int id;
  assert_int_equal(ls_session_break("lib.lua:5 if k == 2", false, &id), LS_OK);
  assert_int_equal(ls_session_start("outer()"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_PAUSED);
  assert_string_equal(stop_line, "at lib.lua:5  break 1");
  assert_int_equal(calls, 3);
  assert_value("mine", "20");
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_line("moved 2->3");
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "30");
  /* in the user's own coroutine */
  assert_int_equal(ls_session_start("coroutine.wrap(outer)()"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_PAUSED);
  assert_line("lib.lua:5");
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "30");
  assert_null(lua_gethook(ls_session_lua()));
}

static void test_watch(void **state) {
  (void)state;
  int id;
  run("level = 3");
  assert_int_equal(ls_session_watch("level", &id), LS_OK);
  run("function f() one(1) one(2) level = 'high' one(3) one(4) end");
  assert_int_equal(ls_session_start("f()"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_PAUSED);
  assert_line("improved 2->3");
  assert_line("watch 1: level 3 -> \"high\"");
  assert_int_equal(ls_session_continue(), LS_DONE);
  lua_settop(ls_session_lua(), 0);
  run("level = 0 function g() level = 1 one() end");
  assert_int_equal(ls_session_delete(0), LS_OK);
  assert_int_equal(ls_session_start("g()"), LS_PAUSED); /* after the assignment */
  assert_int_equal(ls_session_watch("level", &id), LS_OK);
  run("level = 2");
  assert_int_equal(ls_session_continue(), LS_PAUSED);
  assert_line("level 1 -> 2");
  assert_int_equal(ls_session_continue(), LS_DONE);
  lua_settop(ls_session_lua(), 0);
  assert_int_equal(ls_session_watch("level +", &id), LS_EARG);
}

static char shown[512];

static void show_display(int id, const char *expr, const char *shown_value) {
  snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%d: %s = %s\n", id, expr, shown_value);
}

static void show_local(const char *name, const char *shown_value) {
  snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%s = %s\n", name, shown_value);
}

static void show_frame(int level, const char *where, const char *function) {
  snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%d %s %s\n", level, where, function);
}

static void test_look(void **state) {
  (void)state;
  int id;
  assert_int_equal(ls_session_display("mine + improved", &id), LS_OK);
  assert_int_equal(ls_session_display("mine .. nothing", &id), LS_OK);
  assert_int_equal(ls_session_display("mine + {}", &id), LS_OK);
  assert_int_equal(ls_session_start("coroutine.wrap(function() return outer() end)()"), LS_PAUSED);
  assert_int_equal(ls_session_step(3), LS_PAUSED);
  *shown = '\0';
  ls_session_displays(show_display);
  assert_non_null(strstr(shown, "1: mine + improved = 22\n2: mine .. nothing = not known here\n3: "));
  assert_non_null(strstr(shown, "arithmetic on a table"));
  *shown = '\0';
  ls_session_locals(show_local);
  assert_string_equal(shown, "k = 2\nmine = 20\n");
  *shown = '\0';
  ls_session_backtrace(show_frame);
  assert_non_null(strstr(shown, "0 lib.lua:4 inner\n1 lib.lua:10 outer\n"));
  run("y = mine + k");
  assert_value("y", "22");
  assert_int_equal(ls_session_undisplay(0), LS_OK);
  assert_int_equal(ls_session_continue(), LS_DONE);
  lua_settop(ls_session_lua(), 0);
  assert_value("y", "22");
  assert_value("mine", "nil");
}

/* --- everywhere Lua can stand
 * ------------------------------------------------------------------------------- */

static int steps_of(const char *expr, const char *result) {
  int n = 0;
  ls_ran ran = ls_session_start(expr);
  for (; ran == LS_PAUSED; n++) ran = ls_session_step(1);
  assert_int_equal(ran, LS_DONE);
  assert_string_equal(outcome(), result);
  return n;
}

static void test_coroutines(void **state) {
  (void)state;
  run("function gen(n) return coroutine.wrap(function() for i = 1, n do one(i) coroutine.yield(i, nil) end end) end");
  run("function sum() local s = 0 for i in gen(4) do two(s) s = s + i end return s end");
  assert_int_equal(steps_of("sum()", "10"), 9);
  run("function deep(n) if n == 0 then one() return 'bottom' end"
      "  local co = coroutine.create(deep) local ok, v = coroutine.resume(co, n - 1) assert(ok) return v end");
  assert_int_equal(steps_of("deep(50)", "bottom"), 2);
  run("function fails() local co = coroutine.create(function() one() error('inside') end)"
      "  local ok, m = coroutine.resume(co) return m .. coroutine.status(co) end");
  assert_int_equal(steps_of("fails()", "test:1: insidedead"), 2);
  run("function wrapped() return select(2, pcall(coroutine.wrap(function() one() error('inside') end))) end");
  assert_int_equal(steps_of("wrapped()", "test:1: inside"), 2);
  /* from the prompt, a coroutine that stands at a stop cannot be resumed */
  run("function kept() C = coroutine.create(function() one() return 'late' end) return coroutine.resume(C) end");
  assert_int_equal(ls_session_start("kept()"), LS_PAUSED);
  assert_value("coroutine.status(C)", "normal");
  assert_non_null(strstr(value("coroutine.resume(C)"), "stands at a stop"));
  assert_non_null(strstr(value("coroutine.close(C)"), "stands at a stop"));
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "true");
  assert_value("select(2, coroutine.resume(coroutine.running()))", "cannot resume non-suspended coroutine");
  assert_value("select(2, coroutine.resume(C))", "cannot resume dead coroutine");
  assert_value("coroutine.close(coroutine.create(print))", "true");
}

static void test_not_yieldable(void **state) {
  (void)state;
  run("function sorted() local t = {3, 1, 2} table.sort(t, function(a, b) one(a) return a < b end)"
      "  two() return table.concat(t) end");
  assert_int_equal(ls_session_start("sorted()"), LS_PAUSED);
  assert_line("before two");
  assert_line("late: no stop is possible inside a C function");
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_int_equal(ls_session_step(1), LS_DONE);
  assert_string_equal(outcome(), "123");
  int before = calls;
  run("function subbed() return (('abc'):gsub('.', function(c) one() return c:upper() end)) end");
  assert_int_equal(steps_of("subbed()", "ABC"), 0);
  assert_int_equal(calls, before + 3);
  run("V = setmetatable({}, {__add = function() return one(5) end, __index = function() return one(6) end})");
  assert_int_equal(steps_of("V + V + V.x", "11"), 3); /* metamethods called from Lua can stop */
  run("package.preload.algo = function() one() return {v = 'required'} end");
  assert_int_equal(steps_of("require('algo').v", "required"), 0);
  run("function inside() local t = {2, 1} table.sort(t, function(a, b)"
      "  return coroutine.wrap(function() one() return a < b end)() end) one() return t[1] end");
  assert_int_equal(steps_of("inside()", "1"), 2);
  run("function closes() do local x <close> = setmetatable({}, {__close = function() one() end}) end return 'c' end");
  assert_int_equal(steps_of("closes()", "c"), 2);
}

static void test_pcall(void **state) {
  (void)state;
  run("function guarded() local ok, m = pcall(function() one() one() failing() end) two() return m end");
  assert_int_equal(ls_session_start("guarded()"), LS_PAUSED);
  assert_int_equal(ls_session_step(2), LS_PAUSED);
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_line("moved 0");
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_non_null(strstr(outcome(), "failing: expected"));
  assert_int_equal(ls_session_start("inner(failing())"), LS_PAUSED);
  assert_int_equal(ls_session_step(1), LS_ERROR);
  assert_non_null(strstr(outcome(), "failing: expected"));
  assert_false(ls_session_paused());
  assert_value("1", "1");
}

static void test_abandon(void **state) {
  (void)state;
  run("closed = 0 function f() local a <close> = setmetatable({}, {__close = function() closed = closed + 1 end})"
      "  local g = coroutine.wrap(function()"
      "    local b <close> = setmetatable({}, {__close = function() one() closed = closed + 10 end}) one() end) g() end");
  assert_int_equal(ls_session_start("f()"), LS_PAUSED);
  assert_int_equal(ls_session_abandon(), LS_OK);
  assert_value("closed", "11");
  assert_false(ls_session_paused());
  assert_int_equal(ls_session_start("f()"), LS_PAUSED);
  assert_int_equal(ls_session_start("count(2)"), LS_PAUSED); /* another one takes its place */
  assert_value("closed", "22");
  assert_int_equal(ls_session_step(9), LS_DONE);
  lua_settop(ls_session_lua(), 0);
}

/* --- Ctrl-C, files, memory
 * ----------------------------------------------------------------------------------- */

static void on_alarm(int sig) {
  (void)sig;
  ls_interrupt();
  ls_session_interrupt();
}

static void interrupt_every(int microseconds) {
  signal(SIGALRM, on_alarm);
  ualarm((useconds_t)microseconds, (useconds_t)microseconds);
}

static void test_interrupt(void **state) {
  (void)state;
  assert_non_null(strstr(value("ctrl_c() while true do end"), "interrupted"));
  assert_int_equal(ls_last_status(), LS_EINTERRUPTED);
  assert_non_null(
      strstr(value("ctrl_c() while true do pcall(function() while true do end end) end"), "interrupted"));
  assert_non_null(
      strstr(value("ctrl_c() local function f() while true do xpcall(f, f) end end f()"), "interrupted"));
  assert_non_null(strstr(value("ctrl_c() coroutine.wrap(function() while true do pcall(error) end end)()"),
                         "interrupted"));
  assert_value("(function() for i = 1, 1e5 do end return 'alive' end)()", "alive");
  assert_false(ls_interrupted());
  /* an algorithm stops at its next primitive and goes on */
  run("function f() one(1) ctrl_c() two(2) one(3) return 'end' end");
  assert_int_equal(ls_session_start("f()"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_PAUSED);
  assert_line("before two");
  assert_line("interrupted");
  assert_false(ls_interrupted());
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "end");
  /* where no primitive comes, the second one ends it */
  run("function g() one() ctrl_c() ctrl_c() while true do pcall(string.rep, 'x') end end");
  assert_int_equal(ls_session_start("g()"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_ERROR);
  assert_non_null(strstr(outcome(), "interrupted"));
  /* as a signal, at any moment */
  for (int i = 0; i < 20; i++) {
    interrupt_every(2000 + 137 * i);
    assert_non_null(strstr(value("while true do pcall(count, 100) end"), "interrupted"));
  }
  ualarm(0, 0);
  signal(SIGALRM, SIG_DFL);
  ls_interrupt_clear();
}

static void write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static void test_run_file(void **state) {
  (void)state;
  char path[] = "/tmp/lockstep_session_XXXXXX", spec[128];
  int id, fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  char *argv[] = {"a", "b"};
  write_file(path, "got = table.concat({...}, ',') .. #arg\none(1)\ntwo(2)\nreturn 5\n");
  assert_int_equal(ls_session_run_file(path, 2, argv), LS_DONE);
  assert_int_equal(ls_session_results(), 0);
  assert_value("got", "a,b2");
  snprintf(spec, sizeof spec, "%s:3", strrchr(path, '/') + 1);
  assert_int_equal(ls_session_break(spec, false, &id), LS_OK);
  assert_int_equal(ls_session_run_file(path, 0, NULL), LS_DONE); /* batch mode never stops */
  ls_session_may_pause(true);
  assert_int_equal(ls_session_run_file(path, 0, NULL), LS_PAUSED);
  assert_line("at ");
  assert_line(":3  break 1");
  assert_int_equal(ls_session_continue(), LS_DONE);
  lua_settop(ls_session_lua(), 0);
  write_file(path, "x = = 1\n");
  assert_int_equal(ls_session_run_file(path, 0, NULL), LS_ERROR);
  assert_non_null(strstr(outcome(), ":1: unexpected symbol"));
  unlink(path);
  assert_int_equal(ls_session_run_file(path, 0, NULL), LS_ERROR);
  assert_int_equal(ls_last_status(), LS_EINPUT);
  lua_settop(ls_session_lua(), 0);
}

static void test_many_steps(void **state) {
  (void)state;
  assert_int_equal(ls_session_start("count(20000)"), LS_PAUSED);
  assert_int_equal(ls_session_step(100), LS_PAUSED);
  lua_gc(ls_session_lua(), LUA_GCCOLLECT);
  int before = lua_gc(ls_session_lua(), LUA_GCCOUNT);
  for (int i = 0; i < 10000; i++) assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_int_equal(ls_session_until("improved == 100"), LS_PAUSED);
  lua_gc(ls_session_lua(), LUA_GCCOLLECT);
  assert_true(lua_gc(ls_session_lua(), LUA_GCCOUNT) <= before + 16);
  assert_int_equal(ls_session_continue(), LS_DONE);
  lua_settop(ls_session_lua(), 0);
  for (int i = 0; i < 1000; i++) {
    assert_int_equal(ls_session_start("count(3)"), LS_PAUSED);
    run("return 1");
  }
  ls_session_abandon();
  lua_gc(ls_session_lua(), LUA_GCCOLLECT);
  assert_true(lua_gc(ls_session_lua(), LUA_GCCOUNT) <= before + 16);
}

/* Lua's memory runs out at every possible moment of a session. */
static u64 left;

static void *short_memory(void *ud, void *p, size_t old, size_t wanted) {
  (void)ud, (void)old;
  if (!wanted) {
    free(p);
    return NULL;
  }
  if ((!p || wanted > old) && left && --left == 0) return NULL;
  return realloc(p, wanted);
}

static void test_memory(void **state) {
  (void)state;
  lua_State *L = ls_session_lua();
  int id;
  lua_setallocf(L, short_memory, NULL);
  bool done = false;
  for (u64 k = 1; !done; k++) {
    assert_true(k < 2000);
    left = k;
    int n = 0;
    if (ls_session_break("relax if improved == 1 and mine", false, &id) == LS_OK &&
        ls_session_watch("i", &id) == LS_OK && ls_session_start("coroutine.wrap(outer)()") == LS_PAUSED &&
        ls_session_step(1) == LS_PAUSED && ls_session_until("improved == 2") == LS_PAUSED &&
        ls_session_eval("mine + 1", "=test", &n) == LS_DONE)
      done = ls_session_continue() == LS_DONE && left > 0;
    left = 0;
    lua_settop(L, 0);
    if (ls_session_paused()) ls_session_abandon();
    ls_session_delete(0);
    assert_value("one(4)", "4");
  }
}

int main(void) {
#define SESSION_TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
  const struct CMUnitTest tests[] = {
      SESSION_TEST(test_eval),         SESSION_TEST(test_nothing_started),
      SESSION_TEST(test_step),         SESSION_TEST(test_results_survive),
      SESSION_TEST(test_no_primitive), SESSION_TEST(test_next),
      SESSION_TEST(test_stepped),      SESSION_TEST(test_until),
      SESSION_TEST(test_iter),         SESSION_TEST(test_finish),
      SESSION_TEST(test_break_name),   SESSION_TEST(test_break_line),
      SESSION_TEST(test_watch),        SESSION_TEST(test_look),
      SESSION_TEST(test_coroutines),   SESSION_TEST(test_not_yieldable),
      SESSION_TEST(test_pcall),        SESSION_TEST(test_abandon),
      SESSION_TEST(test_interrupt),    SESSION_TEST(test_run_file),
      SESSION_TEST(test_many_steps),   SESSION_TEST(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
