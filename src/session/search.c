#include "session/search.h"

#include <stdio.h>
#include <string.h>

#include "core/wait.h"
#include "run/record/journal.h"
#include "session/frames.h"
#include "session/past.h"
#include "session/watch_value.h"
#include "session/threads.h"
#include "session/values.h"

typedef struct search {
  run_job job; /* for run_guarded */
  const char *expr;
  ls_first *first;
  const u64 *numbers;
  int count;
  ls_look look;
  void *arg;
  ls_position from; /* where the search began: the number of moments before and after it */
  ls_stop stop;
} search;

/* Begins a search: returns the compiled expression, or LUA_NOREF with the message on L. */
static int begin_search(lua_State *L, search *s) {
  lua_settop(L, 0);
  past_typed();
  s->from = ls_journal_position();
  s->stop = the_stop.now;
  s->job.ran = LS_ERROR;
  const int compiled = values_compile(L, s->expr);
  if (compiled == LUA_NOREF) lua_pushstring(L, ls_error());
  return compiled;
}

/* Returns to where the search began. The message on L, if there is one, is the result. */
static int end(lua_State *L, search *s, int compiled) {
  luaL_unref(L, LUA_REGISTRYINDEX, compiled);
  char message[400] = "";
  if (lua_gettop(L)) snprintf(message, sizeof message, "%s", lua_tostring(L, -1));
  const ls_status st = past_go((i64)s->from.behind - (i64)ls_journal_position().behind);
  if (st) return ls_raise(L, st);
  the_stop.now = s->stop;
  if (*message) ls_fail(LS_EARG, "%s", message);
  return lua_gettop(L);
}

static int find_first(lua_State *L) {
  search *s = lua_touserdata(L, 1);
  const int compiled = begin_search(L, s);
  if (compiled == LUA_NOREF) return 1;
  char error[240] = "", name[sizeof the_values.unknown_name] = "";
  u64 first = 0, yes = 0;
  bool interrupted = false, known = false; /* are all names in expr known at some stop? */
  for (u64 at = s->from.behind;; at--) {
    bool failed = false;
    if (!values_true(L, the_frames.standing[0], compiled, &failed) || failed) {
      if (failed) snprintf(error, sizeof error, "%s", ls_error());
    } else {
      first = at;
      yes++;
    }
    if (the_values.unknown)
      memcpy(name, the_values.unknown_name, sizeof name);
    else
      known = true;
    interrupted = ls_interrupted();
    if (at == 0 || interrupted) break;
    const ls_status st = past_go(-1);
    if (st) return ls_raise(L, st);
  }
  const ls_position p = ls_journal_position();
  if (interrupted)
    lua_pushliteral(L, "interrupted");
  else if (!known)
    lua_pushfstring(L, "nothing is called `%s` at any stop of the recording, #%I to #%I", name,
                    (LUAI_UACINT)p.first, (LUAI_UACINT)s->from.at);
  else if (!yes && *error)
    lua_pushfstring(L, "%s: %s", s->expr, error);
  else if (!yes && s->from.ahead)
    lua_pushfstring(
        L, "%s is true at no stop from #%I to #%I, where you look; `forward` leads to the later ones",
        s->expr, (LUAI_UACINT)p.first, (LUAI_UACINT)s->from.at);
  else if (!yes)
    lua_pushfstring(L, "%s is true at no stop of the recording, #%I to #%I", s->expr, (LUAI_UACINT)p.first,
                    (LUAI_UACINT)s->stop.record.number);
  if (lua_gettop(L)) return end(L, s, compiled);
  luaL_unref(L, LUA_REGISTRYINDEX, compiled);
  *s->first = (ls_first){.from_the_beginning = first == 0, .since = s->from.behind - first + 1 - yes};
  if (first > 0) {
    const ls_status st = past_go((i64)first - 1);
    if (st) return ls_raise(L, st);
    s->first->before = ls_journal_position().at;
  }
  const ls_status st = past_go((i64)first - (i64)ls_journal_position().behind);
  if (st) return ls_raise(L, st);
  stop_why("until");
  s->job.ran = LS_PAUSED;
  return 0;
}

