#include "session/stops.h"

#include <stdio.h>
#include <string.h>

#include "core/embedded.h"
#include "core/text.h"
#include "core/wait.h"
#include "run/record/load_balance.h"
#include "session/frames.h"
#include "session/breakpoints.h"
#include "session/threads.h"
#include "session/values.h"

struct stops the_stops;

static char asks[240];         /* why the running primitive requests a stop after it; "": it does not */
static bool errors_end;        /* an uncaught error ends the algorithm instead of stopping it */
static lua_CFunction plain[4]; /* errors of these functions end the run without a stop */

void ls_session_stop_on_error(bool yes) { errors_end = !yes; }
bool ls_session_stops_on_error(void) { return !errors_end; }

void ls_session_no_stop_in(lua_CFunction f) {
  size_t i = 0;
  while (i < sizeof plain / sizeof *plain && plain[i]) i++;
  if (i < sizeof plain / sizeof *plain) plain[i] = f;
}

/* Was the error that ended co raised by one of the functions in `plain`? */
static bool is_plain(lua_State *co) {
  lua_Debug ar;
  if (!lua_getstack(co, 0, &ar) || !lua_getinfo(co, "f", &ar)) return false;
  const lua_CFunction f = lua_tocfunction(co, -1);
  lua_pop(co, 1);
  for (size_t i = 0; f && i < sizeof plain / sizeof *plain; i++)
    if (plain[i] == f) return true;
  return false;
}

u32 ls_session_mark(void) { return the_stops.present ? the_stops.present->mark : 0; }

void ls_session_set_mark(u32 mark) {
  if (the_stops.present) the_stops.present->mark = mark;
}

bool ls_session_stoppable(void) {
  return the_stops.present && the_stops.present->stoppable && !the_values.evaluating;
}

static bool possible(lua_State *L) {
  return lua_isyieldable(L) && !the_stops.blocked && the_stops.nested < FRAMES_STANDING - 1;
}

bool ls_session_stepped(void) {
  if (!ls_session_stoppable()) return false;
  const stepping *r = the_stops.present;
  /* `next` steps through the fixpoint that it began in, and over any other. */
  bool inside = r->mode == RUN_NEXT && r->fixpoints > 0 && r->fixpoints <= r->base;
  return r->pending || r->mode == RUN_STEP || r->mode == RUN_TURN || r->mode == RUN_UNTIL || inside ||
         points_any_steps();
}

/* --- describing a stop ------------------------------------------------------------------------------- */

void stops_describe(lua_State *L, ls_stop_kind kind, ls_stop *stop) {
  stepping *r = the_stops.present;
  const ls_record *record = records_newest();
  stop->kind = kind;
  stop->recorded = record != NULL;
  stop->repeated = false;
  stop->ranks[0] = '\0';
  if (record) {
    stop->record = *record;
    records_look_back(stop);
    r->span.stopped = record->seq;
  }
  stop->mark = r->mark;
  stop->name[0] = '\0';
  if (kind == LS_STOP_BEFORE) snprintf(stop->name, sizeof stop->name, "%s", r->calling);
  ls_session_where(L, stop->where, sizeof stop->where);
  snprintf(stop->text, sizeof stop->text, "%s", r->text);
  if (frames_in_loop(L)) /* name the loop, not the library's line that steps it */
    snprintf(stop->where, sizeof stop->where, "in %.*s", (int)strcspn(r->text, "( "), r->text);
}

/* Stops here: describes the stop and makes L the first of the stopped coroutines. */
static void note(lua_State *L, ls_stop_kind kind) {
  stepping *r = the_stops.present;
  stops_describe(L, kind, &the_stop.now);
  if (kind == LS_STOP_AFTER && the_stop.now.recorded)
    ls_load_balance_stop(&the_stop.now.record, the_stop.now.ranks, sizeof the_stop.now.ranks);
  if (r->late)
    stop_why("stopped %llu primitive%s late: no stop is possible inside a C function",
             (unsigned long long)r->late, ls_plural(r->late));
  r->pending = r->at_line = r->pausing = false;
  r->stood = true;
  r->late = 0;
  the_frames.standing[0] = L;
  the_frames.count = 1;
}

