/* The shipped algorithms, stepped: whatever commands are used, the result equals that of the unstepped run.
 */
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

#include "core/wait.h"
#include "lua/open.h"

static char result[256];

/* The single string that a finished run returned. */
static const char *take(ls_ran ran) {
  lua_State *L = ls_session_lua();
  const char *text = lua_gettop(L) ? lua_tostring(L, -1) : NULL;
  snprintf(result, sizeof result, "%s", text ? text : "nothing");
  if (ran != LS_DONE) fail_msg("%s", result);
  lua_settop(L, 0);
  return result;
}

static const char *eval(const char *text) {
  int n;
  return take(ls_session_eval(text, "=test", &n));
}

static int open_session(void **state) {
  (void)state;
  ls_progress_enable(false);
  if (!ls_session_open()) fail_msg("%s", ls_error());
  eval("graphs = {gen.rmat{scale = 9, degree = 3, seed = 2, weights = 'i32'},"
       "  gen.grid{20, 20, one_way = 0.6, seed = 3, weights = 'f64'}, gen.path{30}, gen.ring{17}}");
  eval(
      "function components(g) local r = scc(g) assert(check(r)) return 'scc ' .. r.count .. ' ' .. r.id:sum() end"
      " function teaching(g) local r = scc.forward_backward(g) assert(check(r)) return 'fb ' .. r.count end"
      " function paths(g) local r = sssp(g, 1, {form = 'near_far'}) assert(check(r))"
      "   return r.passes .. ' ' .. r.dist:sum() end");
  return 0;
}

static int close_session(void **state) {
  (void)state;
  ls_session_close();
  return 0;
}

typedef ls_ran (*drive)(int i);

static ls_ran by_steps(int i) {
  (void)i;
  return ls_session_step(1);
}

static ls_ran by_nexts(int i) {
  (void)i;
  return ls_session_next(1);
}

/* Alternates between commands that step inside a loop and commands that run the rest of it unstepped. */
static ls_ran mixed(int i) {
  switch (i % 5) {
  case 0: return ls_session_step(3);
  case 1: return ls_session_iter(1);
  case 2: return ls_session_step(1);
  case 3: return ls_session_finish();
  default: return ls_session_next(2);
  }
}

/* Interrupts each continued run at a random time: fused loops return early and are resumed. */
static void on_alarm(int sig) {
  (void)sig;
  ls_interrupt();
  ls_session_interrupt();
}

static int interrupts;

static ls_ran interrupted(int i) {
  ualarm(20 + (useconds_t)i * 7 % 500, 0);
  ls_ran ran = i % 3 == 2 ? ls_session_step(1) : ls_session_continue();
  ualarm(0, 0);
  interrupts += ran == LS_PAUSED && strstr(ls_session_stop()->why, "interrupted");
  return ran;
}

/* Every algorithm has the same result when `go` steps it as when it runs unstepped, with at least `least`
 * stops. */
static void same_by(drive go, int least) {
  static const char *const algorithms[] = {"components", "teaching", "paths"};
  for (int a = 0; a < 3; a++)
    for (int g = 1; g <= 4; g++) {
      char expr[64], expected[256];
      snprintf(expr, sizeof expr, "%s(graphs[%d])", algorithms[a], g);
      strcpy(expected, eval(expr));
      ls_ran ran = ls_session_start(expr);
      int stops = 0;
      for (; ran == LS_PAUSED; ran = go(stops++)) assert_true(stops < 100000);
      assert_string_equal(take(ran), expected);
      assert_true(stops >= least);
    }
}

static void test_steps(void **state) {
  (void)state;
  same_by(by_steps, 2);
}

static void test_nexts(void **state) {
  (void)state;
  same_by(by_nexts, 2);
}

static void test_mixed(void **state) {
  (void)state;
  same_by(mixed, 2);
}

static void test_interrupted(void **state) {
  (void)state;
  signal(SIGALRM, on_alarm);
  /* on a busy machine, or with a coarse clock, an alarm may come after the run has ended: then try again */
  for (f64 begun = ls_now(); interrupts <= 10 && ls_now() - begun < 60;) same_by(interrupted, 1);
  signal(SIGALRM, SIG_DFL);
  assert_true(interrupts > 10);
}

/* `step` runs one primitive, `next` a whole fixpoint: the sequence numbers of the records increase
 * accordingly. */
