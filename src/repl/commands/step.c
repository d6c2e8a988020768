/* The commands that start, step and stop an algorithm. */
#include "core/text.h"
#include "repl/commands/command.h"

#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "core/nearest.h"
#include "repl/help/help_lines.h"
#include "repl/repl.h"
#include "run/record/journal.h"

static char started[120]; /* the call with which the current algorithm was started, "scc(g)" */

static void show_display(int id, const char *expr, const char *value) {
  if (*value)
    ls_say("  %d: %s = %s\n", id, expr, value);
  else
    ls_say("  %d: %s\n", id, expr);
}

void ls_show_stop(const ls_stop *stop) {
  char line[640];
  ls_session_stop_line(stop, line, sizeof line);
  help_fold("%s", line);
  ls_session_displays(show_display);
}

/* --- going ------------------------------------------------------------------------------------------- */

static void note_name(void) {
  const ls_stop *stop = ls_session_stop();
  if (stop) snprintf(started, sizeof started, "%s", stop->text);
}

void ls_note_dropped(void) {
  if (!ls_session_paused()) return;
  note_name();
  ls_note("(dropped %s)\n", started);
}

static ls_status show_end(ls_ran ran) {
  u64 missed = 0;
  ls_breakpoint b;
  for (int i = 0; ran == LS_DONE && ls_session_breakpoint(i, &b); i++)
    if (*b.lacks) ls_note("(watch %d had no value: %s)\n", b.id, b.lacks);
  if (ran == LS_DONE && !ls_session_missed(&missed))
    ls_note("(finished %s)\n", started);
  else if (ran == LS_DONE && !missed)
    ls_note("(finished %s: it called no primitive to stop at)\n", started);
  else if (ran == LS_DONE)
    ls_note("(finished %s: no stop is possible inside a C function, which called %llu primitive%s)\n",
            started, (unsigned long long)missed, ls_plural(missed));
  return ls_show_of(ran, ls_session_results(), started);
}

static ls_status counted(const char *rest, ls_ran (*go)(u64 n)) {
  u64 n;
  ls_status st = ls_count_of(rest, 1, &n);
  if (st != LS_OK) return st;
  note_name();
  return show_end(go(n));
}

static ls_status plain(const char *rest, ls_ran (*go)(void)) {
  if (*rest) return ls_fail(LS_EARG, "expected nothing more, got `%s`", rest);
  note_name();
  return show_end(go());
}

/* The error for `start NAME`, where NAME is not a call; reported before the current algorithm is dropped. */
static ls_status refuse_name(const char *name) {
  lua_State *L = ls_session_lua();
  const int top = lua_gettop(L);
  ls_text near = {0};
  if (!ls_lookup(L, name, strlen(name))) {
    const char *dot = strrchr(name, '.');
    char table[64] = "";
    if (dot) snprintf(table, sizeof table, "%.*s", (int)(dot - name), name);
    const bool known = ls_near_name(L, table, dot ? dot + 1 : name, &near);
    ls_status st = ls_fail(LS_EARG, "there is no `%s`%s%s%s", name, known ? " (did you mean `" : "",
                           known ? near.s : "", known ? "`?)" : "");
    ls_text_free(&near);
    return st;
  }
  const bool calls = lua_isfunction(L, -1) || luaL_getmetafield(L, -1, "__call") != LUA_TNIL;
  const char *type =
      luaL_getmetafield(L, -1, "__name") == LUA_TSTRING ? lua_tostring(L, -1) : luaL_typename(L, -1);
  const char *short_type = strrchr(type, '.') ? strrchr(type, '.') + 1 : type;
  ls_status st =
      calls ? ls_fail(LS_EARG, "%s is not a call: expected `start %s(g)`", name, name)
            : ls_fail(LS_EARG, "%s is a %s, not a call: expected `start f(args)`, e.g. `start scc(g)`", name,
                      short_type);
  lua_settop(L, top);
  return st;
}

