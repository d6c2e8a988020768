/* Going back and forward in stepped runs of the shipped algorithms: every buffer of the state is checked at
 * every stop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/random.h"
#include "lua/base/l_state.h"
#include "lua/open.h"
#include "run/launch/dispatch.h"
#include "run/record/journal.h"

static char stop_line[640];
static char text_of[512];

static void on_stop(const ls_stop *stop) { ls_session_stop_line(stop, stop_line, sizeof stop_line); }

static const char *value(const char *expr) {
  int n;
  lua_State *L = ls_session_lua();
  ls_ran ran = ls_session_eval(expr, "=test", &n);
  snprintf(text_of, sizeof text_of, "%s",
           n || ran == LS_ERROR ? luaL_tolstring(L, ran == LS_DONE ? -n : -1, NULL) : "nothing");
  lua_settop(L, 0);
  return text_of;
}

static ls_ran did(ls_ran ran) {
  if (ran == LS_ERROR) snprintf(text_of, sizeof text_of, "%s", lua_tostring(ls_session_lua(), -1));
  if (ran == LS_DONE || ran == LS_ERROR) lua_settop(ls_session_lua(), 0);
  return ran;
}

#define assert_value(expr, expected) assert_string_equal(value(expr), expected)
#define assert_stops(command) assert_int_equal(did(command), LS_PAUSED)
#define assert_line(part)                                                                                    \
  do {                                                                                                       \
    if (!strstr(stop_line, part)) fail_msg("no `%s` in `%s`", part, stop_line);                              \
  } while (0)

static u64 number(void) { return ls_session_stop()->record.number; }

static int open_session(void **state) {
  (void)state;
  const char *name = getenv("LOCKSTEP_TEST_DEVICE"); /* cuda, on a machine that has one */
  ls_device *d = ls_device_find(name ? name : "cpu");
  assert_non_null(d);
  ls_device_use(d);
  assert_non_null(ls_session_open());
  ls_session_on_stop(on_stop);
  return 0;
}

static int close_session(void **state) {
  (void)state;
  ls_session_close();
  ls_compare(NULL, NULL);
  ls_journal_budget((u64)LS_JOURNAL_MIB << 20);
  return 0;
}

/* --- every buffer of the state, hashed --------------------------------------------------------------------
 */

enum { STOPS = 200 };

typedef struct seen {
  u64 contents[LS_MAX_FIELDS], step[LS_MAX_FIELDS];
  char line[200]; /* the stop line up to the source position */
  char locals[400];
} seen;

static ls_state *the_state;

static void find_state(void *ctx, lua_State *L, int level, const char *name) {
  (void)ctx, (void)level;
  if (strcmp(name, "s") == 0 && ls_test_state(L, -1)) the_state = ls_test_state(L, -1);
}

static char locals[400];

static void add_local(const char *name, const char *text) {
  size_t n = strlen(locals);
  snprintf(locals + n, sizeof locals - n, "%s=%s ", name, text);
}

static void look(seen *s) {
  memset(s, 0, sizeof *s);
  the_state = NULL;
  ls_session_values(find_state, NULL);
  assert_non_null(the_state);
  for (int i = 0; i < the_state->schema->nfields; i++) {
    ls_buffer *b = the_state->buffers[i];
    u64 bytes = ls_buffer_bytes(b), h = 1;
    u8 *copy = ls_malloc(bytes);
    assert_int_equal(ls_buffer_peek(b, 0, b->count, copy), LS_OK);
    for (u64 k = 0; k < bytes; k++) h = ls_mix(h ^ copy[k]);
    ls_free(copy);
    s->contents[i] = h;
    s->step[i] = b->changed_step;
  }
  char line[640];
  ls_session_stop_line(ls_session_stop(), line, sizeof line);
  char *where = strstr(line, ".lua:"); /* the rest (reason of the stop, "in the past") differs */
  if (where) where[strcspn(where, " ")] = '\0';
  snprintf(s->line, sizeof s->line, "%.199s", line);
  locals[0] = '\0';
  ls_session_locals(add_local);
  snprintf(s->locals, sizeof s->locals, "%s", locals);
}

