/* stats() and trace.* in Lua. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/nearest.h"
#include "core/spent.h"
#include "lua/base/l_stats.h"
#include "session/session.h"
#include "core/wait.h"
#include "ranks/ranks.h"
#include "run/record/trace.h"

#define LIST "lockstep.records"

/* --- records ----------------------------------------------------------------------------------------- */

/* Pushes a record as a table; its times are in seconds since the first record. */
static void push_record(lua_State *L, const ls_record *at) {
  ls_record r = *at; /* a copy: making a table may run the collector, and a __gc may launch primitives */
  lua_createtable(L, 0, 20);
  ls_set_integer(L, "seq", r.seq);
  ls_set_string(L, "kernel", r.prim->name);
  ls_set_string(L, "type", ls_dtype_name(r.type));
  ls_set_string(L, "device", r.device->name);
  ls_set_integer(L, "items", r.items);
  ls_set_number(L, "asked", r.host_begin - ls_trace_epoch());
  ls_set_number(L, "begin", r.begin - ls_trace_epoch());
  ls_set_number(L, "time", r.end - r.begin);
  ls_set_number(L, "gap", r.gap);
  ls_set_integer(L, "iteration", r.iteration);
  ls_set_integer(L, "mark", r.mark);
  if (r.bytes > 0) ls_set_number(L, "bytes", r.bytes);
  if (r.gathers > 0) ls_set_number(L, "gathers", r.gathers);
  if (r.bytes_at_most > 0) ls_set_number(L, "bytes_at_most", r.bytes_at_most);
  if (r.gathers_at_most > 0) ls_set_number(L, "gathers_at_most", r.gathers_at_most);
  if (r.operations > 0) ls_set_number(L, "operations", r.operations);
  if (r.edges > 0) ls_set_number(L, "edges", r.edges);
  ls_set_boolean(L, "fused", r.fused);
  ls_set_boolean(L, "first", r.first);
  if (r.turns > 1) ls_set_integer(L, "turns", r.turns);
  if (r.where[0]) ls_set_string(L, "where", r.where);
  lua_newtable(L);
  for (int i = 0, k = 0; i < r.prim->nargs && k < LS_MAX_COUNTS; i++)
    if (r.prim->args[i].role == LS_COUNT) ls_set_integer(L, r.prim->args[i].name, r.counts[k++]);
  lua_setfield(L, -2, "counts");
}

static void add_line(lua_State *L, const ls_record *r) {
  ls_stop stop = {.kind = LS_STOP_AFTER, .recorded = true, .record = *r};
  snprintf(stop.where, sizeof stop.where, "%s", r->where);
  char line[256];
  ls_session_stop_line(&stop, line, sizeof line);
  ls_set_string(L, "line", line);
}

static void line_of(lua_State *L) {
  if (lua_istable(L, -1)) {
    lua_getfield(L, -1, "line");
    lua_remove(L, -2);
  }
  luaL_tolstring(L, -1, NULL);
  lua_remove(L, -2);
}

static int list_tostring(lua_State *L) {
  ls_push_lines(L, line_of);
  return 1;
}

/* trace.last([n]): the last n records, oldest first; printed in the form of stop lines. */
static int last(lua_State *L) {
  lua_Integer n = luaL_optinteger(L, 1, 10);
  luaL_argcheck(L, n >= 0, 1, "a number of records expected");
  u64 first = ls_trace_first(), end = ls_trace_last();
  u64 from = (u64)n < end - first + 1 ? end - (u64)n + 1 : first;
  lua_newtable(L);
  lua_Integer place = 0;
  for (u64 i = from; i <= end; i++) {
    const ls_record *r = ls_trace_get(i);
    if (!r) continue;
    push_record(L, r);
    if ((r = ls_trace_get(i))) add_line(L, r);
    lua_rawseti(L, -2, ++place);
  }
  luaL_setmetatable(L, LIST);
  return 1;
}

static int next_record(lua_State *L) {
  u64 i = (u64)lua_tointeger(L, lua_upvalueindex(1)), first = ls_trace_first();
  if (i < first) i = first; /* skips records that have left the ring meanwhile */
  const ls_record *r = ls_trace_get(i);
  if (!r) return 0;
  lua_pushinteger(L, (lua_Integer)i + 1);
  lua_replace(L, lua_upvalueindex(1));
  push_record(L, r);
  return 1;
}

/* for r in trace.records() do ... end: iterates over all records that are kept, oldest first. */
static int records(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)ls_trace_first());
  lua_pushcclosure(L, next_record, 1);
  return 1;
}

/* --- switches ---------------------------------------------------------------------------------------- */

static int on(lua_State *L) {
  (void)L;
  ls_trace_enable(true);
  return 0;
}

static int off(lua_State *L) {
  (void)L;
  ls_trace_enable(false);
  return 0;
}

static int enabled(lua_State *L) {
  lua_pushboolean(L, ls_trace_enabled());
  return 1;
}

static int reset(lua_State *L) {
  (void)L;
  ls_trace_reset();
  return 0;
}

/* trace.keep(n): sets how many records the ring keeps. */
static int keep(lua_State *L) {
  lua_Integer n = luaL_checkinteger(L, 1);
  ls_status st = ls_trace_resize(n < 0 ? 0 : (u64)n);
  return st ? ls_raise(L, st) : 0;
}

