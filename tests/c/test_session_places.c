/* Stops at every place where Lua code can be executing; interrupts, scripts, and failing allocations. */
#include "session_fixture.h"
#include "run/record/journal.h"

#include <signal.h>
#include <unistd.h>

/* --- every place where a run can stop -----------------------------------------------------------------
 */

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
  /* from the prompt, a coroutine that is stopped cannot be resumed */
  run("function kept() C = coroutine.create(function() one() return 'late' end) return coroutine.resume(C) end");
  assert_int_equal(ls_session_start("kept()"), LS_PAUSED);
  assert_value("coroutine.status(C)", "normal");
  assert_non_null(strstr(value("coroutine.resume(C)"), "this coroutine is stopped"));
  assert_non_null(strstr(value("coroutine.close(C)"), "this coroutine is stopped"));
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
  u64 missed = 0;
  assert_int_equal(steps_of("subbed()", "ABC"), 0);
  assert_int_equal(calls, before + 3);
  assert_true(ls_session_missed(&missed)); /* and the session reports how many stops it missed */
  assert_int_equal(missed, 3);
  assert_int_equal(steps_of("(('abc'):upper())", "ABC"), 0);
  assert_true(ls_session_missed(&missed));
  assert_int_equal(missed, 0);
  assert_int_equal(steps_of("inner(3)", "30"), 3);
  assert_false(ls_session_missed(&missed));
  assert_int_equal(ls_session_start("inner(3)"), LS_PAUSED);
  assert_int_equal(ls_session_finish(), LS_DONE);
  assert_string_equal(outcome(), "30");
  assert_false(ls_session_missed(&missed));
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

static void test_finalizer(void **state) {
  (void)state;
  run("function f() setmetatable({}, {__gc = function() one(1) end}) collectgarbage() two(5) return 'f' end");
  assert_int_equal(ls_session_start("f()"), LS_PAUSED);
  assert_line("before two");
  assert_line("1 primitive late");
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_line("moved 5");
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "f");
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
  assert_int_equal(ls_session_start("count(2)"),
                   LS_PAUSED); /* starting another run abandons the stopped one */
  assert_value("closed", "22");
  assert_int_equal(ls_session_step(9), LS_DONE);
  lua_settop(ls_session_lua(), 0);
}

/* --- Ctrl-C, files, memory -------------------------------------------------------------------------------
 */

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
  /* if no primitive follows, the second Ctrl-C ends the run */
  run("function g() one() ctrl_c() ctrl_c() while true do pcall(string.rep, 'x') end end");
  assert_int_equal(ls_session_start("g()"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_ERROR);
  assert_non_null(strstr(outcome(), "interrupted"));
  /* Ctrl-C as a signal, at 20 different moments of a loop */
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
  assert_int_equal(ls_session_run_file(path, 2, argv, NULL), LS_DONE);
  assert_int_equal(ls_session_results(), 0);
  assert_value("got", "a,b2");
  snprintf(spec, sizeof spec, "%s:3", strrchr(path, '/') + 1);
  assert_int_equal(ls_session_break(spec, false, &id), LS_OK);
  assert_int_equal(ls_session_run_file(path, 0, NULL, NULL), LS_DONE); /* batch mode never stops */
  ls_session_may_pause(true);
  assert_int_equal(ls_session_run_file(path, 0, NULL, NULL), LS_PAUSED);
  assert_line("at ");
  assert_line(":3  break 1");
  assert_int_equal(ls_session_continue(), LS_DONE);
  lua_settop(ls_session_lua(), 0);
  write_file(path, "x = = 1\n");
  assert_int_equal(ls_session_run_file(path, 0, NULL, NULL), LS_ERROR);
  assert_non_null(strstr(outcome(), ":1: unexpected symbol"));
  unlink(path);
  assert_int_equal(ls_session_run_file(path, 0, NULL, NULL), LS_ERROR);
  assert_int_equal(ls_last_status(), LS_EINPUT);
  lua_settop(ls_session_lua(), 0);
}

static void test_many_steps(void **state) {
  (void)state;
  ls_journal_budget(64 << 10); /* old stops are forgotten, and their locals with them */
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
  ls_journal_budget((u64)LS_JOURNAL_MIB << 20);
  lua_gc(ls_session_lua(), LUA_GCCOLLECT);
  assert_true(lua_gc(ls_session_lua(), LUA_GCCOUNT) <= before + 16);
}

/* Each of Lua's allocations in a session fails once. */
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
  const struct CMUnitTest tests[] = {
      SESSION_TEST(test_coroutines), SESSION_TEST(test_not_yieldable), SESSION_TEST(test_finalizer),
      SESSION_TEST(test_pcall),      SESSION_TEST(test_abandon),       SESSION_TEST(test_interrupt),
      SESSION_TEST(test_run_file),   SESSION_TEST(test_many_steps),    SESSION_TEST(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
