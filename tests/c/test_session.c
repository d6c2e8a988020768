/* Stops: at primitives, lines and marks, by every command and every kind of breakpoint. */
#include "session_fixture.h"

#include "run/record/profiler_ranges.h"

/* --- the prompt ------------------------------------------------------------------------------------------
 */

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

/* --- stepping --------------------------------------------------------------------------------------------
 */

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
  assert_value("count(3)", "counted"); /* runs without stops while outer is stopped */
  assert_value("improved", "1");       /* the COUNT of outer, not of count(3) */
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

/* A loop may run fused only if no stop is possible inside it. */
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
  assert_int_equal(ls_session_delete(0), LS_OK);
  run("function h() do local inside <close> = session.fixpoint() one() ask() one() ask() end one() ask() one() end");
  assert_int_equal(ls_session_start("h()"), LS_PAUSED);
  ls_session_step(1);
  ls_session_next(1);
  assert_true(stepped_answer); /* still inside the fixpoint in which the run stopped */
  ls_session_next(1);
  ls_session_next(1);
  assert_false(stepped_answer);
}

static void test_equalities(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"a == b", " _G.session.equal(a , b)"},
      {"s.level ~= 3 and b", " not _G.session.equal(s.level , 3 )and b"},
      {"f(x == 1, y) == {1}", " _G.session.equal(f( _G.session.equal(x , 1), y) , {1})"},
      {"'a == b' == [=[c == d]=]", " _G.session.equal('a == b' , [=[c == d]=])"},
      {"s:find(function(x) return x == 2 end)", "s:find(function(x) return _G.session.equal( x , 2 )end)"},
      {"a == b == c", NULL},
      {"a < b == c", NULL},
      {"x <= 3 or y >> 2 > 1", NULL},
      {"(a == b", NULL},
      {"a == 'b", NULL},
      {"== b", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = ls_session_equalities(cases[i][0]);
    assert_non_null(text);
    assert_string_equal(text, cases[i][1] ? cases[i][1] : cases[i][0]);
    ls_free(text);
  }
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
  assert_int_equal(ls_session_until("moved == 0"), LS_DONE); /* `moved` is never set */
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
  assert_string_equal(outcome(), "0"); /* after the loop its mark no longer exists */
  assert_int_equal(ls_session_start("unmarked(4)"), LS_PAUSED);
  assert_int_equal(ls_session_iter(2), LS_PAUSED);
  assert_line("iter 2 lib.lua:22");
  assert_int_equal(ls_session_delete(0), LS_OK);
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "4");
}

/* An iteration without primitives: start, step, next and until treat its mark as they treat a primitive. */
static void test_iterations_alone(void **state) {
  (void)state;
  assert_int_equal(ls_session_start("words(9)"), LS_PAUSED);
  assert_string_equal(stop_line, "iter 1 word odd left 8 lib.lua:26");
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_line("iter 2 word even left 7");
  assert_int_equal(ls_session_next(2), LS_PAUSED);
  assert_line("iter 4 word even left 5");
  assert_int_equal(ls_session_until("word == 'odd' and left < 3"), LS_PAUSED);
  assert_string_equal(stop_line, "iter 7 word odd left 2 lib.lua:26  until");
  assert_value("word .. it.n", "odd7");
  assert_int_equal(ls_session_back(1), LS_PAUSED); /* the iterations that `until` passed are recorded */
  assert_line("iter 6 word even left 3");
  assert_value("word .. it.n", "even6");
  assert_int_equal(ls_session_back(4), LS_PAUSED);
  assert_line("iter 2 word even left 7");
  assert_int_equal(ls_session_iter(1), LS_PAUSED);
  assert_line("iter 3");
  assert_int_equal(ls_session_until("left == 4"), LS_PAUSED);
  assert_line("iter 5");
  assert_int_equal(ls_session_forward(0), LS_PAUSED);
  assert_line("iter 7");
  assert_int_equal(ls_session_iter(2), LS_PAUSED);
  assert_line("iter 9 word odd left 0");
  assert_int_equal(ls_session_until("word == 'even'"), LS_DONE);
  assert_string_equal(outcome(), "9");
}