static void expect(const seen *then) {
  seen now;
  look(&now);
  assert_string_equal(now.line, then->line);
  assert_string_equal(now.locals, then->locals);
  for (int i = 0; i < the_state->schema->nfields; i++) {
    if (now.contents[i] != then->contents[i])
      fail_msg("%s differs at `%s`", the_state->schema->fields[i].name, then->line);
    assert_int_equal(now.step[i], then->step[i]);
  }
}

static const char *const graphs[] = {
    "gen.ring{40}",
    "gen.grid{6, 7, one_way = 0.7, seed = 2}",
    "gen.uniform{n = 300, m = 700, seed = 5}",
    "gen.rmat{scale = 8, degree = 4, seed = 3}",
    "graph.from_edges{{0, 0}, {0, 1}, {1, 0}, {2, 2}, {1, 2}, {3, 4}, {3, 4}, n = 6}",
    "graph.from_edges{n = 1}",
};

static void walk(const char *algorithm, const char *graph) {
  char text[200];
  static seen at[STOPS + 1];
  snprintf(text, sizeof text, "%s(%s)", algorithm, graph);
  assert_stops(ls_session_start(text));
  int stops = 0; /* number of stops of the run, at most STOPS */
  while (stops < STOPS && did(ls_session_step(1)) == LS_PAUSED) stops++;
  assert_true(stops >= 3);
  if (stops < STOPS) assert_false(ls_session_paused());
  stops -= stops / 4; /* on a GPU two runs may differ by some passes */

  assert_stops(ls_session_start(text));
  look(&at[0]);
  for (int i = 1; i <= stops; i++) {
    assert_stops(ls_session_step(1));
    look(&at[i]);
  }
  u64 key = ls_key((u64)stops, 3);
  int here = stops;
  for (u64 i = 0; i < 300; i++) {
    u64 draw = ls_draw(key, i), by = 1 + draw % (i % 3 ? 5 : 60);
    if (draw >> 63 && here < stops) {
      assert_stops(draw >> 62 & 1 ? ls_session_forward(by) : ls_session_step(by));
      here = here + (int)by < stops ? here + (int)by : stops;
    } else if (here > 0) {
      assert_stops(ls_session_back(by));
      here = here > (int)by ? here - (int)by : 0;
    }
    expect(&at[here]);
    assert_int_equal(ls_journal_in_past(), here < stops);
    if (here < stops) assert_line("past (#");
  }
  if (here < stops) assert_stops(ls_session_forward(0));
  expect(&at[stops]);
  assert_int_equal(did(ls_session_continue()),
                   LS_DONE); /* continues from the present, unaffected by the look back */
}

static void every_stop_comes_back(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
    walk("scc.forward_backward", graphs[i]);
    if (i < 4) walk("scc.maxima", graphs[i]);
  }
}

static void every_stop_comes_back_under_compare(void **state) {
  (void)state;
  ls_compare(ls_device_find("cpu"), ls_device_find("cpu:1"));
  for (size_t i = 0; i < 4; i++) walk("scc.forward_backward", graphs[i]);
}

static void results_are_those_of_a_free_run(void **state) {
  (void)state;
  value("g = gen.uniform{n = 500, m = 900, seed = 9}");
  value("r = scc.forward_backward(g)");
  assert_stops(ls_session_start("(function() got = scc.forward_backward(g) end)()"));
  assert_stops(ls_session_step(30));
  assert_stops(ls_session_back(17));
  assert_int_equal(did(ls_session_continue()), LS_DONE);
  assert_value("(got.id:diff(r.id)) == 0 and check(got)", "true");
}

/* --- what the commands do in the past ------------------------------------------------------------------- */

static void prepared(void) {
  value(
      "g = graph.from_edges{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 4}, {4, 7}, {7, 8}, {8, 9}}");
  assert_stops(ls_session_start("scc.forward_backward(g)"));
}

/* --- searching the recording ---------------------------------------------------------------------------- */

/* The first stop up to the current one at which expr is true, found by visiting each stop; returns to the
 * current stop. */
static i64 first_by_hand(const char *expr) {
  const u64 here = ls_journal_position().behind;
  i64 first = -1;
  if (here) assert_stops(ls_session_back(here));
  for (u64 at = 0; at <= here; at++) {
    if (first < 0 && strcmp(value(expr), "true") == 0) first = (i64)at;
    if (at < here) assert_stops(ls_session_forward(1));
  }
  return first;
}

