/* Runs typed text: decides which lines are commands and whether a Lua text is complete, and shows the
 * results. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/output.h"
#include "core/wait.h"
#include "core/words.h"
#include "lua/keywords.h"
#include "ranks/shared_prompt.h"
#include "repl/commands/call_commands.h"
#include "repl/commands/command.h"
#include "repl/line/foreign_commands.h"
#include "repl/line/foreign_syntax.h"
#include "repl/output/pager.h"
#include "repl/repl.h"

/* A piece (pieces.h) is compiled with a newline for each line before it, at most MOST_LINES, so that Lua's
 * messages have the right line number. */
enum { MOST_LINES = 100000 };

/* --- is the piece complete? -------------------------------------------------------------------------- */

/* Does the error message on top say that the text ends too early? */
static bool ends_early(lua_State *L, const char *text) {
  size_t len, end = strlen(text);
  const char *message = lua_tolstring(L, -1, &len);
  if (!message || len < 5 || strcmp(message + len - 5, "<eof>") != 0) return false;
  /* a string literal must end in its line, unless a backslash continues it */
  return !strstr(message, "unfinished string") || (end > 0 && text[end - 1] == '\\');
}

/* Does the line end with a name after a complete statement, as `r = bfs g` does? No further line could make
 * it useful, so it is not treated as unfinished. */
static bool ends_with_lone_name(const char *text) {
  size_t n = ls_trimmed(text), end = n;
  while (n > 0 && ls_in_name(text[n - 1])) n--;
  if (n == end || n == 0 || memchr(text, '\n', end) || ls_is_keyword(text + n, end - n)) return false;
  size_t before = n;
  while (before > 0 && isspace((unsigned char)text[before - 1])) before--;
  if (before == 0) return false;
  if (text[before - 1] == ';') return true;
  if (before == n) return false;
  if (strchr(")]}'\"", text[before - 1])) return true;
  size_t word = before;
  while (word > 0 && ls_in_name(text[word - 1])) word--;
  return word < before && !ls_is_keyword(text + word, before - word);
}

/* Does a line consist of statements, a semicolon and an expression, as `r = bfs(g, 0); r.dist`? The session
 * prints the value of the expression. */
static bool ends_with_value(lua_State *L, const char *text) {
  const char *last = strrchr(text, ';');
  if (!last || strchr(text, '\n') || luaL_loadbuffer(L, text, (size_t)(last - text), "=") != LUA_OK)
    return false;
  lua_pushfstring(L, "return %s", last + 1);
  return luaL_loadstring(L, lua_tostring(L, -1)) == LUA_OK;
}

/* Pushes the ls_piece of the text at index 1. It is incomplete if it is the beginning of an expression (`1
 * +`) or of statements (`x =`). */
static int judge(lua_State *L) {
  const char *text = lua_tostring(L, 1);
  lua_pushfstring(L, "return %s", text);
  const char *s = lua_tostring(L, -1);
  ls_piece piece = LS_COMPLETE;
  if (luaL_loadbuffer(L, s, strlen(s), "=") != LUA_OK) {
    /* `cd ..` and `if x:` are not unfinished Lua */
    const bool hopeless = strncmp(text, "cd ", 3) == 0 || ls_foreign_syntax_block(text);
    bool early = ends_early(L, text) && !hopeless;
    if (luaL_loadbuffer(L, text, strlen(text), "=") != LUA_OK) {
      early = early || (ends_early(L, text) && !hopeless && !ends_with_lone_name(text));
      piece = ends_with_value(L, text) ? LS_COMPLETE : early ? LS_INCOMPLETE : LS_MALFORMED;
    }
  }
  lua_pushinteger(L, piece);
  return 1;
}

ls_piece ls_piece_of(const char *text) {
  static lua_State *L;
  if (!L) L = luaL_newstate();
  if (!L) return LS_COMPLETE; /* running it will report what is wrong */
  ls_piece piece = LS_MALFORMED;
  lua_pushcfunction(L, judge);
  lua_pushstring(L, text);
  if (lua_pcall(L, 1, 1, 0) == LUA_OK) piece = (ls_piece)lua_tointeger(L, -1);
  lua_settop(L, 0);
  return piece;
}

/* --- is it a command? -------------------------------------------------------------------------------- */

static bool is_global(const char *word, size_t len) {
  lua_State *L = ls_session_lua();
  if (!ls_lookup(L, word, len)) return false;
  lua_pop(L, 1);
  return true;
}

/* Is the word a name in the function at which the run is stopped? */
static bool is_local(const char *word, size_t len) {
  char name[64];
  if (len >= sizeof name) return false;
  snprintf(name, sizeof name, "%.*s", (int)len, word);
  return ls_session_knows(name);
}

