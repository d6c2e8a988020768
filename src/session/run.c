/* Runs: what is typed, scripts, and the one algorithm that can stand at a stop. */
#include "session/parts.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/wait.h"

struct session session;

lua_State *ls_session_lua(void) { return session.L; }
bool ls_session_paused(void) { return session.paused; }
int ls_session_results(void) { return session.nresults; }
const char *ls_session_traceback(void) { return session.traceback ? session.traceback : ""; }
void ls_session_may_pause(bool yes) { session.may_pause = yes; }
const ls_stop *ls_session_stop(void) { return session.paused ? &session.stop : NULL; }
bool ls_session_missed(u64 *primitives) {
  *primitives = session.missed;
  return session.unstopped;
}
bool ls_session_running(void) { return session.current != NULL; }
void ls_session_on_text(void (*push)(lua_State *L, int index)) { session.on_text = push; }
void ls_session_on_stop(void (*show)(const ls_stop *stop)) { session.on_stop = show; }
void ls_session_stop_on_error(bool yes) { session.errors_end = !yes; }
bool ls_session_stops_on_error(void) { return !session.errors_end; }
const char *ls_session_failure(void) { return session.paused ? session.failure : NULL; }
u64 ls_session_touched(void) { return session.touched; }
u32 ls_session_mark(void) { return session.current ? session.current->mark : 0; }

/* --- opening and closing ---------------------------------------------------------------------------------
 */

static int attach(lua_State *L) {
  session.scratch = lua_newthread(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &session.scratch);
  scope_open(L);
  return 0;
}

ls_status ls_session_attach(lua_State *L) {
  void (*on_stop)(const ls_stop *) = session.on_stop;
  session = (struct session){.L = L, .on_stop = on_stop};
  past_open();
  session.algorithm.ref = session.evaluation.ref = session.algorithm.until = LUA_NOREF;
  lua_pushcfunction(L, attach);
  if (lua_pcall(L, 0, 0, 0) == LUA_OK) return LS_OK;
  const char *message = lua_tostring(L, -1);
  ls_fail(LS_EMEM, "cannot open the session: %s", message ? message : "?");
  lua_pop(L, 1);
  session.L = NULL;
  return LS_EMEM;
}

static int open_all(lua_State *L) {
  ls_open_all(L);
  return 0;
}

lua_State *ls_session_open(void) {
  lua_State *L = luaL_newstate();
  if (!L) {
    ls_fail(LS_EMEM, "no memory for Lua");
    return NULL;
  }
  if (ls_session_attach(L) != LS_OK) {
    lua_close(L);
    return NULL;
  }
  lua_pushcfunction(L, open_all);
  if (lua_pcall(L, 0, 0, 0) == LUA_OK) return L;
  const char *message = lua_tostring(L, -1);
  ls_fail(LS_EARG, "cannot open the library: %s", message ? message : "?");
  ls_session_close();
  return NULL;
}

void ls_session_close(void) {
  lua_State *L = session.L;
  if (!L) return;
  if (session.paused) ls_session_abandon();
  points_close();
  checkpoint_forget();
  ls_free(session.traceback);
  session.traceback = NULL;
  session.L = NULL;
  lua_close(L);
}

/* --- one resume ------------------------------------------------------------------------------------------
 */

void session_close_run(run *r) {
  if (!r->co) return;
  if (r == &session.algorithm) {
    past_end();
    ls_free(session.failure);
    session.failure = NULL;
  }
  luaL_unref(session.L, LUA_REGISTRYINDEX, r->ref);
  luaL_unref(session.L, LUA_REGISTRYINDEX, r->until);
  *r = (run){.ref = LUA_NOREF, .until = LUA_NOREF};
}

/* Raises "interrupted" again and again, so that a loop over pcall cannot swallow it: the first time a
 * cleanup gets some instructions of peace, after that none, since every level must be left. */