/* Is it a file of the embedded library? */
static bool is_shipped(const char *source) {
  return *source == '@' && ls_embedded_find(ls_embedded_lua, source + 1);
}

/* There is nothing to inspect if the text typed after `start` raised the error itself, if the library
 * rejected an argument before its first primitive, or if a text did not compile. */
bool stops_at_error(lua_State *co) {
  lua_Debug ar;
  if (!ls_session_stoppable() || errors_end || the_threads.raise || is_plain(co) || !frames_stopped(co, &ar))
    return false;
  lua_getinfo(co, "S", &ar);
  if (*ar.what == 'm' && strcmp(ar.source, "=start") == 0) return false;
  if (!the_stops.present->stood && !records_newest() && is_shipped(ar.source)) return false;
  the_stops.present->pending = false;
  the_stops.present->late = 0;
  stop_forget_why();
  stop_why("it cannot go on; look, then `drop` it or `start` anew");
  note(co, LS_STOP_ERROR);
  return true;
}

/* --- around a primitive ------------------------------------------------------------------------------ */

static bool frame_gone(lua_State *L, const stepping *r) {
  return r->returning == L && frames_height(L) <= r->returning_height; /* the primitive's frame is counted */
}

/* Does the primitive that has just run complete step, next, finish or until? Adds the reason to
 * the_stop.now.why. */
static bool arrived(lua_State *L) {
  stepping *r = the_stops.present;
  bool stop = false, failed = false;
  switch (r->mode) {
  case RUN_STEP: stop = --r->left == 0; break;
  case RUN_NEXT: stop = r->fixpoints <= r->base && --r->left == 0; break;
  case RUN_FINISH:
    stop = frame_gone(L, r);
    if (stop) stop_why("the function has returned");
    break;
  case RUN_UNTIL:
    stop = values_true(L, L, r->until, &failed);
    if (failed)
      stop_why("until: %s", ls_error());
    else if (stop && lua_isboolean(the_values.scratch, 1))
      stop_why("until");
    else if (stop)
      stop_why("until: %s", lua_tostring(the_values.scratch, 2));
    break;
  case RUN_ON:
  case RUN_HEAD:
  case RUN_ITER:
  case RUN_TURN: break;
  }
  return stop;
}

/* Must the run stop after the primitive that has just run? Puts the reasons into the_stop.now.why. */
static bool wanted_after(lua_State *L, u64 last) {
  stop_forget_why();
  bool stop = arrived(L);
  if (points_any_steps() && points_after(L, ls_trace_last() != last ? records_newest() : NULL)) stop = true;
  if (ls_interrupted()) {
    stop = true;
    stop_why("interrupted");
  }
  return stop;
}

/* Stops here if possible; true: the caller must yield. Otherwise the stop stays pending until one is
 * possible. */
static bool stop_at(lua_State *L, ls_stop_kind kind) {
  if (!possible(L)) {
    the_stops.present->pending = true;
    return false;
  }
  note(L, kind);
  return true;
}

static int after_stop(lua_State *L, int status, lua_KContext results) {
  (void)L, (void)status;
  return (int)results;
}

bool ls_session_ask_stop(const char *why) {
  if (!ls_session_stoppable()) return false;
  snprintf(asks, sizeof asks, "%s", why);
  return true;
}

/* Has the primitive requested a stop? Adds its reason and clears the request. */
static bool asked_for(void) {
  if (!*asks) return false;
  stop_why("%s", asks);
  asks[0] = '\0';
  return true;
}

void ls_session_stop_asked(void) {
  if (!*asks) return;
  if (!the_stops.present->pending) stop_forget_why();
  asked_for();
  the_stops.present->pending = true;
}