/* Primitives of an inner loop count for the outer iteration, too: the outer mark is no step. */
static void test_iterations_around_primitives(void **state) {
  (void)state;
  assert_int_equal(ls_session_start("nested(2)"), LS_PAUSED);
  assert_line("before one");
  assert_int_equal(ls_session_step(2), LS_PAUSED);
  assert_line("#2 relax");
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_line("#3 relax");
  assert_int_equal(ls_session_until("left == 0"), LS_DONE); /* no primitive comes after that mark */
  lua_settop(ls_session_lua(), 0);
}

static void test_finish(void **state) {
  (void)state;
  assert_int_equal(ls_session_start("outer()"), LS_PAUSED);
  assert_line("lib.lua:4");
  assert_int_equal(ls_session_finish(), LS_PAUSED);
  assert_line("lib.lua:10");
  assert_line("the function has returned");
  assert_int_equal(calls, 2);
  assert_value("a", "10");
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_line("lib.lua:4");
  assert_int_equal(ls_session_finish(), LS_PAUSED);
  assert_line("lib.lua:11");
  assert_int_equal(ls_session_finish(), LS_DONE);
  assert_string_equal(outcome(), "30");
}

/* --- breakpoints -----------------------------------------------------------------------------------------
 */

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

static void test_stop_line(void **state) {
  (void)state;
  static const ls_arg args[] = {{.role = LS_INOUT, .type = LS_W, .name = "dist", .extent = "n"},
                                {.role = LS_COUNT, .type = LS_U32, .name = "frontier", .extent = "1"},
                                {.role = LS_COUNT, .type = LS_U32, .name = "far", .extent = "1"}};
  static const ls_prim prim = {.name = "relax", .args = args, .nargs = 3};
  ls_stop stop = {.kind = LS_STOP_AFTER,
                  .recorded = true,
                  .repeated = true,
                  .previous = {1386, 7},
                  .where = "sssp.lua:18"};
  stop.record = (ls_record){
      .number = 30, .prim = &prim, .begin = 2, .end = 2.00131, .counts = {812, 9}, .bytes = 3.4191e9};
  char line[200];
  ls_session_stop_line(&stop, line, sizeof line);
  assert_string_equal(line, "#30 relax 1.31 ms frontier 1386->812 far 7->9 GB/s 2610 sssp.lua:18");
  static const struct {
    f64 seconds;
    const char *text;
  } times[] = {{2.5, " 2.50 s "},
               {0.0999, " 99.9 ms "},
               {0.9999, " 1.00 s "},
               {123e-6, " 123 us "},
               {4.56e-9, " 4.56 ns "}};
  for (int i = 0; i < 5; i++) {
    stop.record.begin = 0;
    stop.record.end = times[i].seconds;
    ls_session_stop_line(&stop, line, sizeof line);
    if (!strstr(line, times[i].text)) fail_msg("no `%s` in `%s`", times[i].text, line);
  }
  ls_session_stop_line(&stop, line, 20); /* cut, not overrun */
  assert_true(strlen(line) < 20);
}

/* The program without a profiler (test_profiler_ranges.c has a fake one). */
static void test_no_profiler(void **state) {
  (void)state;
  assert_false(ls_ranges_wanted());
  ls_range_begin("nobody listens");
  ls_range_end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      SESSION_TEST(test_no_profiler),
      SESSION_TEST(test_eval),
      SESSION_TEST(test_nothing_started),
      SESSION_TEST(test_stop_line),
      SESSION_TEST(test_step),
      SESSION_TEST(test_results_survive),
      SESSION_TEST(test_no_primitive),
      SESSION_TEST(test_next),
      SESSION_TEST(test_stepped),
      SESSION_TEST(test_equalities),
      SESSION_TEST(test_until),
      SESSION_TEST(test_iter),
      SESSION_TEST(test_iterations_alone),
      SESSION_TEST(test_iterations_around_primitives),
      SESSION_TEST(test_finish),
      SESSION_TEST(test_break_name),
      SESSION_TEST(test_break_line),
      SESSION_TEST(test_watch),
      SESSION_TEST(test_look),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