static void what_was_true_first_is_found(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
    char expr[160], text[200];
    snprintf(text, sizeof text, "scc.forward_backward(%s)", graphs[i]);
    assert_stops(ls_session_start(text));
    for (int k = 0; k < 40 && did(ls_session_step(1)) == LS_PAUSED; k++) {}
    if (!ls_session_paused()) { /* the graph is small: stop before its end */
      assert_stops(ls_session_start(text));
      assert_stops(ls_session_step(3));
    }
    const u64 newest = ls_journal_position().behind;
    for (u64 round = 0; round < 24; round++) {
      const u64 draw = ls_draw(ls_key(i, 7), round);
      if (round % 3 == 2) { /* starting from a stop in the past */
        if (ls_journal_in_past()) assert_stops(ls_session_forward(0));
        if (draw % newest) assert_stops(ls_session_back(draw % newest));
      }
      const char *forms[] = {"s.mark:count(0xffffffff) %s %d", "(trimmed or 0) %s %d", "s.front[0] %s %d",
                             "s.comp[%2$d %% #s.comp] %1$s 7", "s.mark[%2$d] %1$s 1"};
      snprintf(expr, sizeof expr, forms[draw % 5], draw >> 8 & 1 ? ">=" : "==", (int)(draw >> 16) % 40);
      static seen before;
      look(&before);
      const u64 from = ls_journal_position().behind;
      const i64 want = first_by_hand(expr);
      ls_first first;
      const ls_ran ran = did(ls_session_back_until(expr, &first));
      if (want < 0) {
        assert_int_equal(ran, LS_ERROR);
        expect(&before);
        assert_int_equal(ls_journal_position().behind, from);
        continue;
      }
      assert_int_equal(ran, LS_PAUSED);
      assert_int_equal(ls_journal_position().behind, want);
      assert_int_equal(first.from_the_beginning, want == 0);
      assert_value(expr, "true");
      if (ls_journal_in_past()) assert_stops(ls_session_forward(from - (u64)want ? from - (u64)want : 0));
    }
    did(ls_session_forward(0));
    assert_int_equal(ls_session_abandon(), LS_OK);
  }
}

typedef struct held {
  u64 hash[2];
} held;

static ls_status hash_it(lua_State *L, int k, void *arg) {
  held *h = arg;
  h->hash[k] = (u64)lua_tointeger(L, -1);
  return LS_OK;
}

static void what_was_held_at_a_stop_is_shown(void **state) {
  (void)state;
  assert_stops(ls_session_start("scc.forward_backward(gen.grid{6, 7, one_way = 0.7, seed = 2})"));
  u64 digest[21], numbers[21];
  for (int i = 0; i <= 20; i++) {
    digest[i] = strtoull(value("string.format('%u', s.mark:digest())"), NULL, 10);
    numbers[i] = ls_journal_position().at;
    assert_stops(ls_session_step(1));
  }
  assert_stops(ls_session_back(6));
  static seen here;
  look(&here);
  for (u64 round = 0; round < 30; round++) {
    const u64 a = ls_draw(5, 2 * round) % 21, b = ls_draw(5, 2 * round + 1) % 21;
    held h;
    assert_int_equal(
        did(ls_session_visit("s.mark:digest()", (u64[]){numbers[a], numbers[b]}, 2, hash_it, &h)), LS_DONE);
    assert_true(h.hash[0] == digest[a] && h.hash[1] == digest[b]);
    expect(&here);
  }
  held h;
  assert_int_equal(did(ls_session_visit("s.mark", (u64[]){numbers[20] + 99}, 1, hash_it, &h)), LS_ERROR);
  assert_non_null(strstr(text_of, "the recording has no stop #"));
  assert_int_equal(did(ls_session_visit("s.nothing", (u64[]){numbers[3]}, 1, hash_it, &h)), LS_ERROR);
  expect(&here);
  assert_int_equal(did(ls_session_visit("1 +", (u64[]){numbers[3]}, 1, hash_it, &h)), LS_ERROR);
  expect(&here);
}

