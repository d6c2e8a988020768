#include "session/profiling.h"
#include "session/run.h"

#include <stdio.h>
#include <string.h>

#include "core/async_job.h"
#include "core/mem.h"
#include "core/wait.h"
#include "data/buffer.h"
#include "session/error_position.h"
#include "session/frames.h"
#include "session/marks.h"
#include "session/breakpoints.h"
#include "session/stop.h"
#include "session/threads.h"
#include "session/values.h"

struct runs the_runs;

static bool may_pause;
static void (*on_stop)(const ls_stop *);
static bool unstopped; /* the last algorithm ended with a stop still pending, */
static u64 missed;     /* and this many primitives ran since that stop was requested */
static int nresults;
static char *traceback;
static char over_text[120];     /* text of the last ended algorithm, if it had stopped; else "" */
static u64 first, first_before; /* numbers of the first trace records of the last two runs */

int ls_session_results(void) { return nresults; }
const char *ls_session_traceback(void) { return traceback ? traceback : ""; }
void ls_session_may_pause(bool yes) { may_pause = yes; }
bool ls_session_has_prompt(void) { return may_pause; }
void ls_session_on_stop(void (*show)(const ls_stop *stop)) { on_stop = show; }
const char *ls_session_failure(void) { return the_stop.paused ? the_runs.failure : NULL; }

bool ls_session_missed(u64 *primitives) {
  *primitives = missed;
  return unstopped;
}

static void forget_traceback(void) {
  ls_free(traceback);
  traceback = NULL;
}

/* --- one resume -------------------------------------------------------------------------------------- */

static void close_run(stepping *r) {
  if (!r || !r->co) return;
  if (r == &the_runs.algorithm) {
    the_runs.ended = false;
    snprintf(over_text, sizeof over_text, "%s", r->stood ? r->text : "");
    the_stops.recorder->ended();
    ls_free(the_runs.failure);
    the_runs.failure = NULL;
  }
  luaL_unref(the_threads.L, LUA_REGISTRYINDEX, r->ref);
  luaL_unref(the_threads.L, LUA_REGISTRYINDEX, r->until);
  *r = (stepping){.ref = LUA_NOREF, .until = LUA_NOREF};
}

static void end_run(stepping *r) {
  the_stops.present = r;
  const bool kept = r == &the_runs.algorithm && r->stood && the_stops.recorder->finished(r->co);
  the_stops.present = NULL;
  if (kept)
    the_runs.ended = true;
  else
    close_run(r);
}

void ls_session_forget_ended(void) {
  if (the_runs.ended && !the_stop.paused) close_run(&the_runs.algorithm);
}

bool ls_session_ended(void) { return the_runs.ended && the_stop.paused && !the_frames.recorded; }

bool run_stand_at_end(void) {
  if (!the_runs.ended) return false;
  the_frames.standing[0] = the_runs.algorithm.co;
  the_frames.count = 1;
  the_stop.paused = true;
  return true;
}

/* A typed line has been paused: it becomes the algorithm. */
static void become_algorithm(stepping *r) {
  close_run(&the_runs.algorithm);
  the_runs.algorithm = *r;
  *r = (stepping){.ref = LUA_NOREF, .until = LUA_NOREF};
}

static void keep_traceback(lua_State *L, lua_State *co, const char *message) {
  luaL_traceback(L, co, message, 0);
  ls_free(traceback);
  traceback = ls_strdup(lua_tostring(L, -1)); /* NULL, i.e. none, where memory is short */
  lua_pop(L, 1);
}

/* Turns the error object on top of L into a string. */
static void error_text(lua_State *L) {
  if (lua_tostring(L, -1)) return;
  if (luaL_getmetafield(L, -1, "__tostring") == LUA_TNIL) {
    lua_pushfstring(L, "(error object is a %s value)", luaL_typename(L, -1));
  } else {
    lua_pushvalue(L, -2);
    if (ls_session_call(L, 1, 1) != LUA_OK || lua_type(L, -1) != LUA_TSTRING) {
      lua_pop(L, 1);
      lua_pushliteral(L, "(an error object whose __tostring fails)");
    }
  }
  lua_remove(L, -2);
}

/* Nothing runs any more. */
static void over(void) {
  the_threads.running = NULL;
  the_threads.busy = false;
  the_stops.present = NULL;
}

/* Ends an exchange between ranks that the run has begun and not waited for. If the run has not failed, the
 * exchange is completed, because other ranks need this rank's part; else it is abandoned. false: the exchange
 * has failed; its message is on co. */