/* Goes to the last moment whose primitive has that number; false if there is none. */
static bool reach(lua_State *L, u64 number) {
  for (;;) {
    const ls_position p = ls_journal_position();
    i64 by = 0;
    if (p.at > number && p.behind)
      by = -1;
    else if (p.at <= number && p.ahead)
      by = 1;
    if (!by) return p.at == number;
    if (past_go(by)) ls_raise(L, LS_EMEM);
    const u64 now = ls_journal_position().at;
    if (by > 0 && now > number) { /* one too far */
      if (past_go(-1)) ls_raise(L, LS_EMEM);
      return p.at == number;
    }
  }
}

/* The moment at the end of a run has no locals. Goes to the previous moment, which has them, if it belongs to
 * the same primitive. */
static void leave_the_end(lua_State *L) {
  const ls_position p = ls_journal_position();
  if (!the_runs.ended || p.ahead || !p.behind) return;
  if (past_go(-1)) ls_raise(L, LS_EMEM);
  if (ls_journal_position().at != p.at && past_go(1)) ls_raise(L, LS_EMEM);
}

static int visit(lua_State *L) {
  search *s = lua_touserdata(L, 1);
  const int compiled = begin_search(L, s);
  if (compiled == LUA_NOREF) return 1;
  for (int k = 0; k < s->count && lua_gettop(L) == 0; k++) {
    if (!reach(L, s->numbers[k])) {
      const ls_position p = ls_journal_position();
      lua_pushfstring(L, "the recording has no stop #%I: it has #%I to #%I", (LUAI_UACINT)s->numbers[k],
                      (LUAI_UACINT)p.first, (LUAI_UACINT)p.newest);
      continue;
    }
    leave_the_end(L);
    if (!values_of(L, the_frames.standing[0], compiled)) {
      lua_pushfstring(L, "%s, at #%I: %s", s->expr, (LUAI_UACINT)s->numbers[k], ls_error());
    } else {
      lua_pushvalue(the_values.scratch, 1);
      lua_xmove(the_values.scratch, L, 1);
      const ls_status st = s->look(L, k, s->arg);
      lua_settop(L, 0);
      if (st) lua_pushstring(L, ls_error());
    }
  }
  const int results = end(L, s, compiled);
  if (!results) s->job.ran = LS_DONE;
  return results;
}

/* --- changes of a value ------------------------------------------------------------------------------ */

typedef struct history {
  u64 end;         /* `last` counts only changes before this moment */
  u64 last;        /* the moment of the last change; 0: none */
  char how[200];   /* how the value changed there */
  char error[240]; /* why there was no value anywhere; "": there was one */
} history;

/* Appends the current stop to the list, and the expression's value there, which values_of has left. */
static void add_change(lua_State *L, int list) {
  lua_State *E = the_values.scratch;
  const ls_stop *stop = &the_stop.now;
  const int type = lua_type(E, 1);
  lua_createtable(L, 0, 6);
  lua_pushinteger(L, (lua_Integer)ls_journal_position().at);
  lua_setfield(L, -2, "stop");
  lua_pushstring(L, stop->kind == LS_STOP_AFTER && stop->recorded ? stop->record.prim->name : "");
  lua_setfield(L, -2, "kernel");
  lua_pushstring(L, stop->where);
  lua_setfield(L, -2, "where");
  lua_pushboolean(L, past_by_hand());
  lua_setfield(L, -2, "by_hand");
  lua_pushvalue(E, 2);
  lua_xmove(E, L, 1);
  lua_setfield(L, -2, "text");
  lua_pushvalue(E, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TBOOLEAN ? 1 : 2);
  lua_xmove(E, L, 1);
  lua_setfield(L, -2, "value");
  lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
}