static void nothing_can_be_written_in_the_past(void **state) {
  (void)state;
  prepared();
  value("mine = buffer.new('u32', 3)");
  assert_stops(ls_session_step(4));
  assert_stops(ls_session_back(3));
  static const char refusal[] = "this stop is in the past (#1 of #4): type `forward` first";
  const char *const tries[] = {"s.mark[0] = 1",  "s.comp:fill(3)", "trim(s)", "prim.swap(s.front, s.back)",
                               "s.comp:close()", "trim_fix(s)"};
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
    if (!strstr(value(tries[i]), refusal)) fail_msg("%s: %s", tries[i], text_of);
  assert_value("mine:fill(2):sum()", "6"); /* a write that belongs to no recorded step */
  assert_value("#s.mark:copy()", "10");
  assert_stops(ls_session_forward(0));
  assert_value("(function() s.vote[0] = 5 return s.vote[0] end)()", "5");
}

static void a_change_by_hand_is_a_stop(void **state) {
  (void)state;
  prepared();
  assert_stops(ls_session_step(2));
  value("s.hub[0] = 77");
  assert_value("s.hub[0]", "77");
  assert_stops(ls_session_back(1));
  assert_line("past (#");
  assert_int_equal(number(), 2);
  assert_value("s.hub[0]", "0");
  assert_stops(ls_session_forward(1));
  assert_line("changed by hand");
  assert_value("s.hub[0]", "77");
  value("prim.swap(s.front, s.back)");
  value("s.front[0] = 3; prim.swap(s.front, s.back)");
  assert_value("s.back[0]", "3");
  assert_stops(ls_session_back(2));
  assert_value("s.back[0]", "0");
  assert_stops(ls_session_step(2));
  assert_value("s.back[0]", "3");
  assert_stops(ls_session_step(1));
  assert_line(" trim ");
  assert_int_equal(number(), 3);
}

/* A watch that is set in the past reports only changes that happen after the present stop. */
static void a_watch_counts_from_the_present(void **state) {
  (void)state;
  int id;
  value("function counting() local b = buffer.new('u32', 4) for i = 1, 9 do fill(b, i) end end");
  assert_stops(ls_session_start("counting()"));
  assert_stops(ls_session_step(5));
  assert_stops(ls_session_back(3));
  assert_int_equal(ls_session_watch("b[0]", &id), LS_OK);
  assert_stops(ls_session_forward(0));
  assert_stops(ls_session_continue());
  assert_line("b[0] 5 -> 6");
  assert_int_equal(ls_session_delete(0), LS_OK);
}

/* Finds the changes of a number, of a buffer whose first elements do not change, and of a value set at the
 * prompt. */
static void where_it_changed_is_found(void **state) {
  (void)state;
  value("function slow() local b = buffer.new('u32', 500) for i = 1, 6 do fill(b, 0) b[499] = i // 3 "
        "fill(buffer.new('u32', 1), 1) end end");
  assert_stops(ls_session_start("slow()"));
  assert_stops(ls_session_step(11));
  assert_stops(ls_session_back_watch("b[499]"));
  assert_line("#11 fill");
  assert_line("the present, watch: b[499] 1 -> 0");
  assert_stops(ls_session_back_watch("b[499]")); /* again: the previous change */
  assert_line("#10 fill");
  assert_line("past (#10 of #11), watch: b[499] 0 -> 1");
  assert_stops(ls_session_back_watch("b[499]"));
  assert_stops(ls_session_back_watch("b"));
  assert_line("#9 fill");
  assert_line("watch: b has changed");
  assert_stops(ls_session_back_watch("b[499] > 0"));
  assert_stops(ls_session_back_watch("b[499] > 0"));
  assert_line("#8 fill");
  assert_int_equal(ls_session_changes("b"), LS_DONE);
  lua_setglobal(ls_session_lua(), "rows");
  assert_int_equal(number(), 8); /* the current stop does not change */
  assert_value("#rows .. ' ' .. rows[1].stop .. rows[1].kernel .. ' ' .. rows[2].stop .. rows[2].kernel",
               "4 0 6fill");
  assert_int_equal(did(ls_session_back_watch("no_such")), LS_ERROR);
  assert_string_equal(
      text_of, "no_such has no value at any stop of the recording, #0 to #8: nothing is called `no_such`");
  assert_int_equal(did(ls_session_back_watch("#b")), LS_ERROR);
  assert_string_equal(text_of, "#b has not changed up to here: the recording begins at #0");
  assert_int_equal(number(), 8);
  assert_stops(ls_session_forward(0));
  value("b[499] = 77");
  assert_int_equal(ls_session_changes("b[499]"), LS_DONE);
  lua_setglobal(ls_session_lua(), "rows");
  assert_value(
      "#rows .. ' ' .. rows[8].value .. ' ' .. tostring(rows[8].by_hand) .. ' ' .. tostring(rows[7].by_hand)",
      "8 77 true false");
}