/* Runs the primitive. During a stop after it, its results stay on the stack. */
static int launch_and_stop(lua_State *L, lua_KFunction launch) {
  stepping *r = the_stops.present;
  /* ls_trace_last waits for the device, so a free run does not call it. */
  u64 last = points_any_steps() ? ls_trace_last() : 0;
  r->late += r->pending;
  int results = launch(L, LUA_OK, 0);
  if (the_stops.present != r) return results;
  bool wanted = r->pending || wanted_after(L, last), stop = asked_for() || wanted;
  if (stop && !possible(L)) {
    r->pending = true;
    stop = false;
  }
  if (!stop) {
    the_stops.recorder->passed(L);
    return results;
  }
  note(L, LS_STOP_AFTER);
  return lua_yieldk(L, 0, results, after_stop);
}

static int before_stop(lua_State *L, int status, lua_KContext launch) {
  (void)status;
  return launch_and_stop(L, (lua_KFunction)launch);
}

int ls_session_around(lua_State *L, lua_KFunction launch, const char *name) {
  if (the_stops.present) the_stops.present->primitives++;
  if (!ls_session_stoppable()) return launch(L, LUA_OK, 0);
  stepping *r = the_stops.present;
  bool interrupted = ls_interrupted() && !r->pending;
  if ((r->pending || interrupted) && possible(L)) {
    if (interrupted) {
      stop_forget_why();
      stop_why("interrupted");
    }
    r->calling = name;
    note(L, LS_STOP_BEFORE);
    return lua_yieldk(L, 0, (lua_KContext)launch, before_stop);
  }
  return launch_and_stop(L, launch);
}

/* --- marks, fixpoints, lines ------------------------------------------------------------------------- */

u64 ls_session_primitives(void) { return the_stops.present ? the_stops.present->primitives : 0; }

bool ls_session_at_mark(lua_State *L, u32 mark, const char *marks, bool alone) {
  if (!ls_session_stoppable()) return false;
  stepping *r = the_stops.present;
  bool stop = alone;
  r->marks++;
  if (!r->pending) {
    stop_forget_why();
    stop = r->mode == RUN_ITER || r->mode == RUN_TURN ? --r->left == 0 : alone && arrived(L);
  }
  if (points_mark(L, mark)) stop = true;
  if (!stop && alone) the_stops.recorder->passed_mark(L, mark, marks);
  if (!stop) return false;
  if (!stop_at(L, LS_STOP_MARK)) return false;
  the_stop.now.mark = mark;
  snprintf(the_stop.now.marks, sizeof the_stop.now.marks, "%s", marks);
  return true;
}

bool stops_at_head(lua_State *L, u32 mark, const char *why) {
  if (!ls_session_stoppable()) return false;
  stop_forget_why();
  stop_why("%s", why);
  if (!stop_at(L, LS_STOP_MARK)) return false;
  the_stop.now.mark = mark;
  the_stop.now.marks[0] = '\0';
  return true;
}

bool ls_session_at_turn(lua_State *L) {
  if (!ls_session_stoppable()) return false;
  stepping *r = the_stops.present;
  r->turns++;
  if (ls_session_stepped())
    the_stops.recorder->turned(); /* not in a free run, because it waits for the device */
  if (r->mode != RUN_TURN || r->pending) return false;
  const ls_record *last = records_newest();
  if ((last && last->number == r->from) || --r->left != 0)
    return false; /* the command was given at the end of this iteration */
  stop_forget_why();
  return stop_at(L, LS_STOP_AFTER);
}

void ls_session_at_loop_end(void) {
  if (!ls_session_stoppable() || the_stops.present->mode != RUN_HEAD || the_stops.present->pending) return;
  the_stops.present->pending = true;
  stop_forget_why();
  stop_why("its loop has ended: there is no checkpoint");
}

int ls_session_fixpoint_begin(void) { return the_stops.present ? the_stops.present->fixpoints++ : 0; }

bool ls_session_fixpoint_end(lua_State *L, int before, bool failed) {
  stepping *r = the_stops.present;
  if (!r) return false;
  const int inside = r->fixpoints;
  r->fixpoints = before; /* correct even if inner fixpoints were not ended */
  if (failed || !ls_session_stoppable() || r->mode != RUN_NEXT || r->pending) return false;
  bool whole = inside > r->base; /* entered after the command: the whole fixpoint is one step */
  if (r->fixpoints < r->base) r->base = r->fixpoints;
  if (!whole || r->fixpoints > r->base || --r->left != 0) return false;
  stop_forget_why();
  return stop_at(L, LS_STOP_AFTER);
}