static void interrupt_hook(lua_State *L, lua_Debug *ar) {
  (void)ar;
  if (!session.raise) {
    session_sync_hook(L);
    return;
  }
  int peace = session.raise == 1 ? 1000 : 1;
  session.raise = 2;
  lua_sethook(L, interrupt_hook, LUA_MASKCOUNT, peace);
  ls_raise(L, ls_fail(LS_EINTERRUPTED, "interrupted"));
}

static void stop_hook(lua_State *L, lua_Debug *ar) { stops_line_hook(L, ar); }

/* One turn of politeness in the middle of Lua code; the event may be one that a stop waits for. */
static void tick_hook(lua_State *L, lua_Debug *ar) {
  session_sync_hook(L);
  ls_idle();
  if (lua_gethook(L) == stop_hook) stop_hook(L, ar);
}

void ls_session_tick(void) {
  lua_State *L = session.running;
  if (!L || session.raise) return;
  lua_Hook present = lua_gethook(L);
  if (present && present != stop_hook) return; /* a script's own, or a tick is on its way */
  lua_sethook(L, tick_hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

void session_clear_interrupt(void) {
  session.asked = session.raise = 0;
  ls_interrupt_clear();
}

/* Gives thread L the hook that is wanted now. A hook that a script has set itself is left alone. */
void session_sync_hook(lua_State *L) {
  if (session.raise) {
    lua_sethook(L, interrupt_hook, LUA_MASKCOUNT, 1);
    return;
  }
  lua_Hook present = lua_gethook(L);
  int mask = stops_hook_mask();
  if (mask)
    lua_sethook(L, stop_hook, mask, 0);
  else if (present == stop_hook || present == interrupt_hook || present == tick_hook)
    lua_sethook(L, NULL, 0, 0);
}

void ls_session_interrupt(void) {
  bool again = session.asked || (session.current && session.current->pausing);
  session.asked = 1;
  lua_State *L = session.running;
  if (!L) return;
  if (session.current && session.current->stoppable && !session.evaluating && !again) return;
  if (!session.raise) session.raise = 1;
  lua_sethook(L, interrupt_hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

bool ls_session_stopping(void) {
  const run *r = session.current;
  return r && (session.asked || r->pausing) && !session.raise && session.running && r->stoppable &&
         !session.evaluating;
}

bool ls_session_pause(void) {
  run *r = session.current;
  if (!r || !session.running || session.evaluating || session.raise) return false;
  if (!r->stoppable && session.paused) return false;
  if (r->pausing) return true;
  if (!r->pending) {
    session.stop.why[0] = '\0';
    stops_why("paused");
  }
  r->stoppable = r->pending = r->at_line = r->pausing = true;
  ls_pause();
  session_sync_hook(session.running);
  return true;
}

/* What was typed has been paused: from now on it is the algorithm. */
static void become_algorithm(run *r) {
  session.algorithm = *r;
  *r = (run){.ref = LUA_NOREF, .until = LUA_NOREF};
}

static void keep_traceback(lua_State *L, lua_State *co, const char *message) {
  luaL_traceback(L, co, message, 0);
  ls_free(session.traceback);
  session.traceback = ls_strdup(lua_tostring(L, -1)); /* NULL, i.e. none, where memory is short */
  lua_pop(L, 1);
}

/* As lua_pcall, for what runs beside a run: Ctrl-C interrupts it, at once. */
int ls_session_call(lua_State *L, int nargs, int nresults) {
  lua_State *was = session.running;
  session.running = L;
  int status = lua_pcall(L, nargs, nresults, 0);
  session.running = was;
  if (!was) session.asked = session.raise = 0; /* what it interrupted has ended */
  return status;
}

/* Closes what co has to close, likewise. */
static int close_thread(lua_State *co) {
  session.running = co;
  int status = lua_resetthread(co);
  session.running = NULL;
  session.asked = session.raise = 0;
  return status;
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

/* Runs r until it ends or stops. On LS_DONE its results, else on LS_ERROR the message, are left on L. */
static ls_ran drive(lua_State *L, run *r, int nargs) {
  bool untraced = r->stoppable && !ls_trace_enabled();
  session.current = r;
  if (r->stoppable) { /* what is typed leaves the standing ones standing */
    session.nstanding = 0;
    session.assigned = session.changed = false;
  }
  session.blocked = false;
  session.nested = 0;
  session.asks[0] = '\0';
  session.running = r->co;
  session_sync_hook(r->co);
  if (untraced) ls_trace_enable(true); /* stops are told from the trace */
  int count = 0;
  int status = lua_resume(r->co, L, nargs, &count);
  const bool stands = status != LUA_OK && status != LUA_YIELD && stops_at_error(r->co);
  session.running = NULL;
  session.current = NULL;
  ls_trace_pause(); /* what comes now is the user's time */
  if (untraced) ls_trace_enable(false);
  if (status == LUA_YIELD && session.nstanding && session.standing[session.nstanding - 1] == r->co) {
    session.paused = true;
    session_clear_interrupt();
    if (r == &session.evaluation) become_algorithm(r);
    past_pause();
    return LS_PAUSED;
  }
  lua_State *co = r->co;
  session_clear_interrupt();
  if (status == LUA_OK) {
    luaL_checkstack(L, count, "too many results");
    lua_xmove(co, L, count);
    session.unstopped = r->stoppable && r->pending && !r->pausing && (r->late || !r->stood);
    session.missed = r->late;
    session_close_run(r);
    session.nresults = count;
    return LS_DONE;
  }
  if (status == LUA_YIELD)
    lua_pushliteral(L, "attempt to yield from outside a coroutine");
  else
    lua_xmove(co, L, 1);
  error_text(L);
  keep_traceback(L, co, lua_tostring(L, -1));
  if (stands && (session.failure = ls_strdup(lua_tostring(L, -1)))) {
    session.paused = true;
    past_pause();
    return LS_ERROR;
  }
  close_thread(co);
  session_close_run(r);
  return LS_ERROR;
}

/* --- entries from outside Lua: everything inside a protected call ------------------------------------------
 */

ls_ran session_guarded(lua_CFunction body, job *j) {
  lua_State *L = session.L;
  int top = lua_gettop(L);
  session.nresults = 0;
  session_clear_interrupt(); /* one that came while nothing ran has been acted on */
  lua_pushcfunction(L, body);
  lua_pushlightuserdata(L, j);
  int status = lua_pcall(L, 1, LUA_MULTRET, 0);
  if (status != LUA_OK) { /* memory ran out around the run, or the text did not compile */
    j->ran = LS_ERROR;
    session.running = NULL;
    session.current = NULL;
    session_clear_interrupt();
    session.evaluating = 0;
    session.frame = NULL;
    ls_buffer_beside(false);
    session_close_run(j->r);
    if (!session.algorithm.co) session.paused = false;
  } else if (j->ran == LS_DONE) {
    session.nresults = lua_gettop(L) - top;
  }
  const bool failed = j->ran == LS_ERROR && j->r == &session.algorithm && session.failure;
  if ((j->ran == LS_PAUSED || failed) && session.on_stop) {
    const ls_status st = ls_last_status();
    session.on_stop(&session.stop);
    if (failed) ls_set_status(st); /* what was displayed may have failed as well */
  }
  return j->ran;
}

static int push_text(lua_State *L) {
  job *j = lua_touserdata(L, 1);
  j->ran = LS_ERROR;
  lua_pushstring(L, j->text);
  return 1;
}

ls_ran session_refused(const char *message) {
  run none = {.ref = LUA_NOREF};
  job j = {.text = message, .r = &none};
  return session_guarded(push_text, &j);
}

static bool unfinished(const char *message) {
  size_t n = strlen(message);
  return n >= 5 && strcmp(message + n - 5, "<eof>") == 0;
}

/* Compiles text, as an expression if it is one. Pushes the function (true) or the message. */
static bool compile(lua_State *L, const char *text, const char *chunkname, bool *more) {
  lua_pushfstring(L, "return %s", text);
  size_t bytes;
  const char *source = lua_tolstring(L, -1, &bytes);
  bool good = luaL_loadbufferx(L, source, bytes, chunkname, "t") == LUA_OK;
  lua_remove(L, -2);
  if (good) return true;
  *more = unfinished(lua_tostring(L, -1));
  lua_pop(L, 1);
  if (luaL_loadbufferx(L, text, strlen(text), chunkname, "t") == LUA_OK) return true;
  *more = *more || unfinished(lua_tostring(L, -1));
  return false;
}

static u64 last_seq(void) {
  const ls_record *last = ls_trace_get(ls_trace_last());
  return last ? last->seq : 0;
}

u64 ls_session_first(void) {
  if (session.paused || session.current == &session.algorithm) return session.algorithm.first_seq;
  return last_seq() >= session.first ? session.first
                                     : session.first_before; /* `1 + 1` is no run to look at */
}

static void new_run(lua_State *L, run *r, bool stoppable, const char *text) {
  r->co = lua_newthread(L);
  r->ref = luaL_ref(L, LUA_REGISTRYINDEX);
  r->until = LUA_NOREF;
  r->stoppable = stoppable;
  r->first_seq = last_seq() + 1;
  if (!session.paused) {
    if (last_seq() >= session.first) session.first_before = session.first;
    session.first = r->first_seq;
  }
  text += strspn(text, " \t\n");
  snprintf(r->text, sizeof r->text, "%.*s", (int)strcspn(text, "\n"), text);
  ls_clear_status();
}

static int evaluate(lua_State *L) {
  job *j = lua_touserdata(L, 1);
  bool more = false;
  lua_settop(L, 0);
  if (!compile(L, j->text, j->chunkname, &more)) {
    j->ran = more ? LS_UNFINISHED : LS_ERROR;
    if (more) lua_settop(L, 0);
    return lua_gettop(L);
  }
  bool at_stop = session.paused;
  if (at_stop) {
    scope_push_environment(L);
    lua_setupvalue(L, 1, 1);
    session.frame = session.standing[0];
  } else { /* it may yet be paused */
    points_begin();
    marks_forget(L);
  }
  new_run(L, j->r, false, j->text);
  lua_xmove(L, j->r->co, 1);
  ls_buffer_beside(at_stop);
  j->ran = drive(L, j->r, 0);
  ls_buffer_beside(false);
  session.frame = NULL;
  if (at_stop) past_typed();
  return lua_gettop(L);
}

ls_ran ls_session_eval(const char *text, const char *chunkname, int *nresults) {
  *nresults = 0;
  if (session.current) return session_refused("something is running already");
  ls_free(session.traceback);
  session.traceback = NULL;
  job j = {.text = text, .chunkname = chunkname, .r = &session.evaluation};
  ls_ran ran = session_guarded(evaluate, &j);
  *nresults = session.nresults;
  return ran;
}

/* --- starting, going on, giving up -------------------------------------------------------------------------
 */

static int start(lua_State *L) {
  job *j = lua_touserdata(L, 1);
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
  session.stop.why[0] = '\0';
  lua_xmove(L, j->r->co, 1);
  j->ran = drive(L, j->r, 0);
  return lua_gettop(L);
}

static ls_ran begin(lua_CFunction body, job *j) {
  if (session.current) return session_refused("something is running already");
  ls_free(session.traceback);
  session.traceback = NULL;
  if (session.paused) ls_session_abandon();
  return session_guarded(body, j);
}

ls_ran ls_session_start(const char *expr) {
  job j = {.text = expr, .r = &session.algorithm};
  return begin(start, &j);
}

static int run_file(lua_State *L) {
  job *j = lua_touserdata(L, 1);
  bool from_stdin = strcmp(j->text, "-") == 0;
  lua_settop(L, 0);
  int status = luaL_loadfilex(L, from_stdin ? NULL : j->text, NULL);
  if (status == LUA_ERRFILE) return ls_raise(L, ls_fail(LS_EINPUT, "%s", lua_tostring(L, -1)));
  if (status != LUA_OK) {
    j->ran = LS_ERROR;
    return 1;
  }
  if (session.may_pause) {
    points_begin();
    marks_forget(L);
  }
  lua_createtable(L, j->argc, 1);
  lua_pushstring(L, j->text);
  lua_rawseti(L, -2, 0);
  for (int i = 0; i < j->argc; i++) {
    lua_pushstring(L, j->argv[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setglobal(L, "arg");
  new_run(L, j->r, session.may_pause, j->text);
  luaL_checkstack(L, j->argc, "too many arguments to the script");
  for (int i = 0; i < j->argc; i++) lua_pushstring(L, j->argv[i]);
  lua_xmove(L, j->r->co, j->argc + 1);
  j->ran = drive(L, j->r, j->argc);
  if (j->ran == LS_DONE) lua_settop(L, 0);
  return lua_gettop(L);
}

ls_ran ls_session_run_file(const char *path, int argc, char **argv) {
  job j = {.text = path, .argc = argc, .argv = argv, .r = &session.algorithm};
  return begin(run_file, &j);
}

static int go_on(lua_State *L) {
  job *j = lua_touserdata(L, 1);
  lua_settop(L, 0);
  session.paused = false;
  j->r->beside = last_seq();
  j->ran = drive(L, j->r, 0);
  return lua_gettop(L);
}

ls_ran session_resume(run_mode mode, u64 n) {
  if (session.current) return session_refused("something is running already");
  if (!session.paused) return session_refused("nothing is started: start f(args), e.g. start scc(g)");
  if (session.past && mode != RUN_ON && mode != RUN_FINISH) return past_forward(mode, n ? n : 1);
  if (session.failure) {
    ls_fail(LS_EARG, "it ended by an error and cannot go on: %s", session.failure);
    return session_refused(ls_error());
  }
  if (past_leave(mode)) return session_refused(ls_error());
  run *r = &session.algorithm;
  r->mode = mode;
  r->left = n ? n : 1;
  r->base = r->fixpoints;
  r->pending = r->at_line = r->pausing = false;
  r->late = 0;
  r->returning = NULL;
  session.stop.why[0] = '\0';
  if (mode == RUN_FINISH) {
    r->returning = session.standing[0];
    r->returning_height = scope_height(r->returning) - scope_level(r->returning);
  }
  job j = {.r = r};
  return session_guarded(go_on, &j);
}

ls_ran ls_session_step(u64 n) { return session_resume(RUN_STEP, n); }
ls_ran ls_session_next(u64 n) { return session_resume(RUN_NEXT, n); }
ls_ran ls_session_iter(u64 n) { return session_resume(RUN_ITER, n); }
ls_ran ls_session_finish(void) { return session_resume(RUN_FINISH, 1); }
ls_ran ls_session_continue(void) { return session_resume(RUN_ON, 1); }

static int compile_until(lua_State *L) {
  job *j = lua_touserdata(L, 1);
  lua_settop(L, 0);
  int compiled = scope_compile(L, j->text);
  if (compiled == LUA_NOREF) {
    j->ran = LS_ERROR;
    lua_pushstring(L, ls_error());
    return 1;
  }
  luaL_unref(L, LUA_REGISTRYINDEX, session.algorithm.until);
  session.algorithm.until = compiled;
  j->ran = LS_DONE;
  return 0;
}

ls_ran ls_session_until(const char *expr) {
  if (!session.paused || session.current) return session_resume(RUN_UNTIL, 1);
  run none = {.ref = LUA_NOREF};
  job j = {.text = expr, .r = &none};
  ls_ran ran = session_guarded(compile_until, &j);
  return ran == LS_DONE ? session_resume(RUN_UNTIL, 1) : ran;
}

ls_status ls_session_abandon(void) {
  if (session.current) return ls_fail(LS_EARG, "it is running");
  if (!session.paused) return ls_fail(LS_EARG, "nothing is started");
  past_end(); /* what runs while it is closed sees the present */
  session.paused = false;
  session.algorithm.stoppable = false;
  int count = session.nstanding;
  session.nstanding = 0;
  for (int i = 0; i < count; i++) /* innermost first, as an error would leave them */
    close_thread(session.standing[i]);
  session_clear_interrupt();
  session_close_run(&session.algorithm);
  return LS_OK;
}
