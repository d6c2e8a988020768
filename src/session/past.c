/* Going back: every stop, and every primitive that was stepped over, is a moment of the journal, which keeps
 * what the buffers held. Kept here: what the stop said, and what the function's locals were. */
#include "session/parts.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "run/dispatch.h"
#include "run/journal.h"

typedef struct moment {
  ls_stop stop;
  int fixpoints; /* entered then */
  u64 marks;     /* iterations marked until then */
  int locals;    /* reference to what scope_push_locals made */
  int values;    /* of the last mark */
} moment;

static char weak; /* its address is the registry key of the boxes' metatable */

static void forget(void *note) {
  moment *m = note;
  luaL_unref(session.L, LUA_REGISTRYINDEX, m->locals);
  luaL_unref(session.L, LUA_REGISTRYINDEX, m->values);
  ls_free(m);
}

void past_open(void) { ls_journal_on_forget(forget); }

void past_end(void) {
  ls_journal_end();
  session.past = false;
}

/* --- recording
 * -----------------------------------------------------------------------------------------------
 */

typedef struct taking {
  lua_State *T;
  moment *m;
  int items;
} taking;

/* A buffer is kept in a weak box: the past must not hold memory that the run has given up. */
static void keep_value(lua_State *L) {
  iteration_freeze(L);
  if (!ls_test_buffer(L, -1)) return;
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

/* Pushes the i-th item of the table of locals. */
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
  t->items = scope_push_locals(L, t->T, keep_value);
  t->m->locals = luaL_ref(L, LUA_REGISTRYINDEX);
  t->m->values = marks_keep(L);
  return 0;
}

/* A moment at which thread T stands, or runs; NULL with the journal's contents lost. */
static moment *take(lua_State *T, const ls_stop *stop, u64 *bytes) {
  moment *m = ls_malloc(sizeof *m);
  if (!m) {
    ls_journal_lose(ls_error());
    return NULL;
  }
  *m = (moment){*stop, session.algorithm.fixpoints, session.algorithm.marks, LUA_NOREF, LUA_NOREF};
  taking t = {T, m, 0};
  lua_State *E = session.scratch; /* T's own stack is the stopped function's */
  lua_settop(E, 0);
  lua_pushcfunction(E, take_locals);
  lua_pushlightuserdata(E, &t);
  if (lua_pcall(E, 1, 0, 0) != LUA_OK) {
    lua_settop(E, 0);
    forget(m);
    ls_journal_lose("no memory for the locals");
    return NULL;
  }
  *bytes = sizeof *m + 256 + 24 * (u64)t.items; /* about what Lua takes */
  return m;
}

static u64 number_of(const ls_stop *stop) { return stop->recorded ? stop->record.seq : 0; }

static void keep(lua_State *T, const ls_stop *stop, bool unless_same) {
  u64 bytes;
  moment *m = take(T, stop, &bytes);
  if (m) ls_journal_keep(number_of(stop), m, bytes, unless_same);
}

/* A fixpoint's end is no moment of its own where its last primitive was one. */
static bool known(const ls_stop *stop) {
  const moment *m = ls_journal_note();
  return m && stop->kind == LS_STOP_AFTER && m->stop.kind == LS_STOP_AFTER &&
         number_of(&m->stop) == number_of(stop);
}

void past_pause(void) {
  run *r = &session.algorithm;
  const ls_stop stop = session.stop;
  if (!ls_journal_on()) {
    u64 bytes;
    moment *m = take(session.standing[0], &stop, &bytes);
    if (m) ls_journal_begin(number_of(&stop), m, bytes);
    if (m && r->unrecorded) stops_why("recording begins anew: what runs freely is not recorded");
    r->unrecorded = false;
  } else {
    keep(session.standing[0], &stop, known(&stop));
  }
  const char *trouble = ls_journal_trouble();
  if (trouble && !r->told) stops_why("recording begins anew: %s", trouble);
  r->told = r->told || trouble;
}

void past_primitive(lua_State *L) {
  const run *r = session.current;
  bool stepped = r->pending || r->mode == RUN_STEP || r->mode == RUN_NEXT || r->mode == RUN_UNTIL;
  if (!ls_journal_on() || !(stepped || points_any_steps())) return;
  ls_stop stop = {.kind = LS_STOP_AFTER};
  stops_describe(L, LS_STOP_AFTER, &stop);
  keep(L, &stop, false);
}

void past_typed(void) {
  const bool locals = session.changed;
  if (session.paused && (!ls_journal_on() || ls_journal_written())) session.touched++;
  if (!session.paused || !ls_journal_on() || (!locals && !ls_journal_written())) return;
  ls_stop stop = session.stop;
  snprintf(stop.why, sizeof stop.why, "changed by hand");
  session.changed = false;
  keep(session.standing[0], &stop, !locals);
}

/* --- travelling --------------------------------------------------------------------------------------------
 */