/* Does `word`, an abbreviation of a command, mean a Lua name instead? Yes if it is a variable and the line
 * can be Lua: `s 2` cannot be Lua, so it steps. Yes for any function whose name has two letters or more:
 * `check r` is a call without its parentheses, not `checkpoint r`. */
static bool means_name(const char *line, const char *word, size_t len) {
  return (len > 1 && ls_lookup_callable(ls_session_lua(), word, len)) ||
         ((is_global(word, len) || is_local(word, len)) && ls_piece_of(line) != LS_MALFORMED);
}

/* Does an operator follow the word, so that it is a variable: `i += 1`, `i ** 2`, `i != 3`, `i++`? */
static bool is_operator(const char *after) {
  static const char *const operators[] = {
      "+=", "-=", "*=", "/=", "%=", "^=", "..=", "//=", "++", "**", "!=", "~=", "&&", "||", "<=", ">="};
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (strncmp(after, operators[i], strlen(operators[i])) == 0) return true;
  return false;
}

/* Does the line call a function that the user defined under the name of a command? The global `load` does not
 * count, because it is Lua's own. */
static bool calls_own(const char *word) {
  const size_t len = ls_name_length(word);
  if (*ls_skip_space(word + len) != '(') return false;
  return is_local(word, len) || (is_global(word, len) && strncmp(word, "load", len) != 0);
}

const ls_command *ls_line_command(const char *line, const char **rest) {
  const char *word = ls_skip_space(line);
  static char called[1024];
  const char *call = ls_call_command(word, called, sizeof called);
  if (call && !calls_own(word)) {
    *rest = called;
    return ls_command_find(call, strlen(call));
  }
  bool forced = word[0] == ':' && ls_in_name(word[1]);
  if (forced) word++;
  const size_t len = ls_name_length(word);
  if (len == 0) return NULL;
  const ls_command *c = ls_command_find(word, len);
  if (!c) return NULL;
  bool exact = strlen(c->name) == len, keyword = ls_is_keyword(word, len);
  if (!exact && !forced && (keyword || means_name(line, word, len))) return NULL;
  const char *after = ls_skip_space(word + len);
  /* A keyword (until, break) is always the command: no expression begins with it. A path may begin with a
   * dot. */
  bool path = *after == '.' && after > word + len;
  if (!forced && !keyword && !path && *after && (strchr("=.(,[:", *after) || is_operator(after))) return NULL;
  if (!forced && *after == '{' && is_global(word, len)) return NULL; /* plot{...} is a call */
  if (!forced && exact && *after && strchr("\"'", *after) && strcmp(c->name, "print") == 0)
    return NULL; /* print "x" is a call, too */
  *rest = after;
  return c;
}

/* --- outcomes ---------------------------------------------------------------------------------------- */

/* Keeps the n values on top as _ and _1, _2, ... */
static int keep_results(lua_State *L) {
  int n = lua_gettop(L);
  lua_pushglobaltable(L);
  lua_pushvalue(L, 1);
  lua_setfield(L, -2, "_");
  for (int i = 1; i <= n && i <= 9; i++) {
    char name[4] = {'_', (char)('0' + i), 0, 0};
    lua_pushvalue(L, i);
    lua_setfield(L, -2, name);
  }
  return 0;
}

static void keep(lua_State *L, int n) {
  if (!lua_checkstack(L, n + 4)) return;
  lua_pushcfunction(L, keep_results);
  for (int i = 0; i < n; i++) lua_pushvalue(L, -1 - n);
  if (ls_session_call(L, n, 0) != LUA_OK) lua_pop(L, 1);
}

/* Skips the position of an error, "load:1: ", in a chunk that a command generated and the user did not
 * type. */
static const char *without_place(const char *message) {
  static const char *const places[] = {"load:1: ", "kernel:1: ", "edit:1: "};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (strncmp(message, places[i], strlen(places[i])) == 0) return message + strlen(places[i]);
  return message;
}

static ls_status show_error(lua_State *L, const char *text) {
  ls_status st = ls_last_status();
  const char *message = lua_tostring(L, -1);
  ls_text more = {0};
  if (!message) message = "an error that is not a string";
  if (ls_interrupted() && st == LS_OK) st = LS_EINTERRUPTED;
  if (st == LS_OK) st = LS_EARG;
  ls_suggest(L, message, text, &more);
  ls_complain(without_place(message), ls_text_str(&more));
  ls_text_free(&more);
  lua_pop(L, 1);
  ls_fail(st, "%s", "");
  return st;
}

