/* Ranges for profilers. With the profiler's headers: a fake listener records the ranges of runs, algorithms
 * and primitives. Without: ls_ranges_wanted() is false. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "lua/open.h"
#include "run/record/profiler_ranges.h"

static char seen[1 << 16]; /* "(run(scc(trim)(fill)))": ranges as they begin and end */
static int depth;

static void say(const char *text, const char *more) {
  const size_t n = strlen(seen);
  snprintf(seen + n, sizeof seen - n, "%s%s", text, more);
}

#ifdef LOCKSTEP_WITH_NVTX
#include <nvtx3/nvToolsExt.h>

static int push(const char *name) {
  say("(", name);
  return depth++;
}

static int pop(void) {
  say(")", "");
  return --depth;
}

static int listen(NvtxGetExportTableFunc_t table) {
  const NvtxExportTableCallbacks *callbacks = table(NVTX_ETID_CALLBACKS);
  NvtxFunctionTable functions = NULL;
  unsigned size = 0;
  if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &functions, &size)) return 0;
  *functions[NVTX_CBID_CORE_RangePushA] = (NvtxFunctionPointer)push;
  *functions[NVTX_CBID_CORE_RangePop] = (NvtxFunctionPointer)pop;
  return 1;
}

NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr = listen;
#endif

static int opened(void **state) {
  (void)state;
  if (!ls_session_open()) return -1;
  ls_session_may_pause(true);
  ls_device_use(ls_device_find("cpu:1"));
  return 0;
}

static int closed(void **state) {
  (void)state;
  ls_session_close();
  return 0;
}

static void lua(const char *text) {
  int n;
  *seen = '\0';
  if (ls_session_eval(text, "=test", &n) != LS_DONE)
    fail_msg("%s: %s", text, lua_tostring(ls_session_lua(), -1));
  lua_settop(ls_session_lua(), 0);
  assert_int_equal(depth, 0);
}

static int times(const char *what) {
  int n = 0;
  for (const char *s = seen; (s = strstr(s, what)); s++) n++;
  return n;
}

static void wanted(void **state) {
  (void)state;
#ifdef LOCKSTEP_WITH_NVTX
  assert_true(ls_ranges_wanted());
#else
  assert_false(ls_ranges_wanted());
  ls_range_begin("nobody listens");
  ls_range_end();
#endif
}

static void runs_algorithms_primitives(void **state) {
  (void)state;
  if (!ls_ranges_wanted()) skip();
  lua("g = gen.grid{7, 7, one_way = 0.8, seed = 2} b = buffer.new('u32', 9)");
  lua("fill(b, 1) fill(b, 2)");
  assert_string_equal(seen, "(fill(b, 1) fill(b, 2)(fill)(fill))");
  lua("r = scc.forward_backward(g)");
  assert_int_equal(strncmp(seen, "(r = scc.forward_backward(g)(scc(trim", 36), 0);
  assert_int_equal(times("(scc(trim"), 1);
  assert_true(times("(trim_fix)") >= 1 && times("(pick_pivots)") >= 1);
  lua("for i = 1, 3 do scc.forward_backward(g) end fill(b, 3)");
  assert_int_equal(times("(scc(trim"), 3);
  assert_int_equal(times("))(scc("), 2);      /* each range ends before the next begins, */
  assert_non_null(strstr(seen, "))(fill))")); /* the last one before a primitive outside of the algorithm */
  lua("pcall(scc.forward_backward, 7) fill(b, 4)"); /* the call is rejected before a range begins */
  assert_int_equal(times("(scc"), 1);               /* only in the name of the run */
  lua("function own() trace.algorithm('own') fill(b, 1) r = scc.forward_backward(g) fill(b, 2) end own()");
  assert_int_equal(times("(own(fill)(scc(trim"), 1);
  assert_non_null(strstr(seen, "))(fill)))"));
}

static void stops(void **state) {
  (void)state;
  if (!ls_ranges_wanted()) skip();
  *seen = '\0';
  ls_ran ran = ls_session_start("scc.forward_backward(g)");
  while (ran == LS_PAUSED) {
    assert_int_equal(depth, 0); /* no range is open at a stop */
    ran = ls_session_step(5);
  }
  assert_int_equal(ran, LS_DONE);
  lua_settop(ls_session_lua(), 0);
  assert_int_equal(depth, 0);
  assert_true(times("(trim)") >= 1);
  int n;
  *seen = '\0';
  assert_int_equal(ls_session_eval("scc.forward_backward(g) error('end')", "=test", &n), LS_ERROR);
  lua_settop(ls_session_lua(), 0);
  assert_int_equal(depth, 0);
  assert_int_equal(times("(scc("), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wanted),
      cmocka_unit_test(runs_algorithms_primitives),
      cmocka_unit_test(stops),
  };
  return cmocka_run_group_tests(tests, opened, closed);
}