static bool end_exchange(lua_State *co, int status, int *count) {
  if (status != LUA_OK && status != LUA_YIELD) {
    ls_async_job_give_up();
    return true;
  }
  const ls_status st = ls_async_job_finish();
  if (!st || status == LUA_YIELD) return true; /* a later wait for the exchange returns the error */
  lua_pop(co, *count);
  lua_pushstring(co, ls_error());
  ls_set_status(st);
  return false;
}

/* Runs r until it ends or stops. Leaves the results (LS_DONE) or the message (LS_ERROR) on L. */
static ls_ran drive(lua_State *L, stepping *r, int nargs) {
  bool untraced = r->stoppable && !ls_trace_enabled();
  stops_begin(r);
  the_threads.busy = true;
  if (r->stoppable) { /* a line typed at a stop does not change the stopped coroutines */
    the_frames.count = 0;
    values_begin();
  }
  the_threads.running = r->co;
  threads_sync_hook(r->co);
  if (untraced) ls_trace_enable(true); /* stop lines are made from the trace */
  int count = 0;
  ranges_run(r->text);
  int status = lua_resume(r->co, L, nargs, &count);
  if (!end_exchange(r->co, status, &count)) status = LUA_ERRRUN;
  ranges_rest();
  const bool stands = status != LUA_OK && status != LUA_YIELD && stops_at_error(r->co);
  over();
  ls_trace_pause(); /* from here on the time is the user's */
  if (untraced) ls_trace_enable(false);
  if (status == LUA_YIELD && the_frames.count && the_frames.standing[the_frames.count - 1] == r->co) {
    the_stop.paused = true;
    threads_clear_interrupt();
    if (r == &the_runs.evaluation) become_algorithm(r);
    the_stops.recorder->paused();
    return LS_PAUSED;
  }
  lua_State *co = r->co;
  threads_clear_interrupt();
  if (status == LUA_OK) {
    luaL_checkstack(L, count, "too many results");
    lua_xmove(co, L, count);
    unstopped = r->stoppable && r->pending && !r->pausing && (r->late || !r->stood);
    missed = r->late;
    end_run(r);
    nresults = count;
    return LS_DONE;
  }
  if (status == LUA_YIELD)
    lua_pushliteral(L, "attempt to yield from outside a coroutine");
  else
    lua_xmove(co, L, 1);
  error_text(L);
  blame_caller(L, co);
  keep_traceback(L, co, lua_tostring(L, -1));
  if (stands && (the_runs.failure = ls_strdup(lua_tostring(L, -1)))) {
    the_stop.paused = true;
    the_stops.recorder->paused();
    return LS_ERROR;
  }
  threads_close(co);
  close_run(r);
  return LS_ERROR;
}

/* --- entries from outside Lua: everything inside a protected call ------------------------------------ */

ls_ran run_guarded(lua_CFunction body, run_job *j) {
  lua_State *L = the_threads.L;
  int top = lua_gettop(L);
  nresults = 0;
  threads_clear_interrupt(); /* a Ctrl-C that came while nothing ran has been handled */
  lua_pushcfunction(L, body);
  lua_pushlightuserdata(L, j);
  int status = lua_pcall(L, 1, LUA_MULTRET, 0);
  if (status != LUA_OK) { /* memory ran out around the run, or the text did not compile */
    j->ran = LS_ERROR;
    over();
    threads_clear_interrupt();
    values_abort();
    close_run(j->r);
    if (!the_runs.algorithm.co) the_stop.paused = false;
  } else if (j->ran == LS_DONE) {
    nresults = lua_gettop(L) - top;
  }
  const bool failed = j->ran == LS_ERROR && j->r == &the_runs.algorithm && the_runs.failure;
  if ((j->ran == LS_PAUSED || failed) && on_stop) {
    const ls_status st = ls_last_status();
    on_stop(&the_stop.now);
    if (failed) ls_set_status(st); /* showing the displays may have set another status */
  }
  return j->ran;
}

static int push_text(lua_State *L) {
  run_job *j = lua_touserdata(L, 1);
  j->ran = LS_ERROR;
  lua_pushstring(L, j->text);
  return 1;
}

const char *run_none(void) {
  static char text[400];
  if (!*over_text) return "nothing is started: start f(args), e.g. start scc(g)";
  snprintf(
      text, sizeof text,
      "%s has ended, and its recording is gone: to look back, `start %s` again and stop before the end, by `until EXPR` or "
      "`break NAME`",
      over_text, over_text);
  return text;
}

ls_ran run_refused(const char *message) {
  run_job j = {.text = message};
  return run_guarded(push_text, &j);
}