/* If the text is only a name, and the name has no value, it is probably misspelt: suggests a similar name. */
static void hint_nil(lua_State *L, const char *text) {
  const char *s = ls_skip_space(text);
  size_t n = ls_trimmed(s), i = 0, dot = 0;
  for (; i < n && (ls_in_name(s[i]) || s[i] == '.'); i++)
    if (s[i] == '.') dot = i;
  char table[128] = "", name[64];
  size_t from = dot ? dot + 1 : 0;
  if (i < n || n == 0 || dot >= sizeof table || n - from >= sizeof name || ls_is_keyword(s, n)) return;
  snprintf(table, sizeof table, "%.*s", (int)dot, s);
  snprintf(name, sizeof name, "%.*s", (int)(n - from), s + from);
  ls_text near = {0};
  if (!ls_lookup(L, s, n)) {
    const char *here = dot ? NULL : ls_foreign_command(name);
    if (here)
      ls_note("(here: %s)\n", here);
    else if (ls_near_name(L, table, name, &near))
      ls_note("(did you mean `%s`?)\n", near.s);
    else if (dot && ls_lookup(L, table, dot)) {
      if (lua_istable(L, -1)) ls_note("(%s has no `%s`; `info %s` lists what it has)\n", table, name, table);
      lua_pop(L, 1);
    }
  }
  ls_text_free(&near);
}

/* `t = time scc(g)` is valid Lua, two statements of which the first sets t to nil: says that `time` is a
 * command. */
static void hint_no_value(const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals) return;
  const char *word = ls_skip_space(equals + 1);
  const size_t len = ls_name_length(word);
  const char *end = word + len;
  const ls_command *c =
      len > 0 && *end == ' ' && ls_in_name(*ls_skip_space(end)) ? ls_command_find(word, len) : NULL;
  if (!c || strlen(c->name) != len || ls_is_keyword(word, len) || is_global(word, len) || is_local(word, len))
    return;
  for (const char *p = text; p < equals; p++)
    if (!ls_in_name(*p) && !isspace((unsigned char)*p)) return;
  ls_note("(%s is a command: it must be first on its line, and has no value; here %.*s is nil)\n", c->name,
          (int)strcspn(ls_skip_space(text), " \t="), ls_skip_space(text));
}

/* Clears the text that `check` (lua/base/check.lua) stores when it returns true; prints the text if `wanted`.
 */
static void say_proved(lua_State *L, bool wanted) {
  const bool proved = lua_getfield(L, LUA_REGISTRYINDEX, "lockstep.proved") == LUA_TSTRING;
  if (proved && wanted) ls_note("(proved: %s)\n", lua_tostring(L, -1));
  lua_pop(L, 1);
  if (!proved) return;
  lua_pushnil(L);
  lua_setfield(L, LUA_REGISTRYINDEX, "lockstep.proved");
}

/* `g:edges(0)` typed outside of a `for` loop prints only an iterator: shows the loop to write. */
static void hint_iterator(lua_State *L, int n, const char *text) {
  if (lua_iscfunction(L, -n) && strstr(text, ":edges(")) ls_note("(here: %s)\n", ls_foreign_command("edges"));
}

/* The largest integer, as a distance, means unreached; only in buffers is it printed as inf. */
static void hint_unreached(lua_State *L, int n, const char *text) {
  const lua_Integer x = lua_isinteger(L, -n) ? lua_tointeger(L, -n) : 0;
  if ((x == INT32_MAX || x == UINT32_MAX || x == INT64_MAX) && strstr(text, "dist"))
    ls_note("(as a distance this means 'not reached'; r.dist:count(r.unreached) counts such vertices)\n");
}

/* `found = True` sets found to nil without an error: says what to write. */
static bool hint_foreign(lua_State *L, const char *text) {
  char word[16];
  const char *here = ls_foreign_syntax_word(L, text, word, sizeof word);
  if (*here) ls_note("(%s names nothing, so it is nil: write %s)\n", word, here);
  return *here;
}

static ls_status show(ls_ran ran, int n, const char *text, bool silent) {
  lua_State *L = ls_session_lua();
  if (ran == LS_ERROR) return show_error(L, text);
  const bool foreign = ran == LS_DONE && text && hint_foreign(L, text);
  if (ran == LS_DONE && n == 0 && text && !foreign) hint_no_value(text);
  if (ran != LS_DONE || n == 0) return LS_OK;
  keep(L, n);
  ls_status st = silent ? LS_OK : ls_print_values(L, n);
  if (!silent && !foreign && n == 1 && lua_isnil(L, -1) && text) hint_nil(L, text);
  if (!silent && text) hint_iterator(L, n, text);
  if (!silent && text) hint_unreached(L, n, text);
  say_proved(L, !silent && n == 1 && lua_isboolean(L, -1) && ls_out.form == LS_TEXT);
  lua_pop(L, n);
  return st;
}

ls_status ls_show(ls_ran ran, int nresults) { return show(ran, nresults, NULL, false); }
ls_status ls_show_of(ls_ran ran, int nresults, const char *chunk) {
  return ran == LS_ERROR ? show_error(ls_session_lua(), chunk) : ls_show(ran, nresults);
}