/* --- events of Lua ----------------------------------------------------------------------------------- */

/* The events of Lua that the present run needs; 0: none. */
static int event_mask(void) {
  if (!ls_session_stoppable()) return 0;
  const stepping *r = the_stops.present;
  int mask = 0;
  if (points_any_lines() || (r->pending && r->at_line)) mask |= LUA_MASKLINE;
  if (r->mode == RUN_FINISH && r->returning && !r->pending) mask |= LUA_MASKRET;
  return mask;
}

static bool in_shared(lua_State *L, lua_Debug *ar) {
  lua_getinfo(L, "S", ar);
  return frames_is_shared(ar);
}

static void event_hook(lua_State *L, lua_Debug *ar) {
  if (!ls_session_stoppable()) return;
  stepping *r = the_stops.present;
  if (ar->event == LUA_HOOKRET) {
    if (r->returning != L || !frames_height_is(L, r->returning_height)) return;
    stop_forget_why();
    stop_why("the function has returned");
    r->returning = NULL;
    r->pending = r->at_line = true;
    threads_sync_hook(L);
    return;
  }
  if (ar->event != LUA_HOOKLINE) return;
  bool stop = r->pending && r->at_line && !in_shared(L, ar);
  if (!r->pending) stop_forget_why();
  if (points_line(L, ar)) stop = true;
  if (!stop) return;
  if (!stop_at(L, LS_STOP_LINE)) return;
  frames_remember(L);
  lua_yield(L, 0); /* Lua allows it in a line hook, without values */
}

/* --- Ctrl-C and pauses ------------------------------------------------------------------------------- */

void ls_session_interrupt(void) {
  const stepping *r = the_stops.present;
  bool again = the_threads.asked || (r && r->pausing);
  the_threads.asked = 1;
  if (!the_threads.running) return;
  if ((ls_session_stoppable() || the_threads.keeper == the_threads.running) && !again) return;
  threads_raise_interrupt();
}

lua_State *ls_session_keep(lua_State *L) {
  lua_State *before = the_threads.keeper;
  the_threads.keeper = L;
  return before;
}

void ls_session_keep_end(lua_State *L, lua_State *before) {
  const bool was = the_threads.keeper == L && the_threads.running == L;
  the_threads.keeper = before;
  if (was && the_threads.asked && !ls_session_stoppable()) threads_raise_interrupt();
}

bool ls_session_interrupted(lua_State *L) {
  if (the_threads.keeper != L || !the_threads.asked || the_threads.raise || ls_session_stoppable())
    return false;
  threads_clear_interrupt();
  return true;
}

bool ls_session_stopping(void) {
  const stepping *r = the_stops.present;
  return ls_session_stoppable() && (the_threads.asked || r->pausing) && !the_threads.raise &&
         the_threads.running;
}

bool ls_session_pause(void) {
  stepping *r = the_stops.present;
  if (!r || !the_threads.running || the_values.evaluating || the_threads.raise) return false;
  if (!r->stoppable && the_stop.paused) return false;
  if (r->pausing) return true;
  if (!r->pending) {
    stop_forget_why();
    stop_why("paused");
  }
  r->stoppable = r->pending = r->at_line = r->pausing = true;
  ls_pause();
  threads_sync_hook(the_threads.running);
  return true;
}

/* --- for the layers above ---------------------------------------------------------------------------- */

void stops_open(const stops_recorder *recorder) {
  the_stops = (struct stops){.recorder = recorder};
  errors_end = false;
  asks[0] = '\0';
  threads_watch_by(event_mask, event_hook);
}

void stops_begin(stepping *r) {
  the_stops.present = r;
  the_stops.blocked = false;
  the_stops.nested = 0;
  asks[0] = '\0';
}
