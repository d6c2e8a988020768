/* reference.*: optimal cycle means and ratios, their potentials, and what is derived from these.
 *
 * A result is a table {kind = "ocm", graph, max, ratio, p, q, mean, cycle, potential}; lua/cycles/cycle.lua
 * adds its methods. Potentials are u64[2n], one 128-bit integer per vertex, low half first; i64[n] and, for
 * real weights, f64[n] are accepted, too. */
#include "reference/cycles/cycle.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "lua/bind.h"

enum { QUICK = 1 << 14 }; /* edges */

typedef struct job {
  ls_graph *g;
  ls_cycle_kind kind;
  ls_status (*algorithm)(ls_graph *, ls_cycle_kind, ls_cycle *);
  ls_cycle c;       /* c.edges is from ls_malloc only if an algorithm made it */
  ls_buffer *cycle; /* the cycle's edges in a result from Lua; c.edges points into this buffer only while
                       the job runs, because Lua may close the buffer */
  ls_buffer *potential, *out, *path;
  ls_i128 *wide; /* the potentials; from ls_malloc if `owned` */
  bool owned;
  f64 unit, gap;
  u64 edge;
  ls_i128 fall, rise;
} job;

static bool quick(const ls_graph *g) { return g->m + g->n < QUICK; }

static bool flag(lua_State *L, int t, const char *name) {
  lua_getfield(L, t, name);
  const bool set = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return set;
}

/* Makes `host`, from ls_malloc, the memory of an empty buffer. */
static void fill(ls_buffer *b, ls_dtype type, u64 count, void *host) {
  b->type = type;
  b->rows = b->count = count;
  b->host = host;
  b->host_valid = true;
}

/* --- reading potentials ------------------------------------------------------------------------------ */

/* Reads j->potential as 128-bit integers in units of j->unit. */
static ls_status widen(job *j) {
  const void *from = ls_buffer_read(j->potential);
  return from ? ls_potentials_widen(j->potential->type, from, j->g->n, &j->wide, &j->owned, &j->unit)
              : LS_EMEM;
}

/* Sets j->c to the cycle of the result from Lua, on the host, after checking that all its edges exist. */
static ls_status read_cycle(job *j) {
  const u32 *edges = ls_buffer_read(j->cycle);
  if (!edges) return LS_EMEM;
  for (u64 i = 0; i < j->cycle->count; i++)
    if (edges[i] >= j->g->m)
      return ls_fail(LS_EARG, "the cycle's edge %u is not below m = %llu", edges[i],
                     (unsigned long long)j->g->m);
  j->c.edges = (u32 *)(uintptr_t)edges;
  j->c.count = j->cycle->count;
  return LS_OK;
}

static void narrow(job *j) {
  if (j->owned) ls_free(j->wide);
  j->wide = NULL;
  j->owned = false;
}

/* --- results ----------------------------------------------------------------------------------------- */

static bool is_real(const ls_graph *g) { return ls_dtype_is_real(g->wtype); }

static void read_fraction(lua_State *L, int t, job *j) {
  int whole_p, whole_q;
  lua_getfield(L, t, "p");
  j->c.p = lua_tointegerx(L, -1, &whole_p);
  lua_getfield(L, t, "q");
  j->c.q = lua_tointegerx(L, -1, &whole_q);
  if (!whole_p || !whole_q) luaL_error(L, "p and q must be whole numbers");
}

static f64 read_real(lua_State *L, int t, const char *name) {
  if (lua_getfield(L, t, name) != LUA_TNUMBER || !isfinite(lua_tonumber(L, -1)))
    luaL_error(L, "%s is %s, expected a finite number", name, luaL_tolstring(L, -1, NULL));
  return lua_tonumber(L, -1);
}

/* Reads the result in the table at t: its graph, its cycle, if it has one, and, if `potentials`, its
 * potentials. The values stay on the stack, which keeps them alive. Reading a field may run Lua code that
 * computes the field. */
