/* The prompt's input: telling commands from Lua, incomplete Lua, words of a command line, lookups that run no
 * code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/mem.h"
#include "lua/open.h"
#include "repl/commands/command.h"
#include "repl/repl.h"

static int open_session(void **state) {
  (void)state;
  return ls_session_open() ? 0 : -1;
}

static int close_session(void **state) {
  (void)state;
  ls_session_close();
  return 0;
}

static void run(const char *text) { assert_int_equal(luaL_dostring(ls_session_lua(), text), LUA_OK); }

static void test_pieces(void **state) {
  (void)state;
  static const struct {
    const char *text;
    ls_piece piece;
  } cases[] = {
      {"1 + 1", LS_COMPLETE},
      {"x = 1", LS_COMPLETE},
      {"", LS_COMPLETE},
      {"-- a comment", LS_COMPLETE},
      {"for i = 1, 3 do", LS_INCOMPLETE},
      {"for i = 1, 3 do\nprint(i)\nend", LS_COMPLETE},
      {"f(", LS_INCOMPLETE},
      {"s = [[a", LS_INCOMPLETE},
      {"s = [[a\nb]]", LS_COMPLETE},
      {"x = ", LS_INCOMPLETE},
      {"x = = 1", LS_MALFORMED},
      {"s = 'open", LS_MALFORMED}, /* a string ends with its line */
      {"end", LS_MALFORMED},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (ls_piece_of(cases[i].text) != cases[i].piece) fail_msg("%s", cases[i].text);
}

static void test_line_rules(void **state) {
  (void)state;
  static const struct {
    const char *line, *command, *rest; /* command NULL: the line is Lua */
  } cases[] = {
      {"step", "step", ""},
      {"  step 3", "step", "3"},
      {"s 3", "step", "3"},
      {"c", "continue", ""},
      {"fin", "finish", ""},
      {"st 3", NULL, NULL}, /* ambiguous: start, step or stats */
      {"step = 3", NULL, NULL},
      {"step(3)", NULL, NULL},
      {"load (x)", NULL, NULL},
      {"load.x", NULL, NULL},
      {"load ./x.gr", "load", "./x.gr"},
      {"load ../x.gr", "load", "../x.gr"},
      {"load, x = 1, 2", NULL, NULL},
      {"stats[1]", NULL, NULL},
      {"stats:show()", NULL, NULL},
      {":stats (x)", "stats", "(x)"},
      {"=step", NULL, NULL},
      {"until (x == 3)", "until", "(x == 3)"},
      {"break trim if x > 3", "break", "trim if x > 3"},
      {"local x = 1", NULL, NULL},
      {"if x then y() end", NULL, NULL},
      {"::label::", NULL, NULL},
      {"nonsense 3", NULL, NULL},
      {"", NULL, NULL},
      {"3", NULL, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *rest = NULL;
    const ls_command *c = ls_line_command(cases[i].line, &rest);
    if (!c != !cases[i].command || (c && strcmp(c->name, cases[i].command) != 0))
      fail_msg("%s: %s", cases[i].line, c ? c->name : "Lua");
    if (c) assert_string_equal(rest, cases[i].rest);
  }
  const char *rest;
  run("c = 1 step = 2"); /* a global hides a command's abbreviation, but not its full name */
  assert_null(ls_line_command("c", &rest));
  assert_non_null(ls_line_command(":c", &rest));
  assert_non_null(ls_line_command("step", &rest));
  run("c = nil step = nil");
}

static void test_words(void **state) {
  (void)state;
  setenv("HOME", "/home/someone", 1);
  const char *rest = " a 'b c' d\\ e ~/f \"\" g~";
  static const char *const words[] = {"a", "b c", "d e", "/home/someone/f", "", "g~"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    ls_text w = {0};
    assert_true(ls_word(&rest, &w));
    assert_string_equal(w.s, words[i]);
    ls_text_free(&w);
  }
  ls_text none = {0};
  assert_false(ls_word(&rest, &none));
}

static bool found(const char *chain) {
  lua_State *L = ls_session_lua();
  int top = lua_gettop(L);
  bool is = ls_lookup(L, chain, strlen(chain));
  assert_int_equal(lua_gettop(L), top + is);
  lua_settop(L, top);
  return is;
}

static void test_lookup_runs_nothing(void **state) {
  (void)state;
  run("ran = 0\n"
      "t = {a = {b = 1}, [3] = {c = 2}, ['x y'] = 3}\n"
      "base = {method = print}\n"
      "object = setmetatable({}, {__index = base})\n"
      "trap = setmetatable({}, {__index = function() ran = ran + 1 return 1 end,\n"
      "                         __pairs = function() ran = ran + 1 return next, {}, nil end})\n"
      "loop = {} setmetatable(loop, {__index = loop})\n"
      "g = gen.ring{5}");
  assert_true(found("t.a.b"));
  assert_true(found("t[3].c"));
  assert_true(found("t['x y']"));
  assert_true(found("object:method"));
  assert_true(found("g:stats"));
  assert_true(found("gen.ring"));
  assert_false(found("t.a.b.c"));
  assert_false(found("t.nothing"));
  assert_false(found("trap.anything"));
  assert_false(found("loop.nothing"));
  assert_false(found("t["));
  assert_false(found("t..a"));
  run("assert(ran == 0)");
}

static void near(const char *table, const char *name,
                 const char *expected) { /* expected is "" if no name is near */
  ls_text out = {0};
  bool any = ls_near_name(ls_session_lua(), table, name, &out);
  if (any != (*expected != 0) || strcmp(ls_text_str(&out), expected) != 0)
    fail_msg("%s: %s", name, ls_text_str(&out));
  ls_text_free(&out);
}

static void test_nearest_names(void **state) {
  (void)state;
  near("gen", "rmta", "gen.rmat");
  near("", "stpe", "step");
  near("", "gne", "gen");
  near("", "zzzzzzzzzz", "");
}

static void test_text_without_memory(void **state) {
  (void)state;
  ls_text t = {0};
  ls_mem_fail_at(1);
  ls_text_puts(&t, "lost");
  assert_true(t.failed);
  assert_string_equal(ls_text_str(&t), "");
  ls_text_puts(&t, "and this, too");
  assert_true(t.failed);
  ls_text_free(&t);
  ls_text_puts(&t, "kept");
  assert_string_equal(t.s, "kept");
  ls_text_free(&t);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pieces),        cmocka_unit_test(test_line_rules),
      cmocka_unit_test(test_words),         cmocka_unit_test(test_lookup_runs_nothing),
      cmocka_unit_test(test_nearest_names), cmocka_unit_test(test_text_without_memory),
  };
  return cmocka_run_group_tests(tests, open_session, close_session);
}