static void test_what_a_step_is(void **state) {
  (void)state;
  assert_int_equal(ls_session_start("paths(graphs[2])"), LS_PAUSED);
  assert_int_equal(ls_session_step(1), LS_PAUSED);
  u64 first = ls_session_stop()->record.seq;
  assert_string_equal(ls_session_stop()->record.prim->name, "relax_near");
  assert_int_equal(ls_session_step(5), LS_PAUSED);
  assert_true(ls_session_stop()->record.seq == first + 5);
  int id;
  assert_int_equal(ls_session_break("relax_near if grown == 0", false, &id), LS_OK);
  assert_int_equal(ls_session_continue(), LS_PAUSED);
  assert_true(ls_session_stop()->record.counts[0] == 0);
  assert_int_equal(ls_session_delete(0), LS_OK);
  assert_int_equal(ls_session_abandon(), LS_OK);
}

/* --- stops while compare is on -----------------------------------------------------------------------------
 */

/* Writes the stops of a run under mixed commands as text; numbers count from the run's first record. */
static void tell_stops(const char *expr, char *out, size_t bytes) {
  size_t used = 0;
  int stops = 0;
  ls_ran ran = ls_session_start(expr);
  const u64 first = ls_session_first();
  for (; ran == LS_PAUSED; ran = mixed(stops++)) {
    assert_true(stops < 100000);
    const ls_stop *s = ls_session_stop();
    used += (size_t)snprintf(out + used, bytes - used, "%d #%llu %s %s%s %llu %s %s\n", s->kind,
                             s->recorded ? (unsigned long long)(s->record.seq - first) : 0,
                             s->recorded ? s->record.prim->name : "-", s->name,
                             s->kind == LS_STOP_MARK ? s->marks : "",
                             s->recorded ? (unsigned long long)s->record.counts[0] : 0, s->where, s->why);
    assert_true(used < bytes);
  }
  snprintf(out + used, bytes - used, "%s", take(ran));
}

static void test_same_under_compare(void **state) {
  (void)state;
  static const char *const algorithms[] = {"components", "teaching", "paths", "maxima", "means"};
  static char alone[1 << 18], compared[1 << 18];
  eval("function maxima(g) return 'maxima ' .. scc.maxima(g).count end"
       " function means(g) return 'mean ' .. tostring(ocm(g).mean) end");
  for (int a = 0; a < 5; a++)
    for (int g = 1; g <= 4; g++) {
      char expr[64];
      snprintf(expr, sizeof expr, "%s(graphs[%d])", algorithms[a], g);
      tell_stops(expr, alone, sizeof alone);
      eval("(function() compare('cpu', 'cpu:1') return 'on' end)()");
      tell_stops(expr, compared, sizeof compared);
      eval("(function() compare(false) return 'off' end)()");
      assert_string_equal(compared, alone);
      assert_non_null(strchr(alone, 10)); /* the run did stop */
    }
}

/* A stop within a run over a subgraph: no run could resume from its state, so no checkpoint is written. */
static void test_no_checkpoint_of_a_part(void **state) {
  (void)state;
  char folder[] = "/tmp/test_stepping_XXXXXX", path[64], refused[160], asked[160];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.ckpt", folder);
  snprintf(refused, sizeof refused, "select(2, pcall(checkpoint, '%s')):match('part of a graph')", path);
  snprintf(asked, sizeof asked, "checkpoint('%s') or checkpoint(false) or 'asked'", path);
  static const char *const runs[] = {"'m ' .. tostring(ocm(part).mean)", "'n ' .. scc(part).count",
                                     "'r ' .. tostring(ocr(part).mean)"};
  eval("(function() part = graphs[1]:partition() return 'made' end)()");
  for (int k = 0; k < 3; k++) {
    assert_int_equal(ls_session_start(runs[k]), LS_PAUSED);
    assert_int_equal(ls_session_step(2), LS_PAUSED);
    const u64 at = ls_session_stop()->record.seq;
    assert_int_equal(ls_session_checkpoint(path), LS_ERROR);
    assert_non_null(strstr(lua_tostring(ls_session_lua(), -1), "runs over a part of a graph"));
    lua_settop(ls_session_lua(), 0);
    assert_int_equal(ls_session_stop()->record.seq, at); /* the refusal leaves the stop unchanged */
    assert_string_equal(eval(refused), "part of a graph");
    assert_int_not_equal(access(path, F_OK), 0);
    if (k == 0)
      assert_int_equal(ls_session_abandon(), LS_OK);
    else
      take(ls_session_continue());
    assert_string_equal(eval(asked), "asked");
  }
  assert_int_equal(rmdir(folder), 0); /* no checkpoint was written */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_steps),
      cmocka_unit_test(test_nexts),
      cmocka_unit_test(test_mixed),
      cmocka_unit_test(test_interrupted),
      cmocka_unit_test(test_what_a_step_is),
      cmocka_unit_test(test_same_under_compare),
      cmocka_unit_test(test_no_checkpoint_of_a_part),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