static void read_result(lua_State *L, int t, job *j, bool potentials) {
  luaL_checktype(L, t, LUA_TTABLE);
  lua_getfield(L, t, "graph");
  if (!ls_test_graph(L, -1)) luaL_error(L, "the result has no graph");
  j->g = ls_pin_graph(L, lua_gettop(L));
  j->kind = (ls_cycle_kind){flag(L, t, "max"), flag(L, t, "ratio")};
  j->unit = 1;
  if (lua_getfield(L, t, "cycle") == LUA_TNIL) return;
  j->cycle = ls_check_buffer(L, -1);
  if (j->cycle->type != LS_U32)
    luaL_error(L, "cycle: expected a u32 buffer of the cycle's edges, got a buffer of %s",
               ls_dtype_name(j->cycle->type));
  j->c.found = true;
  if (is_real(j->g))
    j->c.mean = read_real(L, t, "mean");
  else
    read_fraction(L, t, j);
  if (!potentials) return;
  if (lua_getfield(L, t, "potential") == LUA_TNIL) luaL_error(L, "the result has no potentials");
  j->potential = ls_check_buffer(L, -1);
  if (lua_getfield(L, t, "unit") != LUA_TNIL)
    j->unit = read_real(L, t, "unit"); /* computed together with the potentials */
  if (!(j->unit > 0)) luaL_error(L, "unit is %f, expected a positive number", j->unit);
  const ls_dtype type = j->potential->type;
  const bool fits = type == LS_U64 ? j->potential->count == 2ull * j->g->n
                                   : (type == LS_I64 || (type == LS_F64 && is_real(j->g))) &&
                                         j->potential->count == j->g->n;
  if (!fits)
    luaL_error(L, "potential: expected u64[%I] or i64[%I], got %s[%I]", 2 * (LUAI_UACINT)j->g->n,
               (LUAI_UACINT)j->g->n, ls_dtype_name(type), (LUAI_UACINT)j->potential->count);
}

/* Runs the job's algorithm and stores its cycle in j->path and its initial potentials, if any, in j->out. */
static ls_status run_algorithm(void *arg) {
  job *j = arg;
  ls_status st = j->algorithm(j->g, j->kind, &j->c);
  if (st || !j->c.found) return st;
  const u32 *to = ls_buffer_read(j->g->to);
  u32 *copy = ls_malloc(j->c.count * sizeof *copy);
  if (to && copy) {
    ls_cycle_rotate(to, j->c.edges, j->c.count, copy);
    fill(j->path, LS_U32, j->c.count, copy);
    if (j->c.start) fill(j->out, LS_U64, 2ull * j->g->n, j->c.start);
    j->c.start = NULL;
  } else {
    ls_free(copy);
    st = LS_EMEM;
  }
  ls_cycle_free(&j->c);
  return st;
}

/* find(algorithm number, g, {max =, ratio =}): a result without potentials. */
static int find(lua_State *L) {
  static ls_status (*const algorithms[])(ls_graph *, ls_cycle_kind, ls_cycle *) = {
      ls_howard, ls_yto, ls_lawler, ls_karp, ls_hartmann_orlin};
  enum { COUNT = sizeof algorithms / sizeof *algorithms, PATH = 5, START };
  const lua_Integer number = luaL_checkinteger(L, 1);
  luaL_argcheck(L, number >= 0 && number < COUNT, 1, "an algorithm's number, 0 to 4");
  luaL_checktype(L, 3, LUA_TTABLE);
  lua_settop(L, 3);
  job j = {.algorithm = algorithms[number], .g = ls_pin_graph(L, 2)};
  j.kind = (ls_cycle_kind){flag(L, 3, "max"), flag(L, 3, "ratio")};
  j.path = ls_push_new_buffer(L, LS_U32, 0, 0);
  j.out = ls_push_new_buffer(L, LS_U64, 0, 0);
  ls_do(L, run_algorithm, &j, quick(j.g));
  lua_newtable(L);
  lua_pushliteral(L, "ocm");
  lua_setfield(L, -2, "kind");
  lua_pushvalue(L, 2);
  lua_setfield(L, -2, "graph");
  lua_pushboolean(L, j.kind.max);
  lua_setfield(L, -2, "max");
  lua_pushboolean(L, j.kind.ratio);
  lua_setfield(L, -2, "ratio");
  lua_pushnumber(L, j.g->scale);
  lua_setfield(L, -2, "scale");
  if (number <= 2) { /* the other algorithms do not iterate */
    lua_pushinteger(L, (lua_Integer)j.c.iterations);
    lua_setfield(L, -2, "iterations");
  }
  if (!j.c.found) return 1;
  if (!is_real(j.g)) {
    lua_pushinteger(L, j.c.p);
    lua_setfield(L, -2, "p");
    lua_pushinteger(L, j.c.q);
    lua_setfield(L, -2, "q");
  }
  lua_pushnumber(L, j.c.mean / j.g->scale);
  lua_setfield(L, -2, "mean");
  lua_pushvalue(L, PATH);
  lua_setfield(L, -2, "cycle");
  if (j.out->count == 0) return 1;
  lua_pushvalue(L, START);
  lua_setfield(L, -2, "start");
  return 1;
}

