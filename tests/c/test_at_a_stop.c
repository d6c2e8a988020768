/* What can be done at a stop: names that are given new values. */
#include "session_fixture.h"

static void assigning_sets_the_local(void **state) {
  (void)state;
  run("local up = 5"
      " function passes() local n, limit = 0, 3 repeat n = n + 1 one(limit - n) until n >= limit return n + up end");
  assert_int_equal(ls_session_start("passes()"), LS_PAUSED);
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_value("(function() limit, up = 4, 50 return limit, up end)()", "4");
  assert_value("rawget(_G, 'limit') == nil and rawget(_G, 'up') == nil", "true");
  run("other = 7"); /* no local: a global */
  assert_value("rawget(_G, 'other')", "7");
  /* back at the moment it was as it was, and nothing can be set there */
  assert_int_equal(ls_session_back(2), LS_PAUSED);
  assert_value("limit", "3");
  assert_non_null(strstr(value("(function() limit = 9 end)()"), "limit cannot be set: in the past (#"));
  assert_value("rawget(_G, 'limit')", "nil");
  run("other = 8");
  assert_value("other", "8");
  assert_int_equal(ls_session_forward(0), LS_PAUSED);
  assert_value("limit", "4");
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "54");
}

/* What was assigned is what is read, though counts and marks come before locals. */
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
  assert_int_equal(ls_session_back(1), LS_PAUSED); /* a stop of its own */
  assert_line("changed by hand");
  assert_int_equal(ls_session_continue(), LS_DONE);
  assert_string_equal(outcome(), "41");
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

int main(void) {
  const struct CMUnitTest tests[] = {
      SESSION_TEST(assigning_sets_the_local),
      SESSION_TEST(what_is_assigned_is_read),
      SESSION_TEST(names_at_a_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
