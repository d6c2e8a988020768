/* When a run stops: before or after a primitive, at a line, at an iteration mark, at a fixpoint's end. */
#include "session/parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/wait.h"

bool stops_apply(void) { return session.current && session.current->stoppable && !session.evaluating; }

bool stops_possible(lua_State *L) {
  return lua_isyieldable(L) && !session.blocked && session.nested < MAX_STANDING - 1;
}

bool ls_session_stepped(void) {
  if (!stops_apply()) return false;
  const run *r = session.current;
  /* `next` steps through the fixpoint that it began in, and over any other. */
  bool inside = r->mode == RUN_NEXT && r->fixpoints > 0 && r->fixpoints <= r->base;
  return r->pending || r->mode == RUN_STEP || r->mode == RUN_UNTIL || inside || points_any_steps();
}

/* --- describing a stop ------------------------------------------------------------------------------------
 */

static bool ours(const ls_record *r) {
  const run *a = &session.algorithm;
  return r->seq >= a->first_seq && (r->seq <= a->stopped_at || r->seq > a->beside);
}

const ls_record *stops_newest(void) {
  u64 first = ls_trace_first();
  for (u64 i = ls_trace_last(); i >= first && i; i--) {
    const ls_record *record = ls_trace_get(i);
    if (!record || record->seq < session.algorithm.first_seq) return NULL;
    if (ours(record)) return record;
  }
  return NULL;
}

/* The counts of the record's primitive when it last ran before. */
static void look_back(ls_stop *stop) {
  u64 first = ls_trace_first();
  for (u64 i = ls_trace_last(); i > first && i > 1; i--) {
    const ls_record *record = ls_trace_get(i - 1);
    if (!record || record->seq < session.algorithm.first_seq) return;
    if (record->seq >= stop->record.seq || record->prim != stop->record.prim || !ours(record)) continue;
    memcpy(stop->previous, record->counts, sizeof stop->previous);
    stop->repeated = true;
    return;
  }
}

void stops_why(const char *fmt, ...) {
  char *why = session.stop.why;
  size_t used = strlen(why);
  if (used && used + 3 < sizeof session.stop.why) {
    memcpy(why + used, ", ", 3);
    used += 2;
  }
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(why + used, sizeof session.stop.why - used, fmt, ap);
  va_end(ap);
}

/* What a stop here and now would say, but for why. */
void stops_describe(lua_State *L, ls_stop_kind kind, ls_stop *stop) {
  run *r = session.current;
  const ls_record *record = stops_newest();
  lua_Debug ar;
  stop->kind = kind;
  stop->recorded = record != NULL;
  stop->repeated = false;
  if (record) {
    stop->record = *record;
    look_back(stop);
    r->stopped_at = record->seq;
  }
  stop->mark = r->mark;
  stop->name[0] = '\0';
  if (kind == LS_STOP_BEFORE && lua_getstack(L, 0, &ar))
    scope_function_name(L, &ar, stop->name, sizeof stop->name);
  ls_session_where(L, stop->where, sizeof stop->where);
  snprintf(stop->text, sizeof stop->text, "%s", r->text);
}

/* Fills session.stop and makes L the first of the coroutines that stand. */
void stops_note(lua_State *L, ls_stop_kind kind) {
  run *r = session.current;
  stops_describe(L, kind, &session.stop);
  if (r->late)
    stops_why("%llu primitive%s late: no stop is possible inside a C function", (unsigned long long)r->late,
              r->late == 1 ? "" : "s");
  r->pending = r->at_line = r->pausing = false;
  r->stood = true;
  r->late = 0;
  session.standing[0] = L;
  session.nstanding = 1;
}

/* Where what was typed behind `start` has failed by itself, there is no algorithm to look at. */
bool stops_at_error(lua_State *co) {
  lua_Debug ar;
  if (!stops_apply() || session.errors_end || session.raise || !scope_frame(co, &ar)) return false;
  lua_getinfo(co, "S", &ar);
  if (*ar.what == 'm' && strcmp(ar.source, "=start") == 0) return false;
  session.current->pending = false;
  session.current->late = 0;
  session.stop.why[0] = '\0';
  stops_why("it cannot go on; look, then `drop` it or `start` anew");
  stops_note(co, LS_STOP_ERROR);
  return true;
}

/* --- around a primitive ------------------------------------------------------------------------------------
 */

static bool frame_gone(lua_State *L, const run *r) {
  return r->returning == L && scope_height(L) <= r->returning_height; /* the primitive itself is a frame */
}

/* Is a stop wanted after the primitive that has just run? Says why in session.stop.why. */
static bool wanted_after(lua_State *L, u64 last) {
  run *r = session.current;
  bool stop = false, failed = false;
  session.stop.why[0] = '\0';
  switch (r->mode) {
  case RUN_STEP: stop = --r->left == 0; break;
  case RUN_NEXT: stop = r->fixpoints <= r->base && --r->left == 0; break;
  case RUN_FINISH:
    stop = frame_gone(L, r);
    if (stop) stops_why("finished");
    break;
  case RUN_UNTIL:
    stop = scope_true(L, L, r->until, &failed);
    if (failed)
      stops_why("until: %s", ls_error());
    else if (stop)
      stops_why("until");
    break;
  case RUN_ON:
  case RUN_HEAD:
  case RUN_ITER: break;
  }
  if (points_any_steps() && points_after(L, ls_trace_last() != last ? stops_newest() : NULL)) stop = true;
  if (ls_interrupted()) {
    stop = true;
    stops_why("interrupted");
  }
  return stop;
}