static ls_status check_times_job(void *arg) { return ls_check_times(arg); }

/* reference.check_times(g): raises if g's times allow no cycle ratio. */
static int check_times(lua_State *L) {
  ls_graph *g = ls_pin_graph(L, 1);
  ls_do(L, check_times_job, g, quick(g));
  return 0;
}

static ls_status find_ratio(void *arg) {
  job *j = arg;
  const u32 *list = ls_buffer_read(j->path);
  return list ? ls_cycle_ratio(j->g, j->kind, list, j->path->count, &j->c.p, &j->c.q) : LS_EMEM;
}

/* reference.ratio(g, cycle, over_times): p and q in lowest terms for the edges listed in cycle (u32), whose
 * weights must be whole: the sum of their weights divided by their number or, with over_times, by the sum of
 * their times. */
static int ratio(lua_State *L) {
  job j = {.g = ls_check_graph(L, 1), .path = ls_check_buffer(L, 2), .kind.ratio = lua_toboolean(L, 3)};
  if (j.path->type != LS_U32)
    return luaL_error(L, "argument 2: expected edges as u32, got %s", ls_dtype_name(j.path->type));
  ls_do(L, find_ratio, &j, true);
  lua_pushinteger(L, j.c.p);
  lua_pushinteger(L, j.c.q);
  return 2;
}

/* --- potentials -------------------------------------------------------------------------------------- */

static ls_status make_potentials(void *arg) {
  job *j = arg;
  const u64 n = j->g->n;
  ls_i128 *d = ls_malloc(n * sizeof *d);
  ls_status st = d ? read_cycle(j) : LS_EMEM;
  if (!st && j->potential) st = widen(j);
  if (!st && is_real(j->g))
    st = ls_real_potentials(j->g, j->kind, &j->c, j->wide, d, &j->unit);
  else if (!st)
    st = ls_feasible_potentials(j->g, j->kind, j->c.p, j->c.q, j->wide, d);
  narrow(j);
  if (st) {
    ls_free(d);
    return st;
  }
  const bool fits = ls_potentials_narrow(d, n);
  fill(j->out, fits ? LS_I64 : LS_U64, fits ? n : 2 * n, d);
  return LS_OK;
}

/* reference.potentials(r [, start]): potentials that prove the result r, as u64[2n]; for real weights also
 * their unit. `start` is an initial guess: u64[2n] or i64[n]. */
static int potentials(lua_State *L) {
  job j = {0};
  lua_settop(L, 2);
  read_result(L, 1, &j, false);
  if (!j.c.found) return luaL_error(L, "there are no potentials, since there is no cycle");
  if (!lua_isnil(L, 2)) {
    j.potential = ls_check_buffer(L, 2);
    if (!(j.potential->type == LS_I64 && j.potential->count == j.g->n) &&
        !(j.potential->type == LS_U64 && j.potential->count == 2ull * j.g->n))
      return luaL_error(L, "argument 2: expected u64[%I] or i64[%I]", 2 * (LUAI_UACINT)j.g->n,
                        (LUAI_UACINT)j.g->n);
  }
  j.out = ls_push_new_buffer(L, LS_I64, 0, 0);
  const int at = lua_gettop(L);
  ls_do(L, make_potentials, &j, quick(j.g));
  lua_pushvalue(L, at);
  if (!is_real(j.g)) return 1;
  lua_pushnumber(L, j.unit);
  return 2;
}