/* A watch on a buffer reports a change of any element. */
static void a_watched_buffer_is_its_contents(void **state) {
  (void)state;
  int id;
  value(
      "function late() local b = buffer.new('u32', 500) fill(b, 5) b[499] = 6 fill(buffer.new('u32', 1), 1) fill(b, 5) end");
  assert_stops(ls_session_start("late()"));
  assert_stops(ls_session_step(1));
  assert_int_equal(ls_session_watch("b", &id), LS_OK);
  assert_stops(ls_session_continue());
  assert_line("#2 fill");
  assert_line("watch 1: b has changed");
  assert_stops(ls_session_continue());
  assert_line("#3 fill");
  assert_int_equal(ls_session_delete(0), LS_OK);
}

static void names_mean_what_they_meant(void **state) {
  (void)state;
  prepared();
  assert_stops(ls_session_until("trimmed == 0"));
  assert_line("until");
  const u64 sweeps = number();
  assert_true(sweeps > 3);
  assert_stops(ls_session_back(sweeps - 1));
  assert_value("trimmed > 0", "true");
  assert_stops(ls_session_until("trimmed == 0"));
  assert_int_equal(number(), sweeps);
  assert_line("until");
  assert_stops(ls_session_until("live == 3")); /* a count of new_regions, in the present */
  assert_stops(ls_session_step(1));
  assert_value("regions", "1");
  assert_value("live", "3");
  assert_stops(ls_session_back(3));
  assert_value("live", "nil"); /* not a local yet */
  assert_stops(ls_session_until("false"));
  assert_line("the present");
  assert_false(ls_journal_in_past());
  assert_stops(ls_session_back(2));
  assert_stops(ls_session_until("no_such.field"));
  assert_false(ls_journal_in_past());
}

static void next_and_iter_go_forward_as_they_came(void **state) {
  (void)state;
  prepared();
  assert_stops(ls_session_until("settled")); /* the first split */
  const u64 split = number();
  assert_stops(ls_session_step(3)); /* into the second iteration */
  const u64 newest = number();
  assert_stops(ls_session_back(10000));
  assert_line("before");
  assert_stops(ls_session_next(1)); /* `next` in the past steps over one primitive of the recording */
  assert_int_equal(number(), 1);
  assert_stops(ls_session_iter(1));
  assert_int_equal(ls_session_stop()->mark, 1);
  assert_true(number() < split);
  assert_stops(ls_session_iter(1)); /* there is no second mark in the past */
  assert_int_equal(number(), newest);
  assert_int_equal(did(ls_session_forward(1)), LS_ERROR);
  assert_non_null(strstr(text_of, "this is the present"));
}

static void the_source_is_that_of_then(void **state) {
  (void)state;
  char source[100];
  value("function mine() local s = state.scc(gen.ring(9)) trim(s) return scc.maxima(s.graph) end");
  assert_stops(ls_session_start("mine()"));
  assert_stops(ls_session_step(3));
  ls_session_source(source, sizeof source);
  assert_string_equal(source, "@scc/scc.lua");
  assert_stops(ls_session_back(2));
  ls_session_source(source, sizeof source);
  assert_string_equal(source, "=test");
  assert_value("s.graph.n", "9");
  assert_stops(ls_session_forward(1));
  ls_session_source(source, sizeof source);
  assert_string_equal(source, "@scc/scc.lua");
}

static void free_stretches_are_one_step(void **state) {
  (void)state;
  static seen before, after;
  prepared();
  assert_stops(ls_session_step(2));
  look(&before);
  assert_stops(ls_session_iter(1));
  look(&after);
  assert_stops(ls_session_back(1));
  expect(&before);
  assert_stops(ls_session_forward(1));
  expect(&after);
  assert_stops(ls_session_next(3));
  assert_stops(ls_session_back(3));
  expect(&after);
}