/* Appends all changes from the oldest moment to the one where the search began to the list on top of L. */
static void find_changes(lua_State *L, const search *s, int compiled, history *h) {
  const int list = lua_gettop(L);
  bool any = false;
  seen_value before;
  seen_begin(&before);
  ls_status st = past_go(-(i64)s->from.behind);
  for (u64 at = 0; !st && !ls_interrupted(); at++) {
    const bool has = values_of(L, the_frames.standing[0], compiled);
    if (!has || (the_values.unknown && lua_isnil(the_values.scratch, 1))) {
      if (!has && !any) snprintf(h->error, sizeof h->error, "%s", ls_error());
      if (has && !any) snprintf(h->error, sizeof h->error, "nothing is called `%s`", the_values.unknown_name);
    } else if (!seen_again(&before)) {
      any = true;
      if (before.known && at < h->end) {
        h->last = at;
        seen_difference(&before, h->how, sizeof h->how);
      }
      seen_keep(L, &before);
      add_change(L, list);
    }
    if (at == s->from.behind) break;
    st = past_go(1);
  }
  seen_end(L, &before);
  if (any) h->error[0] = '\0';
  if (st) ls_raise(L, st);
}

/* Pushes the list of changes (true), or a message that says why there is none (false). */
static bool push_changes(lua_State *L, const search *s, int compiled, history *h) {
  const ls_position p = ls_journal_position();
  lua_newtable(L);
  find_changes(L, s, compiled, h);
  if (!ls_interrupted() && !*h->error) return true;
  lua_settop(L, 0);
  if (ls_interrupted())
    lua_pushliteral(L, "interrupted");
  else
    lua_pushfstring(L, "%s has no value at any stop of the recording, #%I to #%I: %s", s->expr,
                    (LUAI_UACINT)p.first, (LUAI_UACINT)p.at, h->error);
  return false;
}

/* The words with which a stop line begins if expr has changed there. */
enum { TOLD = 80 };
static void tell(const char *expr, char out[TOLD]) { snprintf(out, TOLD, "watch: %.60s ", expr); }

static int back_watch(lua_State *L) {
  search *s = lua_touserdata(L, 1);
  const int compiled = begin_search(L, s);
  if (compiled == LUA_NOREF) return 1;
  const ls_position p = ls_journal_position();
  char words[TOLD];
  tell(s->expr, words);
  const bool told = strstr(s->stop.why, words) != NULL;
  history h = {.end = told ? s->from.behind : s->from.behind + 1};
  if (push_changes(L, s, compiled, &h)) {
    lua_settop(L, 0);
    if (!h.last)
      lua_pushfstring(L, "%s has not changed %s: the recording begins at #%I", s->expr,
                      told ? "before that" : "up to here", (LUAI_UACINT)p.first);
  }
  if (lua_gettop(L)) return end(L, s, compiled);
  luaL_unref(L, LUA_REGISTRYINDEX, compiled);
  const ls_status st = past_go((i64)h.last - (i64)ls_journal_position().behind);
  if (st) return ls_raise(L, st);
  stop_why("%s%s", words, h.how);
  s->job.ran = LS_PAUSED;
  return 0;
}

static int list_changes(lua_State *L) {
  search *s = lua_touserdata(L, 1);
  const int compiled = begin_search(L, s);
  if (compiled == LUA_NOREF) return 1;
  history h = {.end = 0};
  if (!push_changes(L, s, compiled, &h)) return end(L, s, compiled);
  luaL_unref(L, LUA_REGISTRYINDEX, compiled);
  the_stop.now = s->stop;
  s->job.ran = LS_DONE;
  return 1;
}

static ls_ran go(lua_CFunction body, search *s) {
  if (!past_stands()) return run_refused(the_stops.present ? "something is running already" : run_none());
  if (!ls_journal_position().on) return run_refused("nothing is recorded: `journal` says why");
  return run_guarded(body, &s->job);
}

ls_ran ls_session_back_until(const char *expr, ls_first *out) {
  search s = {.expr = expr, .first = out};
  return go(find_first, &s);
}

ls_ran ls_session_back_watch(const char *expr) {
  search s = {.expr = expr};
  return go(back_watch, &s);
}

ls_ran ls_session_changes(const char *expr) {
  search s = {.expr = expr};
  return go(list_changes, &s);
}

ls_ran ls_session_visit(const char *expr, const u64 *numbers, int count, ls_look look, void *arg) {
  search s = {.expr = expr, .numbers = numbers, .count = count, .look = look, .arg = arg};
  return go(visit, &s);
}
