/* Records moments and moves between them. Each stop, and each primitive that was stepped over, is a moment of
 * the journal, which stores the buffers' contents. This file adds the description of the stop and the locals
 * of the stopped function. */
#include "session/past.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "run/launch/dispatch.h"
#include "run/record/journal.h"
#include "session/frames.h"
#include "session/marks.h"
#include "session/breakpoints.h"
#include "session/threads.h"
#include "session/values.h"

typedef struct moment {
  ls_stop stop;
  int fixpoints; /* fixpoints entered and not ended at that time */
  u64 marks;     /* iterations marked until then */
  u64 turns;     /* iterations of loops of primitives ended until then */
  int locals;    /* registry reference to the table of frames_push_locals */
  int values;    /* registry reference to the values of the last mark */
} moment;

static bool unrecorded; /* `continue` without breakpoints has ended the recording; the next stop says so */
static bool told;       /* the user knows that the journal lost its contents */
static u64 touched;     /* the result of ls_session_touched */
static bool (*fleeting)(lua_State *L);

static char weak; /* its address is the registry key of the boxes' metatable */

static void forget(void *note) {
  moment *m = note;
  luaL_unref(the_threads.L, LUA_REGISTRYINDEX, m->locals);
  luaL_unref(the_threads.L, LUA_REGISTRYINDEX, m->values);
  ls_free(m);
}

u64 ls_session_touched(void) { return touched; }
void ls_session_on_keep(bool (*is_fleeting)(lua_State *L)) { fleeting = is_fleeting; }

static void end(void) {
  ls_journal_end();
  the_frames.recorded = NULL;
  unrecorded = told = false;
}

/* --- recording --------------------------------------------------------------------------------------- */

typedef struct taking {
  lua_State *T;
  moment *m;
  int items;
} taking;

/* Puts a fleeting value (a buffer) into a weak box, so that the recording does not keep memory that the run
 * has released. */
static void keep_value(lua_State *L) {
  if (!fleeting || !fleeting(L)) return;
  lua_createtable(L, 1, 0);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &weak) == LUA_TNIL) {
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &weak);
    lua_replace(L, -2);
  }
  lua_setmetatable(L, -2);
  lua_insert(L, -2);
  lua_rawseti(L, -2, 1);
}

/* Pushes the i-th item of the table of locals, taken out of its weak box if it is in one. */
static void push_kept(lua_State *L, int table, int i) {
  lua_rawgeti(L, table, i);
  if (!lua_getmetatable(L, -1)) return;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &weak);
  bool box = lua_rawequal(L, -1, -2) && lua_istable(L, -1);
  lua_pop(L, 2);
  if (!box) return;
  lua_rawgeti(L, -1, 1);
  lua_replace(L, -2);
}

static int take_locals(lua_State *L) {
  taking *t = lua_touserdata(L, 1);
  t->items = frames_push_locals(L, t->T, keep_value);
  t->m->locals = luaL_ref(L, LUA_REGISTRYINDEX);
  t->m->values = marks_keep(L);
  return 0;
}

/* Makes a moment for thread T, which is stopped or running. NULL: no memory; the journal has then lost its
 * contents. */
static moment *take(lua_State *T, const ls_stop *stop, u64 *bytes) {
  moment *m = ls_malloc(sizeof *m);
  if (!m) {
    ls_journal_lose(ls_error());
    return NULL;
  }
  *m = (moment){
      *stop,    the_runs.algorithm.fixpoints, the_runs.algorithm.marks, the_runs.algorithm.turns, LUA_NOREF,
      LUA_NOREF};
  taking t = {T, m, 0};
  lua_State *E = the_values.scratch; /* not T: its stack belongs to the stopped function */
  lua_settop(E, 0);
  lua_pushcfunction(E, take_locals);
  lua_pushlightuserdata(E, &t);
  if (lua_pcall(E, 1, 0, 0) != LUA_OK) {
    lua_settop(E, 0);
    forget(m);
    ls_journal_lose("no memory for the locals");
    return NULL;
  }
  *bytes = sizeof *m + 256 + 24 * (u64)t.items; /* an estimate of the memory that Lua uses */
  return m;
}

static u64 number_of(const ls_stop *stop) { return stop->recorded ? stop->record.number : 0; }

static void keep(lua_State *T, const ls_stop *stop, bool unless_same) {
  u64 bytes;
  moment *m = take(T, stop, &bytes);
  if (m) ls_journal_keep(number_of(stop), m, bytes, unless_same);
}

/* Is this stop recorded already? The end of a fixpoint is recorded only if its last primitive was not. */
static bool known(const ls_stop *stop) {
  const moment *m = ls_journal_note();
  return m && stop->kind == LS_STOP_AFTER && m->stop.kind == LS_STOP_AFTER &&
         number_of(&m->stop) == number_of(stop);
}