static void an_unrecorded_run_says_so(void **state) {
  (void)state;
  value("g = gen.ring{50}");
  value("function interrupted() local s = state.scc(g) trim(s) trim(s) stop_here() trim(s) trim(s) end");
  int id;
  assert_int_equal(ls_session_break("trim", false, &id), LS_OK);
  assert_int_equal(did(ls_session_run_file("/dev/null", 0, NULL, NULL)), LS_DONE);
  assert_stops(ls_session_start("interrupted()"));
  assert_int_equal(did(ls_session_back(1)), LS_ERROR);
  assert_non_null(strstr(text_of, "reaches back to #0 and no further"));
  assert_stops(ls_session_continue());
  assert_stops(ls_session_back(1));
  ls_journal_budget(0);
  assert_stops(ls_session_forward(0));
  ls_journal_budget(0);
  assert_int_equal(did(ls_session_back(1)), LS_ERROR);
  assert_non_null(strstr(text_of, "nothing is recorded"));
}

static void dropping_in_the_past_leaves_the_present(void **state) {
  (void)state;
  value("x = buffer.new('u32', 4)");
  value("function twice() fill(x, 1) fill(x, 2) fill(x, 3) end");
  assert_stops(ls_session_start("twice()"));
  assert_stops(ls_session_step(2));
  assert_stops(ls_session_back(1));
  assert_value("x[0]", "1");
  assert_int_equal(ls_session_abandon(), LS_OK);
  assert_value("x[0]", "2");
  assert_false(ls_journal_on());
}

/* The k-th allocation of a stepped run fails: at worst the recording restarts and says so. */
static void failures_cost_the_recording_alone(void **state) {
  (void)state;
  int losses = 0;
  value("g = gen.uniform{n = 120, m = 200, seed = 4}");
  value("count = scc(g).count");
  for (u64 k = 1; k < 160; k++) {
    assert_stops(ls_session_start("scc.forward_backward(g)"));
    ls_mem_fail_at(k);
    bool told = false;
    for (int i = 0; i < 12 && ls_session_paused(); i++) {
      if (did(ls_session_step(1)) == LS_ERROR && !strstr(text_of, "out of memory")) fail_msg("%s", text_of);
      told = told || strstr(stop_line, "recording begins anew: out of memory");
    }
    ls_mem_fail_at(0);
    losses += told;
    if (!ls_session_paused()) continue; /* an allocation of the run itself failed and was reported */
    const u64 behind = ls_journal_position().behind;
    assert_true(told ? behind < 12 : behind == 12);
    if (behind) {
      static seen now;
      look(&now);
      assert_stops(ls_session_back(5));
      assert_stops(ls_session_forward(0));
      expect(&now);
    }
    assert_int_equal(ls_session_eval("count", "=test", &(int){0}), LS_DONE);
    lua_settop(ls_session_lua(), 0);
    assert_int_equal(ls_session_continue(), LS_DONE);
    lua_State *L = ls_session_lua();
    lua_getfield(L, -1, "count");
    lua_getglobal(L, "count");
    assert_true(lua_rawequal(L, -1, -2));
    lua_settop(L, 0);
  }
  assert_true(losses > 30);
}

int main(void) {
#define PAST_TEST(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
  const struct CMUnitTest tests[] = {
      PAST_TEST(every_stop_comes_back),
      PAST_TEST(every_stop_comes_back_under_compare),
      PAST_TEST(results_are_those_of_a_free_run),
      PAST_TEST(what_was_true_first_is_found),
      PAST_TEST(what_was_held_at_a_stop_is_shown),
      PAST_TEST(nothing_can_be_written_in_the_past),
      PAST_TEST(a_change_by_hand_is_a_stop),
      PAST_TEST(a_watch_counts_from_the_present),
      PAST_TEST(where_it_changed_is_found),
      PAST_TEST(a_watched_buffer_is_its_contents),
      PAST_TEST(names_mean_what_they_meant),
      PAST_TEST(next_and_iter_go_forward_as_they_came),
      PAST_TEST(the_source_is_that_of_then),
      PAST_TEST(free_stretches_are_one_step),
      PAST_TEST(an_unrecorded_run_says_so),
      PAST_TEST(dropping_in_the_past_leaves_the_present),
      PAST_TEST(failures_cost_the_recording_alone),
  };
  return cmocka_run_group_tests_name("test_past", tests, NULL, NULL);
}
