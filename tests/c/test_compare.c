/* compare must detect a device that computes wrong values. A row's body is replaced by one that is wrong only
 * on cpu:1. Then a call fails; a started algorithm stops after the primitive, and continues with the outputs
 * of the first device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "lua/open.h"
#include "run/launch/dispatch.h"

static ls_launch_fn right; /* the body that was replaced */
static int errs_at;        /* index of the wrong element; -1: a COUNT is wrong */

static ls_status wrong_if_serial(ls_launch *L) {
  ls_status st = right(L);
  if (st || !L->serial) return st;
  if (errs_at < 0)
    L->counts[0]++;
  else if (L->prim->args[1].type == LS_I64)
    ((i64 *)L->bind.ptr[1])[errs_at]++;
  else
    ((u32 *)L->bind.ptr[1])[errs_at] ^= 1;
  return st;
}

/* Runs the row with a wrong result on cpu:1, then without. */
static void expect(const char *name, ls_buffer *x, ls_buffer *y, int at, const char *message) {
  ls_prim *p = ls_prim_find(name);
  ls_call c = {.prim = p, .type = LS_NONE, .buffers = {x, y}};
  ls_outcome out;
  right = p->run[LS_CPU][LS_NONE];
  errs_at = at;
  p->run[LS_CPU][LS_NONE] = wrong_if_serial;
  ls_compare(ls_device_find("cpu"), ls_device_find("cpu:1"));
  ls_status st = ls_dispatch(&c, &out);
  char seen[512];
  snprintf(seen, sizeof seen, "%s", ls_compare_report());
  p->run[LS_CPU][LS_NONE] = right;
  assert_int_equal(st, LS_EARG);
  assert_string_equal(seen, message);
  assert_int_equal(ls_dispatch(&c, &out), LS_OK); /* succeeds without the fault */
  assert_string_equal(ls_compare_report(), "");
  ls_compare(NULL, NULL);
}

static ls_buffer *buffer(ls_dtype type, u64 count) {
  ls_buffer *b;
  assert_int_equal(ls_buffer_new(type, count, 0, &b), LS_OK);
  return b;
}

static void test_elements(void **state) {
  (void)state;
  ls_buffer *x = buffer(LS_I32, 20), *y = buffer(LS_I64, 20);
  i32 *values = ls_buffer_update(x);
  for (int i = 0; i < 20; i++) values[i] = 10 * i;
  expect("widen", x, y, 7, "compare: widen: y[7]: cpu 70, cpu:1 71");
  expect("widen", x, y, 19, "compare: widen: y[19]: cpu 190, cpu:1 191");
  ls_buffer_release(x);
  ls_buffer_release(y);
}

/* Queues are compared as sets: first with a wrong length, then with a wrong item. */
static void test_queues(void **state) {
  (void)state;
  ls_buffer *x = buffer(LS_U32, 20), *y = buffer(LS_U32, 20);
  u32 *items = ls_buffer_update(x);
  for (u32 i = 0; i < 5; i++) items[i] = i ? 2 * i : 4;
  expect("copy_queue", x, y, 0, "compare: copy_queue: back[0]: cpu 4, cpu:1 5");
  expect("copy_queue", x, y, 3, "compare: copy_queue: back[3]: cpu 6, cpu:1 7");
  ls_buffer_release(x);
  ls_buffer_release(y);
}

static void test_counts(void **state) {
  (void)state;
  ls_buffer *comp = buffer(LS_U32, 9);
  expect("count_components", comp, NULL, -1, "compare: count_components: components: cpu 1, cpu:1 2");
  ls_buffer_release(comp);
}

/* to_real, whose result is slightly too large on cpu:1. */
static f64 error_of_serial;
static ls_status inexact_if_serial(ls_launch *L) {
  ls_status st = right(L);
  if (!st && L->serial) ((f64 *)L->bind.ptr[1])[3] += error_of_serial;
  return st;
}