static void paused(void) {
  const ls_stop stop = the_stop.now;
  if (!ls_journal_on()) {
    u64 bytes;
    moment *m = take(the_frames.standing[0], &stop, &bytes);
    if (m) ls_journal_begin(number_of(&stop), m, bytes);
    if (m && unrecorded) stop_why("recording begins anew: a run without stops is not recorded");
    unrecorded = false;
  } else {
    keep(the_frames.standing[0], &stop, known(&stop));
  }
  const char *large = ls_journal_passed_over();
  if (large) {
    const unsigned long long mib = ls_journal_position().budget >> 20;
    stop_why("not recorded: %s, too large for the journal of %llu MiB; `journal %llu` makes it larger", large,
             mib, 4 * mib);
  }
  const char *trouble = ls_journal_trouble();
  if (trouble && !told) stop_why("recording begins anew: %s", trouble);
  told = told || trouble;
}

/* Are primitives recorded even if the run does not stop after them? */
static bool is_stepped(void) {
  const stepping *r = the_stops.present;
  bool stepped =
      r->pending || r->mode == RUN_STEP || r->mode == RUN_NEXT || r->mode == RUN_TURN || r->mode == RUN_UNTIL;
  return ls_journal_on() && (stepped || points_any_steps());
}

static void passed(lua_State *L) {
  if (!is_stepped()) return;
  ls_stop stop = {.kind = LS_STOP_AFTER};
  stops_describe(L, LS_STOP_AFTER, &stop);
  keep(L, &stop, false);
}

static void passed_mark(lua_State *L, u32 mark, const char *marks) {
  if (!is_stepped()) return;
  ls_stop stop = {.kind = LS_STOP_MARK};
  stops_describe(L, LS_STOP_MARK, &stop);
  stop.mark = mark;
  snprintf(stop.marks, sizeof stop.marks, "%s", marks);
  keep(L, &stop, false);
}

static void turned(void) {
  moment *m = ls_journal_on() ? ls_journal_note() : NULL;
  const ls_record *last = records_newest();
  if (m && last && m->stop.kind == LS_STOP_AFTER && number_of(&m->stop) == last->number)
    m->turns = the_runs.algorithm.turns;
}

static bool finished(lua_State *co) {
  if (!ls_journal_on()) return false;
  ls_stop stop = {.kind = LS_STOP_AFTER};
  stops_describe(co, LS_STOP_AFTER, &stop);
  keep(co, &stop, false); /* always adds a moment, because that of the last stop has the locals */
  return ls_journal_on() && ls_journal_note();
}

static void typed(void) {
  const bool locals = the_values.changed;
  if (the_stop.paused && (!ls_journal_on() || ls_journal_written())) touched++;
  if (!the_stop.paused || !ls_journal_on() || (!locals && !ls_journal_written())) return;
  ls_stop stop = the_stop.now;
  snprintf(stop.why, sizeof stop.why, "changed by hand");
  the_values.changed = false;
  keep(the_frames.standing[0], &stop, !locals);
}

void past_typed(void) { typed(); }

/* --- names in the past ------------------------------------------------------------------------------- */

/* Pushes the table of locals of the current moment; false if it has none. */
static bool push_locals(lua_State *L) {
  const moment *m = ls_journal_note();
  if (m && lua_rawgeti(L, LUA_REGISTRYINDEX, m->locals) == LUA_TTABLE) return true;
  if (m) lua_pop(L, 1);
  return false;
}

static bool push_local(lua_State *L, const char *name) {
  if (!push_locals(L)) return false;
  int table = lua_gettop(L);
  int found = 0;
  for (int i = 2; lua_rawgeti(L, table, i) == LUA_TSTRING; i += 2) {
    if (strcmp(lua_tostring(L, -1), name) == 0) found = i + 1; /* the last of a name is the innermost */
    lua_settop(L, table);
  }
  lua_settop(L, table);
  if (found) {
    push_kept(L, table, found);
    lua_replace(L, table);
    return true;
  }
  const char *upvalue;
  if (lua_rawgeti(L, table, 1) == LUA_TFUNCTION)
    for (int i = 1; (upvalue = lua_getupvalue(L, table + 1, i)); i++) {
      if (strcmp(upvalue, name) == 0 && strcmp(upvalue, "_ENV") != 0) {
        lua_replace(L, table);
        lua_settop(L, table);
        return true;
      }
      lua_settop(L, table + 1);
    }
  lua_settop(L, table - 1);
  return false;
}

static void source(char *out, size_t bytes) {
  lua_State *L = the_threads.L;
  lua_Debug ar;
  if (!lua_checkstack(L, 4) || !push_locals(L)) return;
  int table = lua_gettop(L);
  if (lua_rawgeti(L, table, 1) == LUA_TFUNCTION) {
    lua_getinfo(L, ">S", &ar);
    snprintf(out, bytes, "%s", ar.source);
  }
  lua_settop(L, table - 1);
}

static void locals(lua_State *L, void (*each)(void *ctx, lua_State *L, const char *name), void *ctx) {
  if (!push_locals(L)) return;
  int table = lua_gettop(L);
  luaL_checkstack(L, 8, NULL);
  for (int i = 2; lua_rawgeti(L, table, i) == LUA_TSTRING; i += 2) {
    const char *name = lua_tostring(L, -1);
    push_kept(L, table, i + 1);
    each(ctx, L, name);
    lua_settop(L, table);
  }
  lua_settop(L, table - 1);
}

