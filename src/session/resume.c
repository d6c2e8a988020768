#include "session/resume.h"

#include <string.h>

#include "run/record/journal.h"
#include "session/checkpoint.h"
#include "session/frames.h"
#include "session/past.h"
#include "session/threads.h"
#include "session/values.h"

static ls_ran resume(run_mode mode, u64 n) {
  if (the_stops.present) return run_refused("something is running already");
  if (!the_stop.paused) return run_refused("nothing is started: start f(args), e.g. start scc(g)");
  if (the_runs.ended && the_frames.recorded && (mode == RUN_ON || mode == RUN_FINISH))
    return ls_session_forward(0);
  if (the_frames.recorded && mode != RUN_ON && mode != RUN_FINISH) return past_forward(mode, n ? n : 1);
  if (the_runs.ended)
    return run_refused(
        "the run has ended and cannot go on: `back` returns to its recorded stops, `drop` forgets them");
  if (the_runs.failure) {
    ls_fail(LS_EARG, "the run ended by an error and cannot go on: %s", the_runs.failure);
    return run_refused(ls_error());
  }
  if (past_leave(mode)) return run_refused(ls_error());
  stepping *r = &the_runs.algorithm;
  r->mode = mode;
  r->left = n ? n : 1;
  r->from = the_stop.now.recorded ? the_stop.now.record.number : 0;
  r->base = r->fixpoints;
  r->pending = r->at_line = r->pausing = false;
  r->late = 0;
  r->returning = NULL;
  stop_forget_why();
  if (mode == RUN_FINISH) {
    r->returning = the_frames.standing[0];
    r->returning_height = frames_height(r->returning) - frames_level(r->returning);
  }
  return run_go_on();
}

ls_ran ls_session_step(u64 n) { return resume(RUN_STEP, n); }
ls_ran ls_session_next(u64 n) { return resume(RUN_NEXT, n); }
ls_ran ls_session_iter(u64 n) { return resume(RUN_ITER, n); }
ls_ran ls_session_turn(u64 n) { return resume(RUN_TURN, n); }
ls_ran ls_session_finish(void) { return resume(RUN_FINISH, 1); }
ls_ran ls_session_continue(void) { return resume(RUN_ON, 1); }

static int compile_until(lua_State *L) {
  run_job *j = lua_touserdata(L, 1);
  lua_settop(L, 0);
  int compiled = values_compile(L, j->text);
  if (compiled == LUA_NOREF) {
    j->ran = LS_ERROR;
    lua_pushstring(L, ls_error());
    return 1;
  }
  luaL_unref(L, LUA_REGISTRYINDEX, the_runs.algorithm.until);
  the_runs.algorithm.until = compiled;
  j->ran = LS_DONE;
  return 0;
}

ls_ran ls_session_until(const char *expr) {
  if (!the_stop.paused || the_stops.present) return resume(RUN_UNTIL, 1);
  run_job j = {.text = expr};
  ls_ran ran = run_guarded(compile_until, &j);
  return ran == LS_DONE ? resume(RUN_UNTIL, 1) : ran;
}

static int find_unknown(lua_State *L) {
  char *name = lua_touserdata(L, 2);
  const int compiled = values_compile(L, lua_touserdata(L, 1));
  if (compiled == LUA_NOREF) return 0;
  values_of(L, the_frames.standing[0], compiled);
  if (the_values.unknown) memcpy(name, the_values.unknown_name, sizeof the_values.unknown_name);
  luaL_unref(L, LUA_REGISTRYINDEX, compiled);
  return 0;
}

const char *ls_session_unknown(const char *expr) {
  static char name[sizeof the_values.unknown_name];
  lua_State *L = the_threads.L;
  name[0] = '\0';
  if (!the_stop.paused || the_stops.present) return name;
  lua_pushcfunction(L, find_unknown);
  lua_pushlightuserdata(L, (void *)(uintptr_t)expr);
  lua_pushlightuserdata(L, name);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) lua_pop(L, 1);
  ls_fail(LS_OK, "%s", "");
  return name;
}

ls_ran ls_session_checkpoint(const char *path) {
  if (the_stops.present || !the_stop.paused) return resume(RUN_HEAD, 1); /* resume reports the error */
  if (ls_journal_present() || checkpoint_ask(path)) return run_refused(ls_error());
  ls_ran ran = resume(RUN_HEAD, 1);
  checkpoint_unask(); /* in case the run stopped or ended before the checkpoint */
  return ran;
}