static ls_status holds(void *arg) {
  job *j = arg;
  if (!j->c.found)
    return is_real(j->g) ? ls_check_cycle_real(j->g, j->kind, &j->c, NULL, 1, &j->gap)
                         : ls_check_cycle(j->g, j->kind, &j->c, NULL);
  ls_status st = read_cycle(j);
  if (!st) st = widen(j);
  if (!st)
    st = is_real(j->g) ? ls_check_cycle_real(j->g, j->kind, &j->c, j->wide, j->unit, &j->gap)
                       : ls_check_cycle(j->g, j->kind, &j->c, j->wide);
  narrow(j);
  return st;
}

/* reference.check_cycle(r): true if r's cycle is closed and has the mean p/q, and r's potentials prove on
 * every edge that no cycle is better (or if r says that the graph has no cycle, and this is right); else an
 * error that names the first violation. For real weights also returns the width of the interval that was
 * proved, relative to the greatest weight. */
static int check_cycle(lua_State *L) {
  job j = {0};
  lua_settop(L, 1);
  read_result(L, 1, &j, true);
  ls_do(L, holds, &j, quick(j.g));
  lua_pushboolean(L, true);
  lua_pushnumber(L, j.gap);
  return 2;
}

static ls_status walks(void *arg) {
  job *j = arg;
  const ls_status st = read_cycle(j);
  return st ? st : ls_check_walk(j->g, j->kind, &j->c);
}

/* reference.check_walk(r): true if r's cycle is closed and has the mean p/q, the first part of check_cycle;
 * else an error. Only for whole weights; r needs no potentials. */
static int check_walk(lua_State *L) {
  job j = {0};
  lua_settop(L, 1);
  read_result(L, 1, &j, false);
  if (!j.c.found) return luaL_error(L, "there is no cycle");
  if (is_real(j.g)) return luaL_error(L, "check_walk is only for whole weights");
  ls_do(L, walks, &j, quick(j.g));
  lua_pushboolean(L, true);
  return 1;
}

/* --- critical edges ---------------------------------------------------------------------------------- */

static ls_status find_critical(void *arg) {
  job *j = arg;
  u8 *mask = ls_buffer_overwrite(j->out);
  ls_status st = mask ? widen(j) : LS_EMEM;
  if (!st) st = ls_critical_subgraph(j->g, j->kind, j->c.p, j->c.q, j->wide, mask, &j->c);
  if (!st) fill(j->path, LS_U32, j->c.count, j->c.edges);
  narrow(j);
  return st;
}

static void need_whole(lua_State *L, const job *j) {
  if (!j->c.found) luaL_error(L, "there is no cycle");
  if (is_real(j->g)) luaL_error(L, "critical edges are known only for whole weights");
}

/* reference.critical(r): a u8 mask of the edges on optimal cycles, and the canonical critical cycle. */
static int critical(lua_State *L) {
  job j = {0};
  lua_settop(L, 1);
  read_result(L, 1, &j, true);
  need_whole(L, &j);
  j.out = ls_push_new_buffer(L, LS_U8, j.g->m, 0);
  j.path = ls_push_new_buffer(L, LS_U32, 0, 0);
  ls_do(L, find_critical, &j, quick(j.g));
  return 2;
}

static ls_status find_slack(void *arg) {
  job *j = arg;
  void *out = ls_buffer_overwrite(j->out);
  ls_status st = out ? widen(j) : LS_EMEM;
  if (!st)
    st = is_real(j->g) ? ls_cycle_slack_real(j->g, j->kind, j->c.mean, j->wide, j->unit, out)
                       : ls_cycle_slack(j->g, j->kind, j->c.p, j->c.q, j->wide, j->out->type, out);
  narrow(j);
  return st;
}

/* reference.slack(r [, "f64"]): how far each edge is from being tight, times q; as i64, or as f64 if
 * requested. If weights are real, the result is always f64, in the unit of the weights. */
static int slack(lua_State *L) {
  job j = {0};
  const char *type = luaL_optstring(L, 2, "i64");
  const bool rounded = strcmp(type, "f64") == 0;
  luaL_argcheck(L, rounded || strcmp(type, "i64") == 0, 2, "i64 or f64 is expected");
  lua_settop(L, 1);
  read_result(L, 1, &j, true);
  if (!j.c.found) return luaL_error(L, "there is no cycle");
  j.out = ls_push_new_buffer(L, is_real(j.g) || rounded ? LS_F64 : LS_I64, j.g->m, 0);
  ls_do(L, find_slack, &j, quick(j.g));
  return 1;
}

