/* What a user can do at a stop: assign to locals; look around where an error was raised; pause a
 * running line. */
#include "session_fixture.h"

#include <unistd.h>

#include "session/lines.h"

static void assigning_sets_the_local(void **state) {
  (void)state;
  run("local up = 5"
      " function passes() local n, limit = 0, 3 repeat n = n + 1 one(limit - n) until n >= limit return n + up end");
  assert_int_equal(ls_session_start("passes()"), LS_PAUSED);
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_value("(function() limit, up = 4, 50 return limit, up end)()", "4");
  assert_value("rawget(_G, 'limit') == nil and rawget(_G, 'up') == nil", "true");
  run("other = 7"); /* other is not a local, so this sets a global */
  assert_value("rawget(_G, 'other')", "7");
  /* in the past, limit has its old value, and locals cannot be set */
  assert_int_equal(ls_session_back(2), LS_PAUSED);
  assert_value("limit", "3");
  assert_non_null(
      strstr(value("(function() limit = 9 end)()"), "limit cannot be set: this stop is in the past (#"));
  assert_value("rawget(_G, 'limit')", "nil");
  run("other = 8");
  assert_value("other", "8");
  assert_int_equal(ls_session_forward(0), LS_PAUSED);
  assert_value("limit", "4");
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "54");
}

/* Normally a COUNT or mark hides a local of the same name at the prompt. If the local was assigned there, the
 * prompt reads the local. */
static void what_is_assigned_is_read(void **state) {
  (void)state;
  run("function f() local improved = 9 one(3) improved = improved + 1 two() return improved end");
  assert_int_equal(ls_session_start("f()"), LS_PAUSED);
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_value("improved", "3");
  run("improved = 40");
  assert_value("improved", "40");
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_value("improved", "41");
  assert_int_equal(ls_session_back(1), LS_PAUSED); /* the recording has a stop for the assignment */
  assert_line("changed by hand");
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "41");
}

/* The prompt's results _, _1 are not hidden by an algorithm's locals of these names. */
static void results_keep_their_names(void **state) {
  (void)state;
  run("function f() local _, _1, _a = 'thrown', 'away', 5 one(3) return _ .. _1 .. _a end");
  assert_int_equal(ls_session_start("f()"), LS_PAUSED);
  run("_, _1 = 42, 43");
  assert_value("_", "42");
  assert_value("_1", "43");
  assert_value("_a", "5");
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "thrownaway5");
}

static void names_at_a_line(void **state) {
  (void)state;
  int id;
  assert_int_equal(ls_session_break("lib.lua:5", false, &id), LS_OK);
  assert_int_equal(ls_session_start("inner(1)"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_PAUSED);
  assert_true(ls_session_knows("mine"));
  assert_true(ls_session_knows("improved"));
  assert_false(ls_session_knows("moved"));
  assert_false(ls_session_knows("print"));
  run("mine, k = 77, 0");
  assert_value("mine", "77");
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_line("moved 1");
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "77");
  assert_false(ls_session_knows("mine"));
}

/* --- errors ------------------------------------------------------------------------------------------------
 */

static void an_error_stops_where_it_is_raised(void **state) {
  (void)state;
  run("closed = 0 function bad(n) local x <close> = setmetatable({}, {__close = function() closed = closed + 1 end})"
      "  local kept = n * 2 one(n) one(n + 1) failing(kept) two() return kept end"
      " function around(n) local mine = 'outer' local r = bad(n) return r end");
  assert_int_equal(ls_session_start("around(4)"), LS_PAUSED);
  assert_int_equal(ls_session_step(2), LS_PAUSED);
  const int before = stops;
  assert_int_equal(ls_session_step(1), LS_ERROR);
  assert_non_null(strstr(outcome(), "failing: expected f32[10]"));
  assert_int_equal(stops, before + 1);
  assert_line("error test:1  it cannot go on");
  assert_true(ls_session_paused());
  assert_int_equal(ls_session_stop()->kind, LS_STOP_ERROR);
  assert_non_null(strstr(ls_session_failure(), "failing: expected f32[10]"));
  assert_value("kept, closed", "8");
  assert_value("closed", "0");
  /* an error at the prompt does not change the stop, and the run does not continue */
  assert_non_null(strstr(value("error('mine')"), "mine"));
  ls_ran (*const go[])(void) = {ls_session_continue, ls_session_finish};
  for (int i = 0; i < 2; i++) {
    assert_int_equal(go[i](), LS_ERROR);
    assert_non_null(
        strstr(outcome(), "the run ended by an error and cannot go on: test:1: failing: expected"));
  }
  assert_int_equal(ls_session_step(1), LS_ERROR);
  assert_int_equal(ls_session_until("true"), LS_ERROR);
  lua_settop(ls_session_lua(), 0);
  /* the steps that led to the error can be visited */
  assert_int_equal(ls_session_back(1), LS_PAUSED);
  assert_line("past (#");
  assert_value("improved", "5");
  assert_int_equal(ls_session_continue(), LS_ERROR);
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_line("error test:1");
  assert_line("the present");
  assert_int_equal(ls_session_abandon(), LS_OK);
  assert_null(ls_session_failure());
  assert_value("closed", "1");
  lua_settop(ls_session_lua(), 0);
}