/* The stop is the one at which the journal stands. */
static void arrive(void) {
  const moment *m = ls_journal_note();
  if (!m) return;
  ls_position p = ls_journal_position();
  bool by_hand = strcmp(m->stop.why, "changed by hand") == 0;
  session.past = p.in_past;
  session.stop = m->stop;
  session.stop.why[0] = '\0';
  if (by_hand) stops_why("%s", m->stop.why);
  if (p.in_past)
    stops_why("past (#%llu of #%llu)", (unsigned long long)p.at, (unsigned long long)p.newest);
  else
    stops_why("the present");
  marks_restore(session.L, m->values);
}

static ls_status go(i64 by) {
  past_typed(); /* a display may have written */
  ls_status st = ls_journal_go(by);
  arrive();
  return st;
}

ls_status past_leave(run_mode mode) {
  ls_status st = LS_OK;
  if (session.past) st = go(INT64_MAX);
  if (st) return st;
  ls_device *a, *b;
  if (mode == RUN_ON && !points_any() && !ls_compare_on(&a, &b)) { /* a free run pays nothing */
    session.algorithm.unrecorded = ls_journal_position().behind > 0;
    ls_journal_end();
  }
  return LS_OK;
}

static ls_ran refuse_from(const char *fmt, u64 number) {
  char text[120];
  snprintf(text, sizeof text, fmt, (unsigned long long)number);
  return session_refused(text);
}

static int travel(lua_State *L) {
  const job *j = lua_touserdata(L, 1);
  ls_status st = go((i64)j->n);
  lua_settop(L, 0);
  return st ? ls_raise(L, st) : 0;
}

static ls_ran move(i64 by) {
  run none = {.ref = LUA_NOREF};
  job j = {.r = &none, .n = (u64)by, .ran = LS_PAUSED};
  return session_guarded(travel, &j);
}

static ls_ran not_started(void) {
  return session_refused(session.current ? "something is running already"
                                         : "nothing is started: start f(args), e.g. start scc(g)");
}

ls_ran ls_session_back(u64 n) {
  if (session.current || !session.paused) return not_started();
  past_typed();
  ls_position p = ls_journal_position();
  if (!p.on) return session_refused("nothing is recorded: `journal` says why");
  if (!p.behind) return refuse_from("what is recorded reaches back to #%llu and no further", p.first);
  return move(-(i64)(n < p.behind ? n : p.behind));
}

ls_ran ls_session_forward(u64 n) {
  if (session.current || !session.paused) return not_started();
  if (!session.past) return session_refused("this is the present: step, next, iter, until, continue go on");
  u64 ahead = ls_journal_position().ahead;
  return move((i64)(n && n < ahead ? n : ahead));
}

/* Has a forward command come to its end at the moment reached? */
static bool wanted(lua_State *L, const job *j, const moment *from) {
  const moment *m = ls_journal_note();
  bool failed = false;
  switch (j->mode) {
  case RUN_NEXT: return m->fixpoints <= from->fixpoints;
  case RUN_ITER: return m->marks > from->marks;
  case RUN_UNTIL:
    if (!scope_true(L, session.standing[0], session.algorithm.until, &failed)) return false;
    stops_why(failed ? "until: %s" : "until", ls_error());
    return true;
  default: return true;
  }
}

static int go_forward(lua_State *L) {
  job *j = lua_touserdata(L, 1);
  lua_settop(L, 0);
  for (u64 left = j->n; left && session.past; left--) {
    const moment from = *(const moment *)ls_journal_note();
    do {
      ls_status st = go(1);
      if (st) return ls_raise(L, st);
    } while (!wanted(L, j, &from) && session.past);
  }
  return 0;
}

ls_ran past_forward(run_mode mode, u64 n) {
  run none = {.ref = LUA_NOREF};
  job j = {.r = &none, .mode = mode, .n = n, .ran = LS_PAUSED};
  return session_guarded(go_forward, &j);
}

/* --- what names meant then
 * -----------------------------------------------------------------------------------
 */

/* Pushes the table of locals. */
static bool push_locals(lua_State *L) {
  const moment *m = ls_journal_note();
  if (m && lua_rawgeti(L, LUA_REGISTRYINDEX, m->locals) == LUA_TTABLE) return true;
  if (m) lua_pop(L, 1);
  return false;
}

bool past_push_local(lua_State *L, const char *name) {
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

void past_source(char *out, size_t bytes) {
  lua_State *L = session.L;
  lua_Debug ar;
  if (!lua_checkstack(L, 4) || !push_locals(L)) return;
  int table = lua_gettop(L);
  if (lua_rawgeti(L, table, 1) == LUA_TFUNCTION) {
    lua_getinfo(L, ">S", &ar);
    snprintf(out, bytes, "%s", ar.source);
  }
  lua_settop(L, table - 1);
}

void past_locals(lua_State *L, void (*each)(void *ctx, lua_State *L, const char *name), void *ctx) {
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