static bool unfinished(const char *message) {
  size_t n = strlen(message);
  return n >= 5 && strcmp(message + n - 5, "<eof>") == 0;
}

/* Compiles statements with an expression after the last semicolon: `a = 5; a` as "a = 5; return a". */
static bool compile_last(lua_State *L, const char *text, const char *chunkname) {
  const char *last = strrchr(text, ';');
  if (!last || !last[1 + strspn(last + 1, " \t\n")]) return false;
  const int top = lua_gettop(L);
  lua_pushlstring(L, text, (size_t)(last + 1 - text));
  lua_pushfstring(L, "%s return %s", lua_tostring(L, -1), last + 1);
  size_t bytes;
  const char *source = lua_tolstring(L, -1, &bytes);
  const bool good = luaL_loadbufferx(L, source, bytes, chunkname, "t") == LUA_OK;
  if (good) lua_replace(L, top + 1);
  lua_settop(L, top + good);
  return good;
}

/* Compiles text as an expression. Pushes the function (true) or the message (false). */
static bool compile_expression(lua_State *L, const char *text, const char *chunkname) {
  lua_pushfstring(L, "return %s", text);
  size_t bytes;
  const char *source = lua_tolstring(L, -1, &bytes);
  const bool good = luaL_loadbufferx(L, source, bytes, chunkname, "t") == LUA_OK;
  lua_remove(L, -2);
  return good;
}

/* Compiles text, as an expression if it is one. Pushes the function (true) or the message (false); *more: the
 * text is incomplete. Newlines at the beginning of text give it its line number in a long input; the first
 * attempt skips them, so that Lua reads them only once. */
static bool compile(lua_State *L, const char *text, const char *chunkname, bool *more) {
  const char *begin = text + strspn(text, "\n");
  if (compile_expression(L, begin, chunkname)) {
    if (begin == text) return true;
    lua_pop(L, 1);
    return compile_expression(L, text, chunkname);
  }
  *more = unfinished(lua_tostring(L, -1));
  lua_pop(L, 1);
  if (luaL_loadbufferx(L, text, strlen(text), chunkname, "t") == LUA_OK) return true;
  if (compile_last(L, text, chunkname)) {
    lua_remove(L, -2);
    return true;
  }
  *more = *more || unfinished(lua_tostring(L, -1));
  return false;
}

u64 ls_session_first(void) {
  if (the_stop.paused || the_stops.present == &the_runs.algorithm) return the_runs.algorithm.span.first;
  return records_last_seq() >= first
             ? first
             : first_before; /* a line without records, such as `1 + 1`, does not count */
}

static void new_run(lua_State *L, stepping *r, bool stoppable, const char *text) {
  r->co = lua_newthread(L);
  r->ref = luaL_ref(L, LUA_REGISTRYINDEX);
  r->until = LUA_NOREF;
  r->stoppable = stoppable;
  r->span.first = records_last_seq() + 1;
  if (!the_stop.paused) {
    if (records_last_seq() >= first) first_before = first;
    first = r->span.first;
    ls_trace_begin_run();
  }
  text += strspn(text, " \t\n");
  snprintf(r->text, sizeof r->text, "%.*s", (int)strcspn(text, "\n"), text);
  ls_clear_status();
}

static int evaluate(lua_State *L) {
  run_job *j = lua_touserdata(L, 1);
  bool more = false;
  lua_settop(L, 0);
  if (!compile(L, j->text, j->chunkname, &more)) {
    j->ran = more ? LS_UNFINISHED : LS_ERROR;
    if (more) lua_settop(L, 0);
    return lua_gettop(L);
  }
  bool at_stop = the_stop.paused;
  if (at_stop) {
    values_push_environment(L);
    lua_setupvalue(L, 1, 1);
    the_values.frame = the_frames.standing[0];
  } else { /* the line may still become a paused algorithm */
    points_begin();
    marks_forget(L);
  }
  new_run(L, j->r, false, j->text);
  lua_xmove(L, j->r->co, 1);
  ls_buffer_beside(at_stop);
  j->ran = drive(L, j->r, 0);
  ls_buffer_beside(false);
  the_values.frame = NULL;
  if (at_stop) the_stops.recorder->typed();
  return lua_gettop(L);
}

ls_ran ls_session_eval(const char *text, const char *chunkname, int *results) {
  *results = 0;
  if (the_stops.present) return run_refused("something is running already");
  forget_traceback();
  run_job j = {.text = text, .chunkname = chunkname, .r = &the_runs.evaluation};
  ls_ran ran = run_guarded(evaluate, &j);
  *results = nresults;
  return ran;
}