static void what_stands_at_an_error_is_replaced(void **state) {
  (void)state;
  assert_int_equal(
      ls_session_start("(function() one() local t = {} table.sort({1, 2}, function() error(t) end) end)()"),
      LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_ERROR);
  assert_non_null(strstr(outcome(), "(error object is a table value)"));
  assert_true(ls_session_paused());
  assert_int_equal(ls_session_start("count(1)"), LS_PAUSED);
  assert_null(ls_session_failure());
  assert_int_equal(ls_session_continue(), LS_DONE);
  lua_settop(ls_session_lua(), 0);
  /* an error that the algorithm's own pcall catches is no stop */
  assert_int_equal(ls_session_start("pcall(function() one() error('caught') end)"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_DONE);
  lua_settop(ls_session_lua(), 0);
  /* an error before the run's first primitive is no stop */
  assert_int_equal(ls_session_start("nothing_there(1)"), LS_ERROR);
  assert_false(ls_session_paused());
  lua_settop(ls_session_lua(), 0);
}

static void an_error_may_end_it(void **state) {
  (void)state;
  ls_session_stop_on_error(false);
  run("function f() one() error('at once') end");
  assert_int_equal(ls_session_start("f()"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_ERROR);
  assert_non_null(strstr(outcome(), "at once"));
  assert_false(ls_session_paused());
  ls_session_stop_on_error(true);
  /* an interrupt ends the run without such a stop */
  run("function g() one() ctrl_c() ctrl_c() for i = 1, 1e9 do end end");
  assert_int_equal(ls_session_start("g()"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_ERROR);
  assert_string_equal(outcome(), "test:1: interrupted");
  assert_false(ls_session_paused());
}

static int frames;

static void count_frame(int level, const char *where, const char *function) {
  (void)level, (void)where, (void)function;
  frames++;
}

static void an_endless_recursion_can_be_looked_at(void **state) {
  (void)state;
  run("function deep(n) return 1 + deep(n + 1) end function f() one() return deep(1) end");
  assert_int_equal(ls_session_start("f()"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_ERROR);
  assert_non_null(strstr(outcome(), "stack overflow"));
  assert_value("n > 1000", "true");
  frames = 0;
  ls_session_backtrace(count_frame);
  assert_in_range(frames, 100, 300);
  assert_int_equal(ls_session_abandon(), LS_OK);
}

/* --- tables ------------------------------------------------------------------------------------------------
 */

static void push_length(lua_State *L, int i) { lua_pushfstring(L, "%d items", (int)lua_rawlen(L, i)); }

static char shown[80];

static void keep_display(int id, const char *expr, const char *text) {
  (void)id, (void)expr;
  snprintf(shown, sizeof shown, "%s", text);
}

/* Tables are compared by contents, not by address. */
static void tables_are_their_contents(void **state) {
  (void)state;
  int id;
  ls_session_on_text(push_length);
  run("function f() local t, list = {1, x = {y = true}}, function() return {3, 4} end"
      "  one(1) one(2) t.x.y = 2 ^ 53 one(3) t.x.y = 1 << 53 one(4) t[200] = 'far' one(5) t[200] = nil one(6) t.x = t one(7)"
      "  return #list() end");
  assert_int_equal(ls_session_start("f()"), LS_PAUSED);
  assert_int_equal(ls_session_display("list()", &id), LS_OK);
  ls_session_displays(keep_display);
  assert_string_equal(shown, "2 items");
  assert_int_equal(ls_session_watch("t", &id), LS_OK);
  assert_int_equal(ls_session_watch("list()", &id), LS_OK);
  static const lua_Integer changes[] = {3, 5, 6, 7};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(ls_session_continue(), LS_PAUSED);
    assert_line("watch 1: t has changed");
    assert_int_equal(ls_session_stop()->record.counts[0], changes[i]);
  }
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "2");
  ls_session_on_text(NULL);
}

/* --- lines with code ---------------------------------------------------------------------------------------
 */

static void write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

/* The lines with code that we read from a compiled chunk are those that Lua reports for its functions. */
static void lines_with_code(void **state) {
  (void)state;
  lua_State *L = ls_session_lua();
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  luaL_addstring(&b, "#!/usr/bin/env lockstep\nlocal all = {...}\n");
  for (int i = 0; i < 300; i++) /* large line numbers, long functions, constants of every kind */
    luaL_addstring(
        &b, i == 150   ? "all[#all + 1] = function(x, ...)\n\n  -- inside\n  return x + 1.5, ...\nend\n"
            : i == 200 ? "all[#all + 1] = function() return function() return {1 << 40, nil, true} end end\n"
            : i % 40   ? "\n"
                       : "for i = 1, 3 do all.x, all.y = {i, 'a', true, false, 7.25, nil}, [[\n\n]] end\n");
  luaL_addstring(
      &b, "function all.f()\n  goto out\n  do local y <const> = 3 end\n  ::out::\nend\nreturn all\n-- end\n");
  luaL_pushresult(&b);
  size_t bytes;
  const char *text = lua_tolstring(L, -1, &bytes);
  u64 lines;
  u8 *has = ls_lines_with_code(L, text, bytes, &lines);
  assert_non_null(has);
  lua_setglobal(L, "text");
  run("lines = {} local function add(f) for l in pairs(debug.getinfo(f, 'L').activelines) do lines[l] = true end end"
      "  local main = load((text:gsub('^[^\\n]*', ''))) add(main) local t = main()"
      "  for _, f in pairs(t) do if type(f) == 'function' then add(f) local g = f(1)"
      "    if type(g) == 'function' then add(g) end end end");
  lua_getglobal(L, "lines");
  int known = 0;
  for (u64 l = 1; l <= lines; l++) {
    lua_rawgeti(L, -1, (lua_Integer)l);
    if (lua_toboolean(L, -1) != has[l]) fail_msg("line %llu of the text", (unsigned long long)l);
    known += has[l];
    lua_pop(L, 1);
  }
  assert_in_range(known, 14, 60);
  lua_settop(L, 0);
  ls_free(has);
  assert_null(ls_lines_with_code(L, "x = = 1", 7, &lines));
  assert_int_equal(lua_gettop(L), 0);
}

static const char *break_text(int id) {
  static ls_breakpoint b;
  for (int i = 0; ls_session_breakpoint(i, &b); i++)
    if (b.id == id) return b.text;
  return "none";
}

static void a_breakpoint_is_where_code_is(void **state) {
  (void)state;
  char folder[] = "/tmp/lockstep-XXXXXX", path[64], spec[96];
  int id, again;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/bf.lua", folder);
  write_file(path, "-- a comment\nfunction bf()\n  one(1)\n\n  -- another\n  two(2)\nend\n-- the end\n");
  snprintf(spec, sizeof spec, "%s:4 if true", path);
  assert_int_equal(ls_session_break(spec, false, &id), LS_OK); /* the file exists but is not loaded */
  snprintf(spec, sizeof spec, "%s:6 if true", path);
  assert_string_equal(break_text(id), spec);
  assert_string_equal(ls_session_break_note(), "there is no code on line 4");
  assert_int_equal(ls_session_break(spec, false, &again),
                   LS_OK); /* the same place again: no second breakpoint */
  assert_int_equal(again, id);
  assert_string_equal(ls_session_break_note(), "");
  snprintf(spec, sizeof spec, "dofile('%s')", path);
  run(spec);
  assert_int_equal(ls_session_delete(0), LS_OK);
  assert_int_equal(ls_session_break("bf.lua:5", false, &id),
                   LS_OK); /* a file of this name is loaded from another folder */
  assert_string_equal(break_text(id), "bf.lua:6");
  assert_int_equal(ls_session_start("bf()"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_PAUSED);
  assert_line("at bf.lua:6  break");
  assert_int_equal(ls_session_break("bf.lua:8", false, &id), LS_EARG);
  assert_string_equal(ls_error(), "bf.lua has no code on line 8 or after it");
  assert_int_equal(ls_session_break("bf.lua:99", true, &id), LS_EARG);
  assert_string_equal(ls_error(), "bf.lua has 8 lines, there is no line 99");
  assert_int_equal(ls_session_break("nowhere.lua:7", false, &id), LS_OK);
  assert_string_equal(ls_session_break_note(), "no nowhere.lua is loaded yet; its line 7 is not checked");
  assert_int_equal(ls_session_continue(), LS_DONE);
  lua_settop(ls_session_lua(), 0);
  assert_int_equal(remove(path), 0);
  assert_int_equal(rmdir(folder), 0);
}

/* --- a pause -----------------------------------------------------------------------------------------------
 */

static bool could;

static int pause_now(lua_State *L) {
  (void)L;
  could = ls_session_pause();
  return 0;
}

static int launch_pausing(lua_State *L, int status, lua_KContext context) {
  pause_now(L);
  return launch_two(L, status, context);
}

static int pausing_two(lua_State *L) { return ls_session_around(L, launch_pausing, "two"); }

static ls_ran type(const char *text) {
  int n;
  return ls_session_eval(text, "=test", &n);
}

/* A typed line runs without stops; once paused, it can be stepped like a started algorithm. */
static void what_was_typed_can_be_paused(void **state) {
  (void)state;
  lua_register(ls_session_lua(), "pause", pause_now);
  lua_register(ls_session_lua(), "pausing_two", pausing_two);
  assert_int_equal(type("(function() local a = 5 one(3) pause() one(a) two(8) return 'end' end)()"),
                   LS_PAUSED);
  assert_true(could);
  assert_line("before one");
  assert_line("paused");
  assert_null(strstr(stop_line, "late"));
  assert_value("a", "5");
  assert_int_equal(type("pause()"), LS_DONE); /* only one run can be paused at a time */
  assert_false(could);
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_line("improved 3->5");
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "end");
  /* pauses in a Lua loop without primitives, inside a primitive, and in a started algorithm */
  assert_int_equal(type("\n\n  local i = 0\n while true do i = i + 1\n if i == 10 then pause() end end"),
                   LS_PAUSED);
  assert_line("at test:");
  assert_value("i", "10");
  assert_string_equal(ls_session_stop()->text, "local i = 0");
  assert_int_equal(ls_session_start("(function() one() pausing_two(4) return 1 end)()"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_PAUSED);
  assert_line("moved 4");
  assert_line("paused");
  assert_null(strstr(stop_line, "late"));
  assert_int_equal(ls_session_continue(), LS_DONE);
  lua_settop(ls_session_lua(), 0);
  /* Ctrl-C after a pause request interrupts at once; a request that found no place to stop is discarded when
   * the run ends */
  assert_non_null(strstr(value("(function() pause() ctrl_c() for i = 1, 1e9 do end end)()"), "interrupted"));
  assert_false(ls_session_paused());
  assert_int_equal(type("table.sort({2, 1}, function(a, b) pause() one() return a < b end)"), LS_DONE);
  assert_false(ls_session_paused());
  assert_value("1 + 1", "2");
  assert_false(ls_session_pause());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      SESSION_TEST(assigning_sets_the_local),
      SESSION_TEST(what_is_assigned_is_read),
      SESSION_TEST(results_keep_their_names),
      SESSION_TEST(names_at_a_line),
      SESSION_TEST(an_error_stops_where_it_is_raised),
      SESSION_TEST(what_stands_at_an_error_is_replaced),
      SESSION_TEST(an_error_may_end_it),
      SESSION_TEST(an_endless_recursion_can_be_looked_at),
      SESSION_TEST(tables_are_their_contents),
      SESSION_TEST(lines_with_code),
      SESSION_TEST(a_breakpoint_is_where_code_is),
      SESSION_TEST(what_was_typed_can_be_paused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