static bool is_name(const char *s) {
  static const char words[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";
  return strchr("0123456789.", *s) == NULL && s[strspn(s, words)] == '\0';
}

static ls_status start(const char *rest) {
  if (!*rest) return ls_fail(LS_EARG, "start what? start f(args), e.g. start scc(g)");
  if (is_name(rest)) return refuse_name(rest);
  ls_note_dropped();
  snprintf(started, sizeof started, "%s", rest);
  return show_end(ls_session_start(rest));
}

static ls_status step(const char *rest) { return counted(rest, ls_session_step); }
static ls_status next(const char *rest) { return counted(rest, ls_session_next); }
static ls_ran iter_of(u64 n) {
  const ls_ran ran = ls_session_iter(n);
  if (ran == LS_DONE) ls_note("(the run ended without another iteration mark)\n");
  return ran;
}
static ls_ran turn_of(u64 n) {
  const ls_ran ran = ls_session_turn(n);
  if (ran == LS_DONE) ls_note("(the run ended before the end of another iteration)\n");
  return ran;
}
/* May the algorithm have iteration marks? If not, `iter` counts the iterations of the loop of primitives that
 * it calls (as sssp.lua calls near_far). A loop that is started directly has no Lua source, so no marks. */
static bool may_mark(void) {
  char source[512];
  if (!ls_session_paused() || ls_session_stop()->mark) return true;
  ls_session_source(source, sizeof source);
  return strcmp(source, LS_NO_SOURCE) != 0 && ls_source_has("in iterations");
}
static ls_status iter(const char *rest) { return counted(rest, may_mark() ? iter_of : turn_of); }
static ls_status finish(const char *rest) { return plain(rest, ls_session_finish); }
static ls_status go_on(const char *rest) { return plain(rest, ls_session_continue); }

/* Warns if an expression contains a name that is unknown at the stop, is not a count of any primitive, and
 * does not occur in the source that will run. Not an error, because the name may be defined later. */
static void warn_of_unknown(const char *expr) {
  const char *name = ls_session_unknown(expr), *counts[512];
  size_t n = 0;
  if (!*name || ls_source_has(name)) return;
  for (int i = 0; i < ls_prims(); i++) {
    const ls_prim *p = ls_prim_at(i);
    for (int k = 0; k < p->nargs; k++) {
      if (p->args[k].role != LS_COUNT) continue;
      if (strcmp(p->args[k].name, name) == 0) return;
      if (n < sizeof counts / sizeof *counts) counts[n++] = p->args[k].name;
    }
  }
  const char *near = ls_nearest(name, counts, n);
  ls_note("(nothing is called `%s` so far%s%s%s: the expression is false as long as the name is unknown)\n",
          name, near ? " (did you mean `" : "", near ? near : "", near ? "`?)" : "");
}

static ls_status until(const char *rest) {
  if (!*rest) return ls_fail(LS_EARG, "until what? until EXPR, e.g. until moved == 0");
  warn_of_unknown(rest);
  note_name();
  const bool from_the_past = ls_journal_in_past();
  ls_ran ran = ls_session_until(rest);
  if (ran == LS_DONE) ls_note("(the run ended, and this was true at no stop: %s)\n", rest);
  const ls_status st = show_end(ran);
  if (!st && ran == LS_PAUSED && from_the_past && !ls_journal_in_past() &&
      !strstr(ls_session_stop()->why, "until"))
    ls_note("(true at no stop up to the present: %s; repeat `until` to run on from here)\n", rest);
  return st;
}

static ls_status drop(const char *rest) {
  if (*rest) return ls_fail(LS_EARG, "expected nothing more, got `%s`", rest);
  note_name();
  ls_status st = ls_session_abandon();
  if (st == LS_OK) ls_note("(dropped %s)\n", started);
  return st;
}

/* --- breakpoints ------------------------------------------------------------------------------------- */

static ls_status stop_on_error(bool yes) {
  ls_session_stop_on_error(yes);
  ls_note(yes ? "an error stops a started run where it is raised\n" : "an error ends a started run\n");
  return LS_OK;
}

static ls_status list_breakpoints(void) {
  ls_breakpoint b;
  for (int i = 0; ls_session_breakpoint(i, &b); i++) {
    ls_say("%3d  %-6s  %s", b.id, b.kind, b.text);
    if (b.hits) ls_say("  (%llu hit%s)", (unsigned long long)b.hits, ls_plural(b.hits));
    if (*b.lacks) ls_say("  (no value: %s)", b.lacks);
    ls_say("\n");
  }
  if (!ls_session_breakpoint(0, &b)) ls_note("no breakpoints: break NAME, FILE:LINE or iter [N]\n");
  if (!ls_session_stops_on_error()) ls_note("an error ends a started run (break error off)\n");
  return LS_OK;
}

static ls_status made(ls_status st, int id) {
  ls_breakpoint b;
  int i = 0;
  if (st) return st;
  while (ls_session_breakpoint(i, &b) && b.id != id) i++;
  const char *note = strcmp(b.kind, "watch") == 0 ? "" : ls_session_break_note();
  ls_note("%s %d: %s%s%s%s\n", b.kind, b.id, b.text, *note ? " (" : "", note, *note ? ")" : "");
  return LS_OK;
}

static ls_status break_at(const char *rest) {
  int id = 0;
  if (!*rest) return list_breakpoints();
  if (strcmp(rest, "error") == 0 || strcmp(rest, "error on") == 0) return stop_on_error(true);
  if (strcmp(rest, "error off") == 0) return stop_on_error(false);
  ls_status st = ls_session_break(rest, false, &id);
  return made(st, id);
}

static ls_status tbreak(const char *rest) {
  int id = 0;
  if (!*rest) return list_breakpoints();
  ls_status st = ls_session_break(rest, true, &id);
  return made(st, id);
}

static ls_status watch(const char *rest) {
  int id = 0;
  if (!*rest) return list_breakpoints();
  ls_status st = ls_session_watch(rest, &id);
  if (!st) warn_of_unknown(rest);
  return made(st, id);
}

static bool is_all(const char *rest) { return !*rest || strcmp(rest, "all") == 0; }

bool ls_command_question(const ls_command *c, const char *rest, char *question, size_t bytes) {
  ls_breakpoint b;
  int count = 0;
  if (strcmp(c->name, "quit") == 0 && ls_session_paused()) {
    snprintf(question, bytes, "%s is stopped and will be dropped. Quit?", ls_session_stop()->text);
    return true;
  }
  if (strcmp(c->name, "new") == 0) return ls_new_question(rest, question, bytes);
  if (strcmp(c->name, "delete") != 0 || !is_all(rest)) return false;
  while (ls_session_breakpoint(count, &b)) count++;
  if (count == 1)
    snprintf(question, bytes, "Delete %s %d (%.60s)?", b.kind, b.id, b.text);
  else
    snprintf(question, bytes, "Delete all %d breakpoints and watches?", count);
  return count > 0;
}

static ls_status delete_some(const char *rest, ls_status (*del)(int id)) {
  u64 id;
  if (is_all(rest)) return del(0);
  ls_status st = ls_count_of(rest, 1, &id);
  return st == LS_OK ? del(id > 1000000000 ? 1000000000 : (int)id) : st;
}

static int shown_displays;

static void count_display(int id, const char *expr, const char *value) {
  (void)id, (void)expr, (void)value;
  shown_displays++;
}

static ls_status delete_points(const char *rest) {
  ls_breakpoint b;
  if (is_all(rest) && !ls_session_breakpoint(0, &b))
    ls_note("(no breakpoints or watches: nothing to delete)\n");
  return delete_some(rest, ls_session_delete);
}

static ls_status undisplay(const char *rest) {
  shown_displays = 0;
  if (is_all(rest)) ls_session_displays(count_display);
  if (is_all(rest) && !shown_displays) ls_note("(no displays: nothing to remove)\n");
  return delete_some(rest, ls_session_undisplay);
}

static ls_status display(const char *rest) {
  int id;
  ls_status st = *rest ? ls_session_display(rest, &id) : LS_OK;
  if (st == LS_OK) ls_session_displays(show_display);
  return st;
}

/* --- looking ----------------------------------------------------------------------------------------- */

static void show_frame(int level, const char *where, const char *function) {
  ls_say("%3d  %-20s  %s\n", level, where, function);
}

static ls_status backtrace(const char *rest) {
  (void)rest;
  if (ls_session_paused())
    ls_session_backtrace(show_frame);
  else if (*ls_session_traceback())
    ls_say("%s\n", ls_session_traceback());
  else
    return ls_fail(LS_EARG, "nothing is started, and nothing has failed");
  return LS_OK;
}

static ls_status where(const char *rest) {
  const ls_stop *stop = ls_session_stop();
  (void)rest;
  if (!stop) return ls_fail(LS_EARG, "nothing is started: start f(args), e.g. start scc(g)");
  ls_show_stop(stop);
  if (ls_session_failure()) ls_say("%s\n", ls_session_failure());
  ls_session_backtrace(show_frame);
  return LS_OK;
}

static int locals_shown;

static void show_local(const char *name, const char *value) {
  locals_shown++;
  ls_say("  %s = %s\n", name, value);
}

static ls_status locals(const char *rest) {
  (void)rest;
  if (!ls_session_paused()) return ls_fail(LS_EARG, "nothing is started: start f(args), e.g. start scc(g)");
  locals_shown = 0;
  ls_session_locals(show_local);
  if (!locals_shown) ls_note(ls_session_ended() ? "no locals: the run has ended\n" : "no locals\n");
  return LS_OK;
}

const ls_command ls_commands_step[] = {
    {"start", "start f(ARGS)",
     "Starts an algorithm and stops just before its first primitive. (An iteration without primitives counts as a\n"
     "primitive: start, step, next and until stop at its mark, if it has one.)\n"
     "An algorithm that was stopped is dropped. Go on with step, next, iter, until, finish or continue. At a stop\n"
     "you may type anything, and names mean what they mean in the stopped function: n = 5 sets its local n, if it\n"
     "has one.",
     start, false},
    {"step", "step [N]", "Runs one primitive (or N), inside of fixpoints and loops too.", step, true},
    {"next", "next [N]", "Runs one primitive or one whole fixpoint or loop (or N of them).", next, true},
    {"iter", "iter [N]",
     "Runs to the next iteration mark (or to the N-th from here).\n"
     "If an algorithm has no loop over iterations(), to the end of an iteration of its loop of primitives: a\n"
     "layer of bfs, a pivot of fw, a bucket of sssp.",
     iter, true},
    {"finish", "finish", "Runs until the current Lua function has returned.", finish, true},
    {"continue", "continue",
     "Runs to the next breakpoint or to the end; at full speed if no breakpoint or watch is set.", go_on,
     true},
    {"until", "until EXPR",
     "Runs to the first primitive after which EXPR is true, e.g. until moved == 0. The mark of an iteration without\n"
     "primitives counts as a primitive.\n"
     "EXPR sees the counts of the primitive that ran last, the values of the last iteration mark, the locals\n"
     "of the function that called it, and globals. As long as EXPR names something that does not exist, it is false.",
     until, true},
    {"break", "break [NAME | [FILE:]LINE | iter [N]] [if EXPR], break error [off]",
     "Stops after the primitive NAME, before a line of Lua (without FILE: of the file in which the run is stopped), or\n"
     "at an iteration mark; without arguments, lists the breakpoints.\n"
     "With `if`, only if EXPR is true (see help until). On a line without code it stops before the next line with code.\n"
     "At an error that is not caught, a started algorithm stops where the error was raised. You can look at it, but\n"
     "it cannot go on. After `break error off` it ends instead.",
     break_at, false},
    {"tbreak", "tbreak NAME | [FILE:]LINE | iter [N] [if EXPR]",
     "A breakpoint that stops once and is deleted then.", tbreak, false},
    {"watch", "watch EXPR",
     "Stops after a primitive that has changed the value of EXPR; shows old -> new.\n"
     "A buffer or a table has changed if anything in it has; `diff BUFFER` then shows what. For steps that have already run,\n"
     "`back watch EXPR` goes to the last change, and `changes EXPR` lists all.",
     watch, false},
    {"delete", "delete [N | all]",
     "Deletes breakpoint or watch N, or all; at a terminal it asks before it deletes all.", delete_points,
     false},
    {"display", "display [EXPR]", "Shows EXPR now and at every stop; without EXPR: shows all of them.",
     display, false},
    {"undisplay", "undisplay [N | all]", "Removes display N, or all.", undisplay, false},
    {"where", "where", "Shows the current stop again, and the Lua functions that led to it.", where, false},
    {"backtrace", "backtrace",
     "The Lua functions that led to the current stop, or the last error's traceback.", backtrace, false},
    {"bt", "bt", "Short for backtrace.", backtrace, false},
    {"locals", "locals", "The stopped function's locals and their values.", locals, false},
    {"drop", "drop", "Ends the stopped algorithm; its to-be-closed variables are closed.", drop, false},
    {NULL, NULL, NULL, NULL, false},
};