/* --- starting, resuming and dropping an algorithm ---------------------------------------------------- */

static int start(lua_State *L) {
  run_job *j = lua_touserdata(L, 1);
  bool more = false;
  lua_settop(L, 0);
  if (!compile(L, j->text, "=start", &more)) {
    j->ran = LS_ERROR;
    return 1;
  }
  points_begin();
  marks_forget(L);
  new_run(L, j->r, true, j->text);
  j->r->pending = true;
  stop_forget_why();
  lua_xmove(L, j->r->co, 1);
  j->ran = drive(L, j->r, 0);
  return lua_gettop(L);
}

static u64 runs;

u64 ls_session_runs(void) { return runs; }

static ls_ran begin_run(lua_CFunction body, run_job *j) {
  if (the_stops.present) return run_refused("something is running already");
  runs++;
  forget_traceback();
  if (the_stop.paused) ls_session_abandon();
  ls_session_forget_ended();
  return run_guarded(body, j);
}

ls_ran ls_session_start(const char *expr) {
  run_job j = {.text = expr, .r = &the_runs.algorithm};
  return begin_run(start, &j);
}

void ls_session_arguments(lua_State *L, const char *name, int argc, char **argv) {
  lua_createtable(L, argc, 1);
  lua_pushstring(L, name);
  lua_rawseti(L, -2, 0);
  for (int i = 0; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setglobal(L, "arg");
}

static int run_file(lua_State *L) {
  run_job *j = lua_touserdata(L, 1);
  bool from_stdin = strcmp(j->text, "-") == 0;
  lua_settop(L, 0);
  int status = luaL_loadfilex(L, from_stdin ? NULL : j->text, NULL);
  if (status == LUA_ERRFILE) return ls_raise(L, ls_fail(LS_EINPUT, "%s", lua_tostring(L, -1)));
  if (status != LUA_OK) {
    j->ran = LS_ERROR;
    return 1;
  }
  if (may_pause) {
    points_begin();
    marks_forget(L);
  }
  ls_session_arguments(L, j->text, j->argc, j->argv);
  new_run(L, j->r, may_pause, j->text);
  luaL_checkstack(L, j->argc, "too many arguments to the script");
  for (int i = 0; i < j->argc; i++) lua_pushstring(L, j->argv[i]);
  lua_xmove(L, j->r->co, j->argc + 1);
  j->ran = drive(L, j->r, j->argc);
  if (j->ran == LS_DONE && !j->wants_results) lua_settop(L, 0);
  return lua_gettop(L);
}

ls_ran ls_session_run_file(const char *path, int argc, char **argv, int *results) {
  run_job j = {
      .text = path, .argc = argc, .argv = argv, .wants_results = results != NULL, .r = &the_runs.algorithm};
  const ls_ran ran = begin_run(run_file, &j);
  if (results) *results = nresults;
  return ran;
}

static int go_on(lua_State *L) {
  run_job *j = lua_touserdata(L, 1);
  lua_settop(L, 0);
  the_stop.paused = false;
  j->r->span.beside = records_last_seq();
  j->ran = drive(L, j->r, 0);
  return lua_gettop(L);
}

ls_ran run_go_on(void) {
  run_job j = {.r = &the_runs.algorithm};
  return run_guarded(go_on, &j);
}

ls_status ls_session_abandon(void) {
  if (the_stops.present) return ls_fail(LS_EARG, "the algorithm is running");
  if (!the_stop.paused) return ls_fail(LS_EARG, "nothing is started");
  the_stops.recorder->ended(); /* code that runs while the algorithm is closed sees the present */
  the_stop.paused = false;
  the_runs.algorithm.stoppable = false;
  int count = the_frames.count;
  the_frames.count = 0;
  for (int i = 0; i < count; i++) /* innermost first, the order in which an error unwinds them */
    threads_close(the_frames.standing[i]);
  threads_clear_interrupt();
  close_run(&the_runs.algorithm);
  over_text[0] = '\0';
  return LS_OK;
}

/* --- for the layers above ---------------------------------------------------------------------------- */

void run_open(void) {
  const stepping none = {.ref = LUA_NOREF, .until = LUA_NOREF};
  the_runs = (struct runs){none, none, NULL, false};
  may_pause = unstopped = false;
  missed = first = first_before = 0;
  nresults = 0;
  traceback = NULL;
  over_text[0] = '\0';
  records_of(&the_runs.algorithm.span);
}

void run_close(void) {
  if (the_stop.paused) ls_session_abandon();
  ls_session_forget_ended();
  forget_traceback();
}