static ls_status real_with(ls_agree agree, f64 relative, f64 absolute, f64 error) {
  ls_prim *p = ls_prim_find("to_real");
  const ls_arg *args = p->args;
  ls_arg own[3] = {args[0], args[1], {.name = NULL}};
  ls_buffer *x = buffer(LS_I64, 5), *y = buffer(LS_F64, 5);
  for (int i = 0; i < 5; i++) ((i64 *)ls_buffer_update(x))[i] = i - 3 ? 1000 * i : -1000;
  own[1].agree = agree;
  own[1].relative = relative;
  own[1].absolute = absolute;
  right = p->run[LS_CPU][LS_NONE];
  p->run[LS_CPU][LS_NONE] = inexact_if_serial;
  p->args = own;
  error_of_serial = error;
  ls_call c = {.prim = p, .type = LS_NONE, .buffers = {x, y}};
  ls_outcome out;
  ls_compare(ls_device_find("cpu"), ls_device_find("cpu:1"));
  ls_status st = ls_dispatch(&c, &out);
  ls_compare(NULL, NULL);
  p->args = args;
  p->run[LS_CPU][LS_NONE] = right;
  ls_buffer_release(x);
  ls_buffer_release(y);
  return st;
}

/* The row is EXACT; one of its arguments may have a tolerance of its own. */
static void test_agreement_of_an_argument(void **state) {
  (void)state;
  assert_int_equal(real_with(LS_AS_ROW, 0, 0, 0), LS_OK);
  assert_int_equal(real_with(LS_AS_ROW, 0, 0, 1e-9), LS_EARG);
  assert_string_equal(ls_error(), "compare: to_real: y[3]: cpu -1000, cpu:1 -999.99999999900001");
  assert_int_equal(real_with(LS_EXACT, 0, 0, 1e-9), LS_EARG);
  assert_int_equal(real_with(LS_TIE, 0, 0, 500), LS_OK);
  assert_int_equal(real_with(LS_TOLERANCE, 1e-12, 0, 0.9e-9), LS_OK);
  assert_int_equal(real_with(LS_TOLERANCE, 1e-12, 0, 1.2e-9), LS_EARG);
  assert_int_equal(real_with(LS_TOLERANCE, 0, 1e-3, 0.9e-3), LS_OK);
  assert_int_equal(real_with(LS_TOLERANCE, 0, 1e-3, 1.1e-3), LS_EARG);
}

/* --- in a session ----------------------------------------------------------------------------------------
 */

static char outcome[256];

/* The single result of an expression or of a finished run as text, or the error message. */
static const char *take(ls_ran ran) {
  lua_State *L = ls_session_lua();
  assert_int_not_equal(ran, LS_PAUSED);
  assert_true(lua_gettop(L) > 0);
  snprintf(outcome, sizeof outcome, "%s", luaL_tolstring(L, 1, NULL));
  lua_settop(L, 0);
  return outcome;
}

static const char *eval(const char *text) {
  int n;
  return take(ls_session_eval(text, "=test", &n));
}

/* A run that widens 0, 10, 20, ... under compare. */
static const char library[] = "x, y = buffer.new('i32', 20), buffer.new('i64', 20) "
                              "for i = 0, 19 do x[i] = 10 * i end "
                              "function run() local before = 'here' widen(x, y) "
                              "  local seen = y[7] widen(x, y) return seen .. ' and ' .. y[7] end "
                              "function sorted() "
                              "  table.sort({3, 1, 2}, function(a, b) widen(x, y) return a < b end) "
                              "  scan(y, buffer.new('i64', 20)) return 'sorted' end "
                              "return 'fine'";

static int open_session(void **state) {
  (void)state;
  if (!ls_session_open()) fail_msg("%s", ls_error());
  assert_string_equal(eval(library), "fine");
  ls_prim *p = ls_prim_find("widen");
  right = p->run[LS_CPU][LS_NONE];
  p->run[LS_CPU][LS_NONE] = wrong_if_serial;
  errs_at = 7;
  assert_string_equal(eval("compare('cpu', 'cpu:1') return 'on'"), "on");
  return 0;
}

static int close_session(void **state) {
  (void)state;
  ls_compare(NULL, NULL);
  ls_prim_find("widen")->run[LS_CPU][LS_NONE] = right;
  ls_session_close();
  return 0;
}

static void test_stop(void **state) {
  (void)state;
  assert_int_equal(ls_session_start("run()"), LS_PAUSED);
  for (int i = 0; i < 2; i++) { /* each of the two primitives */
    assert_int_equal(ls_session_continue(), LS_PAUSED);
    const ls_stop *stop = ls_session_stop();
    assert_int_equal(stop->kind, LS_STOP_AFTER);
    assert_string_equal(stop->record.prim->name, "widen");
    assert_string_equal(stop->why, "compare: widen: y[7]: cpu 70, cpu:1 71");
    assert_string_equal(eval("y[7]"), "70"); /* buffers and locals can be inspected */
    assert_string_equal(eval("before"), "here");
    assert_true(
        strstr(eval("widen(x, y)"), "y[7]: cpu 70, cpu:1 71")); /* a typed call fails instead of stopping */
  }
  assert_string_equal(take(ls_session_continue()), "70 and 70");
}