static ls_status find_sensitivity(void *arg) {
  job *j = arg;
  const u8 *mask = ls_buffer_read(j->out);
  ls_status st = mask ? widen(j) : LS_EMEM;
  if (!st)
    st = ls_cycle_sensitivity(j->g, j->kind, j->c.p, j->c.q, j->wide, mask, j->edge, &j->fall, &j->rise);
  narrow(j);
  return st;
}

/* Pushes a distance that is given as x = distance * q: first as a number (x < 0: infinite), then x itself, or
 * nil if it does not fit 64 bits. */
static void push_distance(lua_State *L, ls_i128 x, i64 q) {
  lua_pushnumber(L, x < 0 ? HUGE_VAL : (f64)x / (f64)q);
  if (x >= 0 && x == (i64)x)
    lua_pushinteger(L, (i64)x);
  else
    lua_pushnil(L);
}

/* reference.sensitivity(r, e, mask): by how much edge e's weight may fall and rise before lambda changes.
 * Returns, first for the fall, then for the rise: a number (math.huge: by any amount), and its exact
 * numerator over q, or nil if the numerator is too large. `mask` is from reference.critical. */
static int sensitivity(lua_State *L) {
  job j = {0};
  const lua_Integer e = luaL_checkinteger(L, 2);
  ls_buffer *mask = ls_check_buffer(L, 3);
  read_result(L, 1, &j, true);
  need_whole(L, &j);
  if (e < 0 || (u64)e >= j.g->m)
    return luaL_error(L, "edge %I is not in 0 .. %I", (LUAI_UACINT)e, (LUAI_UACINT)j.g->m - 1);
  if (mask->type != LS_U8 || mask->count != j.g->m)
    return luaL_error(L, "argument 3: expected the mask that reference.critical returned");
  j.edge = (u64)e;
  j.out = mask;
  ls_do(L, find_sensitivity, &j, quick(j.g));
  push_distance(L, j.fall, j.c.q);
  push_distance(L, j.rise, j.c.q);
  return 4;
}

/* --- a policy's cycle -------------------------------------------------------------------------------- */

/* The contents of the u32 buffer at argument `at`, on the host; sets *count to its length. */
static const u32 *host_of(lua_State *L, int at, u64 *count) {
  ls_buffer *b = ls_check_buffer(L, at);
  if (b->type != LS_U32) luaL_error(L, "argument %d: expected a u32 buffer", at);
  const u32 *x = ls_buffer_read(b);
  if (!x) ls_raise(L, LS_EMEM);
  *count = b->count;
  return x;
}

/* Reads arguments 1, 2 and 4. */
static ls_choices read_choices(lua_State *L) {
  ls_choices c = {0};
  c.choice = host_of(L, 1, &c.n);
  c.to = host_of(L, 2, &c.m);
  if (!lua_isnil(L, 4)) c.from = host_of(L, 4, &c.names);
  return c;
}

/* reference.round(choice, to, v [, from]): the edges of the closed walk from v back to v that leaves every
 * vertex by the edge that is its choice. With `from`, edge e is returned as from[e]. */
static int walk_round(lua_State *L) {
  lua_settop(L, 4);
  ls_choices c = read_choices(L);
  const lua_Integer start = luaL_checkinteger(L, 3);
  const u64 count = ls_choices_cycle(&c, (u64)start, c.n, NULL);
  ls_buffer *out = ls_push_new_buffer(L, LS_U32, count, 0);
  u32 *edges = ls_buffer_overwrite(out);
  if (!edges) ls_raise(L, LS_EMEM);
  c = read_choices(L); /* again: a finalizer may have closed the buffers */
  if (!count || ls_choices_cycle(&c, (u64)start, count, edges) != count)
    return luaL_error(L, "the choices do not lead from %I back to it", (LUAI_UACINT)start);
  return 1;
}

static const luaL_Reg functions[] = {
    {"find_cycle", find},
    {"check_times", check_times},
    {"potentials", potentials},
    {"check_cycle", check_cycle},
    {"check_walk", check_walk},
    {"critical", critical},
    {"slack", slack},
    {"sensitivity", sensitivity},
    {"round", walk_round},
    {"ratio", ratio},
    {NULL, NULL},
};

int ls_open_cycle(lua_State *L) {
  lua_getglobal(L, "reference");
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
  return 0;
}