static int after_stop(lua_State *L, int status, lua_KContext results) {
  (void)L, (void)status;
  return (int)results;
}

bool ls_session_ask_stop(const char *why) {
  if (!stops_apply()) return false;
  snprintf(session.asks, sizeof session.asks, "%s", why);
  return true;
}

/* What the primitive itself has asked for. */
static bool asked_for(void) {
  if (!*session.asks) return false;
  stops_why("%s", session.asks);
  session.asks[0] = '\0';
  return true;
}

void ls_session_stop_asked(void) {
  if (!*session.asks) return;
  if (!session.current->pending) session.stop.why[0] = '\0';
  asked_for();
  session.current->pending = true;
}

/* Runs the primitive; a stop after it keeps its results on the stack meanwhile. */
static int launch_and_stop(lua_State *L, lua_KFunction launch) {
  run *r = session.current;
  /* Asking the trace waits for the device, so a free run does not ask. */
  u64 last = points_any_steps() ? ls_trace_last() : 0;
  r->late += r->pending;
  int results = launch(L, LUA_OK, 0);
  if (session.current != r) return results;
  bool wanted = r->pending || wanted_after(L, last), stop = asked_for() || wanted;
  if (stop && !stops_possible(L)) {
    r->pending = true;
    stop = false;
  }
  if (!stop) {
    past_primitive(L);
    return results;
  }
  stops_note(L, LS_STOP_AFTER);
  return lua_yieldk(L, 0, results, after_stop);
}

static int before_stop(lua_State *L, int status, lua_KContext launch) {
  (void)status;
  return launch_and_stop(L, (lua_KFunction)launch);
}

int ls_session_around(lua_State *L, lua_KFunction launch) {
  if (!stops_apply()) return launch(L, LUA_OK, 0);
  run *r = session.current;
  bool interrupted = ls_interrupted() && !r->pending;
  if ((r->pending || interrupted) && stops_possible(L)) {
    if (interrupted) {
      session.stop.why[0] = '\0';
      stops_why("interrupted");
    }
    stops_note(L, LS_STOP_BEFORE);
    return lua_yieldk(L, 0, (lua_KContext)launch, before_stop);
  }
  return launch_and_stop(L, launch);
}

/* --- marks, fixpoints, lines -----------------------------------------------------------------------------
 */

/* Tells whether the caller is to yield (the stop is noted) at an iteration mark. */
bool stops_at_mark(lua_State *L, u32 mark, const char *marks) {
  if (!stops_apply()) return false;
  run *r = session.current;
  r->marks++;
  if (!r->pending) session.stop.why[0] = '\0';
  bool stop = r->mode == RUN_ITER && !r->pending && --r->left == 0;
  if (points_mark(L, mark)) stop = true;
  if (!stop) return false;
  if (!stops_possible(L)) {
    r->pending = true;
    return false;
  }
  stops_note(L, LS_STOP_MARK);
  session.stop.mark = mark;
  snprintf(session.stop.marks, sizeof session.stop.marks, "%s", marks);
  return true;
}

bool stops_at_head(lua_State *L, u32 mark, const char *why) {
  if (!stops_apply()) return false;
  session.stop.why[0] = '\0';
  stops_why("%s", why);
  if (!stops_possible(L)) {
    session.current->pending = true;
    return false;
  }
  stops_note(L, LS_STOP_MARK);
  session.stop.mark = mark;
  session.stop.marks[0] = '\0';
  return true;
}

void stops_at_loop_end(void) {
  if (!stops_apply() || session.current->mode != RUN_HEAD || session.current->pending) return;
  session.current->pending = true;
  session.stop.why[0] = '\0';
  stops_why("its loop has ended: there is no checkpoint");
}

/* Likewise at the end of a fixpoint; `before`: how many were entered, it included. */
bool stops_at_fixpoint_end(lua_State *L, int before) {
  if (!stops_apply()) return false;
  run *r = session.current;
  if (r->mode != RUN_NEXT || r->pending) return false;
  bool whole = before > r->base; /* entered since the command, so that it is one step of it */
  if (r->fixpoints < r->base) r->base = r->fixpoints;
  if (!whole || r->fixpoints > r->base || --r->left != 0) return false;
  if (!stops_possible(L)) {
    r->pending = true;
    return false;
  }
  session.stop.why[0] = '\0';
  stops_note(L, LS_STOP_AFTER);
  return true;
}

int stops_hook_mask(void) {
  if (!stops_apply()) return 0;
  const run *r = session.current;
  int mask = 0;
  if (points_any_lines() || (r->pending && r->at_line)) mask |= LUA_MASKLINE;
  if (r->mode == RUN_FINISH && r->returning && !r->pending) mask |= LUA_MASKRET;
  return mask;
}

void stops_line_hook(lua_State *L, lua_Debug *ar) {
  if (!stops_apply()) return;
  run *r = session.current;
  if (ar->event == LUA_HOOKRET) {
    if (r->returning != L || !scope_height_is(L, r->returning_height)) return;
    session.stop.why[0] = '\0';
    stops_why("finished");
    r->returning = NULL;
    r->pending = r->at_line = true;
    session_sync_hook(L);
    return;
  }
  if (ar->event != LUA_HOOKLINE) return;
  bool stop = r->pending && r->at_line && !scope_in_prelude(L, ar);
  if (!r->pending) session.stop.why[0] = '\0';
  if (points_line(L, ar)) stop = true;
  if (!stop) return;
  if (!stops_possible(L)) {
    r->pending = true;
    return;
  }
  stops_note(L, LS_STOP_LINE);
  scope_remember(L);
  lua_yield(L, 0); /* allowed for a line event, without values */
}
