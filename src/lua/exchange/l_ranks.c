/* The part of `ranks` that is written in C: the number of processes that run this script, the rank of this
 * process, and what all processes have done. lua/exchange/ranks.lua has the rest. */
#include "core/async_job.h"
#include "lua/bind.h"
#include "ranks/ranks.h"
#include "ranks/rank_stats.h"
#include "run/devices/limits.h"
#include "run/record/trace.h"
#include "core/wait.h"

/* ranks.gathered(x): a list of the integers x that the ranks have passed, in the order of the ranks */
static int gathered(lua_State *L) {
  i64 all[LS_MOST_RANKS];
  const int rank = ls_rank(), count = ls_ranks();
  all[rank] = luaL_checkinteger(L, 1);
  ls_status st = ls_async_job_finish();
  if (st) return ls_raise(L, st);
  const f64 begun = ls_now();
  ls_trace_last(); /* completes the times of earlier kernels, which the exchange sends to the other ranks */
  ls_rank_stats_stands(false);
  st = ls_exchange_gather(all, (u64)count, sizeof *all, (u64)rank, (u64)rank + 1);
  if (st) return ls_raise(L, st);
  ls_rank_stats_exchanged(ls_now() - begun);
  lua_createtable(L, count, 0);
  for (int r = 0; r < count; r++) {
    lua_pushinteger(L, all[r]);
    lua_rawseti(L, -2, r + 1);
  }
  return 1;
}

/* ranks.route(): the route that the last exchange used */
static int route(lua_State *L) {
  lua_pushstring(L, ls_ranks_route());
  return 1;
}

/* ranks.wait(number): waits for the exchange with this number, which runs in parallel with kernels */
static int wait(lua_State *L) {
  const ls_status st = ls_async_job_wait((u64)luaL_checkinteger(L, 1));
  return st ? ls_raise(L, st) : 0;
}

/* ranks.link(rate): sets the limit of data received from other ranks, in bytes per second */
static int link_limit(lua_State *L) {
  ls_limits_set_link(luaL_checknumber(L, 1));
  return 0;
}

/* ranks.known(): a list of what each rank has done, as far as this rank knows */
static int known(lua_State *L) {
  ls_trace_last(); /* so that this rank's kernels are included */
  lua_createtable(L, ls_ranks(), 0);
  for (int r = 0; r < ls_ranks(); r++) {
    ls_rank_stats s;
    ls_rank_stats_of(r, &s);
    lua_createtable(L, 0, 7);
    ls_set_integer(L, "rank", (u64)r);
    ls_set_number(L, "kernels", s.kernels);
    ls_set_number(L, "exchanges", s.exchanges);
    ls_set_number(L, "waits", s.waits);
    ls_set_number(L, "beside", s.hidden);
    ls_set_integer(L, "bytes", s.bytes);
    const f64 alone = s.exchanges > s.hidden ? s.exchanges - s.hidden : 0;
    ls_set_number(L, "share", s.kernels + alone > 0 ? alone / (s.kernels + alone) : 0);
    lua_rawseti(L, -2, r + 1);
  }
  return 1;
}

int ls_open_ranks(lua_State *L) {
  static const luaL_Reg functions[] = {{"gathered", gathered}, {"route", route}, {"wait", wait},
                                       {"link", link_limit},   {"known", known}, {NULL, NULL}};
  luaL_newlib(L, functions);
  ls_set_integer(L, "count", (u64)ls_ranks());
  ls_set_integer(L, "rank", (u64)ls_rank());
  ls_set_string(L, "transport", ls_ranks_transport());
  ls_set_boolean(L, "one_host", ls_ranks_on_one_host());
  lua_setglobal(L, "ranks");
  return 0;
}