/* trace.clock(): seconds of a monotonic clock. */
static int clock_now(lua_State *L) {
  lua_pushnumber(L, ls_now());
  return 1;
}

/* trace.spent(): seconds of kernels, copies and allocation so far; waits for times that are not known yet. */
static int spent(lua_State *L) {
  ls_trace_last();
  for (int i = 0; i < LS_SPENT_PARTS; i++) lua_pushnumber(L, ls_spent((ls_spent_part)i));
  return LS_SPENT_PARTS;
}

/* trace.algorithm(name): names the calling function as an algorithm, for a profiler. */
static int algorithm(lua_State *L) {
  ls_session_algorithm(L, luaL_checkstring(L, 1));
  return 0;
}

/* Is {ranks = true} given? */
static bool of_all_ranks(lua_State *L) {
  if (lua_isnoneornil(L, 2)) return false;
  luaL_checktype(L, 2, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1))
    if (lua_type(L, -2) != LUA_TSTRING || strcmp(lua_tostring(L, -2), "ranks") != 0 || !lua_isboolean(L, -1))
      luaL_error(L, "trace.save: unknown option '%s': ranks = true expected", luaL_tolstring(L, -2, NULL));
  lua_getfield(L, 2, "ranks");
  const bool yes = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return yes;
}

static f64 number_of(lua_State *L, const char *name) {
  lua_getfield(L, -1, name);
  const f64 x = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return x;
}

/* Saves the traces of all ranks in one file, with this rank's clock offset and its uncertainty from
 * ranks.clocks(). */
static ls_status save_ranks(lua_State *L, const char *path) {
  f64 offset = 0, within = 0;
  lua_getglobal(L, "ranks");
  lua_getfield(L, -1, "clocks");
  lua_call(L, 0, 1);
  for (int r = 0; r < ls_ranks(); r++) {
    lua_geti(L, -1, r + 1);
    if (r == ls_rank()) offset = number_of(L, "offset");
    if (number_of(L, "within") > within) within = number_of(L, "within");
    lua_pop(L, 1);
  }
  return ls_trace_save_ranks(path, offset, within);
}

static int save(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  const ls_status st = of_all_ranks(L) ? save_ranks(L, path) : ls_trace_save(path);
  return st ? ls_raise(L, st) : 0;
}

/* --- series ------------------------------------------------------------------------------------------ */

static int series_names(lua_State *L) {
  lua_createtable(L, ls_trace_series(), 0);
  for (int i = 0; i < ls_trace_series(); i++) {
    lua_pushstring(L, ls_trace_series_name(i));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int no_series(lua_State *L, const char *name) {
  const char *names[64];
  size_t count = 0;
  while (count < 64 && (int)count < ls_trace_series())
    names[count] = ls_trace_series_name((int)count), count++;
  const char *near = ls_nearest(name, names, count);
  if (near) return luaL_error(L, "no iteration mark has recorded '%s' (did you mean %s?)", name, near);
  return luaL_error(L, "no iteration mark has recorded '%s'", name);
}

/* trace.series(): the names. trace.series(name [, run]): {mark = {...}, value = {...}, time = {...}, run = k}
 * of that run; by default of the last one. */
static int series(lua_State *L) {
  if (lua_isnoneornil(L, 1)) return series_names(L);
  const char *name = luaL_checkstring(L, 1);
  int which = 0;
  while (which < ls_trace_series() && strcmp(ls_trace_series_name(which), name) != 0) which++;
  u64 count;
  const ls_point *p = ls_trace_points(which, &count);
  if (!p) return no_series(L, name);
  lua_Integer run = luaL_optinteger(L, 2, p[count - 1].run);
  u64 from = 0;
  while (from < count && p[from].run != run) from++;
  if (from == count) return luaL_error(L, "run %I has recorded no '%s'", (LUAI_UACINT)run, name);
  u64 to = from;
  while (to < count && p[to].run == run) to++;
  lua_createtable(L, 0, 4);
  for (int column = 0; column < 3; column++) {
    lua_createtable(L, (int)(to - from), 0);
    for (u64 i = from; i < to; i++) {
      if (column == 0)
        lua_pushinteger(L, p[i].mark);
      else
        lua_pushnumber(L, column == 1 ? p[i].value : p[i].time - p[from].time);
      lua_rawseti(L, -2, (lua_Integer)(i - from) + 1);
    }
    lua_setfield(L, -2, (const char *[]){"mark", "value", "time"}[column]);
  }
  lua_pushinteger(L, run);
  lua_setfield(L, -2, "run");
  return 1;
}

int ls_open_trace(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"on", on},           {"off", off},       {"enabled", enabled},     {"reset", reset},
      {"keep", keep},       {"last", last},     {"records", records},     {"save", save},
      {"clock", clock_now}, {"series", series}, {"algorithm", algorithm}, {"spent", spent},
      {NULL, NULL}};
  ls_new_metatable(L, LIST, (const luaL_Reg[]){{"__tostring", list_tostring}, {NULL, NULL}});
  luaL_newlib(L, functions);
  lua_setglobal(L, "trace");
  ls_open_stats(L);
  return 0;
}