/* --- pieces ------------------------------------------------------------------------------------------ */

/* Prints the pending error, if any, with a hint derived from `text`, the text typed ("" if none); returns
 * st. */
static ls_status told_of(ls_status st, const char *text) {
  if (st && *ls_error()) {
    ls_text more = {0};
    ls_foreign_syntax_hint(ls_session_lua(), ls_error(), text, &more);
    ls_complain(ls_error(), ls_text_str(&more));
    ls_text_free(&more);
    ls_fail(st, "%s", "");
  }
  return st;
}

static ls_status told(ls_status st) { return told_of(st, ""); }

/* If a variable has the name of a one-letter command, such as `s`, that letter prints the variable. Says how
 * to give the command; once for each letter in each run. */
static void hint_command(const char *text) {
  static u32 told;
  static u64 of_run;
  const char *word = ls_skip_space(text);
  const size_t len = ls_trimmed(word);
  const ls_command *c = len == 1 && islower((unsigned char)*word) ? ls_command_find(word, len) : NULL;
  if (of_run != ls_session_runs()) told = 0, of_run = ls_session_runs();
  const bool local = c && is_local(word, len);
  if (!c || !ls_session_paused() || (!local && !is_global(word, len)) || told >> (*word - 'a') & 1) return;
  told |= 1u << (*word - 'a');
  const bool steps = strcmp(c->name, "step") == 0; /* then `n` (next) is suggested as well */
  ls_note("(%c is a %s here; the command is `:%c`%s `%s`%s)\n", *word,
          local ? "variable of the algorithm" : "variable", *word, steps ? "," : " or", c->name,
          steps ? " or `n`" : "");
}

/* Adds n newlines. */
static void add_lines(ls_text *out, int n) {
  char some[1024];
  memset(some, '\n', sizeof some);
  for (const int most = sizeof some; n > 0; n -= most) ls_text_add(out, some, (size_t)(n < most ? n : most));
}

static ls_status eval(const char *text, const char *name, int line) {
  ls_text whole = {0}, chunk = {0};
  add_lines(&whole, (line < MOST_LINES ? line : MOST_LINES) - 1);
  ls_text_puts(&whole, text);
  ls_text_printf(&chunk, "=%s", name);
  ls_status st = LS_EMEM;
  if (!whole.failed && !chunk.failed) {
    int n = 0;
    ls_ran ran = ls_session_eval(ls_text_str(&whole), chunk.s, &n);
    size_t end = ls_trimmed(text);
    ls_text more = {0};
    if (ran == LS_UNFINISHED) {
      ls_suggest(ls_session_lua(), "syntax error near <eof>", text, &more);
      st = ls_fail(LS_EARG, "%s:%d: the statement that begins here is unfinished (near <eof>)%s", name, line,
                   ls_text_str(&more));
      ls_text_free(&more);
    } else
      st = ran == LS_PAUSED ? ls_fail(LS_EINTERRUPTED, "%s", "") /* so that the following pieces do not run */
                            : show(ran, n, text, end > 0 && text[end - 1] == ';');
    if (!st) hint_command(text);
  }
  ls_text_free(&whole);
  ls_text_free(&chunk);
  return told(st);
}

static ls_status command(const ls_command *c, const char *rest) {
  char *arguments = ls_strdup(rest);
  if (!arguments) return LS_EMEM;
  arguments[ls_trimmed(arguments)] = 0;
  ls_status st = c->exec(arguments);
  ls_free(arguments);
  return st;
}

ls_status ls_input_piece(const char *text, const char *name, int line) {
  const char *s = ls_skip_space(text), *rest;
  ls_interrupt_clear();
  ls_clear_status();
  ls_fail(LS_OK, "%s", "");
  const ls_command *c = ls_line_command(s, &rest);
  ls_status st;
  if (ls_ranks_following() && ls_for_rank_0(s)) {
    st = LS_OK;
  } else if (c) {
    st = told_of(command(c, rest), rest);
  } else if (s[0] == '!') {
    bool whole = s[1] == '!';
    st = told(ls_shell(s + 1 + whole, whole));
  } else if (s[0] == '?') {
    char *topic = ls_strdup(ls_skip_space(s + (s[1] == '?' ? 2 : 1)));
    if (topic) topic[ls_trimmed(topic)] = 0;
    st = told(!topic ? LS_EMEM : ls_pager(s[1] == '?' ? ls_help_source : ls_help, topic));
    ls_free(topic);
  } else {
    st = eval(s[0] == '=' && s[1] != '=' ? s + 1 : s, name, line);
  }
  ls_interrupt_clear();
  fflush(stdout);
  return st;
}