static const frames_recorded recorded = {push_local, source, locals};

/* --- moving through the recording -------------------------------------------------------------------- */

bool past_by_hand(void) {
  const moment *m = ls_journal_note();
  return m && strcmp(m->stop.why, "changed by hand") == 0;
}

/* Makes the stop of the journal's current moment the current stop. */
static void arrive(void) {
  const moment *m = ls_journal_note();
  if (!m) return;
  ls_position p = ls_journal_position();
  const bool by_hand = past_by_hand();
  the_frames.recorded = p.in_past ? &recorded : NULL;
  the_stop.now = m->stop;
  stop_forget_why();
  if (by_hand) stop_why("%s", m->stop.why);
  if (p.in_past)
    stop_why(
        p.lacking ? "past (#%llu of #%llu), where %u large buffer%s not recorded" : "past (#%llu of #%llu)",
        (unsigned long long)p.at, (unsigned long long)p.newest, p.lacking, p.lacking == 1 ? " is" : "s are");
  else
    stop_why(the_runs.ended ? "the run has ended" : "the present");
  marks_restore(the_threads.L, m->values);
  if (!p.in_past) points_present();
}

ls_status past_go(i64 by) {
  typed(); /* a `display` expression may have written to buffers */
  ls_status st = ls_journal_go(by);
  arrive();
  return st;
}

ls_status past_leave(run_mode mode) {
  ls_status st = LS_OK;
  if (the_frames.recorded) st = past_go(INT64_MAX);
  if (st) return st;
  ls_device *a, *b;
  if (mode == RUN_ON && !points_any() && !ls_compare_on(&a, &b)) { /* a free run must not pay for recording */
    unrecorded = ls_journal_position().behind > 0;
    ls_journal_end();
  }
  return LS_OK;
}

bool past_stands(void) {
  if (the_stops.present) return false;
  if (the_stop.paused) return true;
  if (!run_stand_at_end()) return false;
  arrive();
  return true;
}

static ls_ran refuse_from(const char *fmt, u64 number) {
  char text[120];
  snprintf(text, sizeof text, fmt, (unsigned long long)number);
  return run_refused(text);
}

static int travel(lua_State *L) {
  const run_job *j = lua_touserdata(L, 1);
  ls_status st = past_go((i64)j->n);
  lua_settop(L, 0);
  return st ? ls_raise(L, st) : 0;
}

static ls_ran move(i64 by) {
  run_job j = {.n = (u64)by, .ran = LS_PAUSED};
  return run_guarded(travel, &j);
}

static ls_ran not_started(void) {
  return run_refused(the_stops.present ? "something is running already" : run_none());
}

ls_ran ls_session_back(u64 n) {
  if (!past_stands()) return not_started();
  typed();
  ls_position p = ls_journal_position();
  if (!p.on) return run_refused("nothing is recorded: `journal` says why");
  if (!p.behind) return refuse_from("the recording reaches back to #%llu and no further", p.first);
  return move(-(i64)(n < p.behind ? n : p.behind));
}

ls_ran ls_session_forward(u64 n) {
  if (!past_stands()) return not_started();
  if (!the_frames.recorded)
    return run_refused(the_runs.ended
                           ? "this is the end of the run: `back` returns to its recorded stops"
                           : "this is the present: `step`, `next`, `iter`, `until` or `continue` goes on");
  u64 ahead = ls_journal_position().ahead;
  return move((i64)(n && n < ahead ? n : ahead));
}

/* Does a forward command end at the current moment? */
static bool wanted(lua_State *L, const run_job *j, const moment *from) {
  const moment *m = ls_journal_note();
  bool failed = false;
  switch (j->mode) {
  case RUN_NEXT: return m->fixpoints <= from->fixpoints;
  case RUN_ITER: return m->marks > from->marks;
  case RUN_TURN: return m->turns > from->turns || m->marks > from->marks;
  case RUN_UNTIL:
    if (!values_true(L, the_frames.standing[0], the_runs.algorithm.until, &failed)) return false;
    stop_why(failed ? "until: %s" : "until", ls_error());
    return true;
  default: return true;
  }
}

static int go_forward(lua_State *L) {
  run_job *j = lua_touserdata(L, 1);
  lua_settop(L, 0);
  for (u64 left = j->n; left && the_frames.recorded; left--) {
    const moment from = *(const moment *)ls_journal_note();
    do {
      ls_status st = past_go(1);
      if (st) return ls_raise(L, st);
    } while (!wanted(L, j, &from) && the_frames.recorded);
  }
  return 0;
}

ls_ran past_forward(run_mode mode, u64 n) {
  run_job j = {.mode = mode, .n = n, .ran = LS_PAUSED};
  return run_guarded(go_forward, &j);
}

void past_open(void) {
  static const stops_recorder recorder = {paused, passed, passed_mark, turned, finished, typed, end};
  ls_journal_on_forget(forget);
  stops_open(&recorder);
  the_frames.recorded = NULL;
  unrecorded = told = false;
  touched = 0;
  fleeting = NULL;
}