static void test_stop_by_steps(void **state) {
  (void)state;
  assert_int_equal(ls_session_start("run()"), LS_PAUSED);
  assert_int_equal(ls_session_step(2), LS_PAUSED);
  assert_string_equal(ls_session_stop()->why, "compare: widen: y[7]: cpu 70, cpu:1 71");
  errs_at = 9;
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  assert_string_equal(ls_session_stop()->why, "compare: widen: y[9]: cpu 90, cpu:1 91");
  assert_string_equal(take(ls_session_continue()), "70 and 70");
}

/* If Lua cannot yield after the primitive, the run stops at the next primitive after which it can. */
static void test_stop_late(void **state) {
  (void)state;
  assert_int_equal(ls_session_start("sorted()"), LS_PAUSED);
  assert_int_equal(ls_session_stop()->kind, LS_STOP_BEFORE);
  assert_string_equal(ls_session_stop()->name, "scan");
  assert_true(strstr(ls_session_stop()->why, "compare: widen: y[7]: cpu 70, cpu:1 71"));
  assert_true(strstr(ls_session_stop()->why, "late"));
  assert_string_equal(take(ls_session_continue()), "sorted");
}

static void test_error(void **state) {
  (void)state;
  assert_true(strstr(eval("run()"), "compare: widen: y[7]: cpu 70, cpu:1 71"));
  assert_false(ls_session_paused());
}

/* compare runs a stepped loop as a whole on the second device, instead of comparing single steps, because the
 * devices may need different passes. */
static ls_status wrong_component(ls_launch *L) {
  ls_status st = right(L);
  if (!st && L->serial) ((u32 *)L->bind.ptr[ls_arg_find(L->prim, "comp")])[7] = 5;
  return st;
}

static void test_stepped_loop(void **state) {
  (void)state;
  ls_prim *p = ls_prim_find("trim"), *widened = ls_prim_find("widen");
  widened->run[LS_CPU][LS_NONE] = right;
  right = p->run[LS_CPU][LS_NONE];
  p->run[LS_CPU][LS_NONE] = wrong_component;
  eval(
      "function loop() local s = state.scc(gen.path{50}) fixpoint(trim, s) return count_components(s.comp) end return 1");
  const char *report = "compare: trim_fix: comp[7]: cpu 7, cpu:1 5";
  assert_int_equal(ls_session_start("loop()"), LS_PAUSED);
  u64 steps = 0;
  while (ls_session_stop()->kind != LS_STOP_BEFORE || !steps) {
    assert_int_equal(ls_session_step(1), LS_PAUSED);
    assert_true(++steps < 100);
  }
  assert_string_equal(ls_session_stop()->name, "count_components");
  assert_string_equal(ls_session_stop()->why, report);
  assert_true(ls_session_stop()->record.seq - ls_session_first() + 1 ==
              steps - 1); /* the loop's steps are numbered, too */
  assert_string_equal(take(ls_session_continue()), "50");
  /* the same if the loop runs unstepped; and buffers written at the prompt meanwhile are not reported as
   * differences */
  assert_int_equal(ls_session_start("loop()"), LS_PAUSED);
  assert_int_equal(ls_session_continue(), LS_PAUSED);
  assert_string_equal(ls_session_stop()->why, report);
  assert_int_equal(ls_session_start("loop()"), LS_PAUSED);
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  eval("(function() s.comp[7] = 7 return 1 end)()");
  assert_int_equal(ls_session_step(100), LS_DONE);
  assert_string_equal(take(LS_DONE), "50");
  p->run[LS_CPU][LS_NONE] = right;
  right = widened->run[LS_CPU][LS_NONE];
}

int main(void) {
#define IN_SESSION(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_elements), cmocka_unit_test(test_queues),
      cmocka_unit_test(test_counts),   cmocka_unit_test(test_agreement_of_an_argument),
      IN_SESSION(test_stop),           IN_SESSION(test_stop_by_steps),
      IN_SESSION(test_stop_late),      IN_SESSION(test_error),
      IN_SESSION(test_stepped_loop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
