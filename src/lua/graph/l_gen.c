/* gen.NAME{...}: a table with one row per generator, by which arguments are read, checked and explained. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/nearest.h"
#include "core/text.h"
#include "gen/gen.h"
#include "lua/bind.h"
#include "lua/graph/l_gen.h"

enum { KEYS = 8, COMMON = 5 };

typedef enum kind { WHOLE, REAL, FLAG } kind;

typedef struct key {
  const char *name;
  kind kind;
  f64 least, most;
  f64 otherwise; /* the default; NAN: the key is required; OPTIONAL: it may be absent */
} key;

/* What a call requests; value[i] is the value of the generator's i-th key. */
typedef struct request {
  const struct generator *g;
  f64 value[KEYS];
  u64 seed;
  ls_gen_weights weights;
  ls_graph *out;
} request;

typedef struct generator {
  const char *name;
  int positional; /* the number of keys that may be passed without names, as {4, 5} */
  key keys[KEYS]; /* ended by a name of NULL */
  ls_status (*make)(request *r);
} generator;

#define N_MOST 4294967294.0
#define M_MOST 4294967295.0
#define OPTIONAL HUGE_VAL /* the default of a key that may be absent */
#define N                                                                                                    \
  { "n", WHOLE, 0, N_MOST, NAN }

#define EDGES                                                                                                \
  {"m", WHOLE, 0, M_MOST, OPTIONAL}, { "degree", REAL, 0, M_MOST, OPTIONAL }
#define LATTICE                                                                                              \
  {"rows", WHOLE, 0, N_MOST, NAN}, {"cols", WHOLE, 0, N_MOST, NAN}, { "one_way", REAL, 0, 1, 0 }

static bool given(f64 x) { return x != OPTIONAL; }

/* --- the generators ---------------------------------------------------------------------------------- */

static ls_status make_rmat(request *r) {
  const f64 *x = r->value;
  f64 d = 1 - x[2] - x[3] - x[4];
  if (given(x[5]) && fabs(x[5] - d) > 1e-9)
    return ls_fail(LS_EARG, "gen.rmat: a + b + c + d = %.9g, not 1", x[2] + x[3] + x[4] + x[5]);
  return ls_gen_rmat((u32)x[0], x[1], x[2], x[3], x[4], r->seed, r->weights, &r->out);
}

/* Computes the number of edges from m or degree, exactly one of which must be given. */
static ls_status edges_of(const request *r, f64 n, f64 m, f64 degree, u64 *out) {
  if (given(m) == given(degree))
    return ls_fail(LS_EARG, "gen.%s: give either m or degree%s", r->g->name, given(m) ? ", not both" : "");
  f64 edges = given(m) ? m : floor(n * degree);
  if (edges > M_MOST) return ls_fail(LS_EARG, "gen.%s: %.0f edges are more than 2^32 - 1", r->g->name, edges);
  *out = (u64)edges;
  return LS_OK;
}

static ls_status make_random(request *r, ls_status (*of)(u32, u64, u64, ls_gen_weights, ls_graph **)) {
  u64 m = 0;
  ls_status st = edges_of(r, r->value[0], r->value[1], r->value[2], &m);
  return st ? st : of((u32)r->value[0], m, r->seed, r->weights, &r->out);
}

static ls_status make_uniform(request *r) { return make_random(r, ls_gen_uniform); }
static ls_status make_dag(request *r) { return make_random(r, ls_gen_dag); }

static ls_status make_power_law(request *r) {
  const f64 *x = r->value;
  return ls_gen_power_law((u32)x[0], x[1], x[2], r->seed, r->weights, &r->out);
}

static ls_status make_ring(request *r) { return ls_gen_ring((u32)r->value[0], r->seed, r->weights, &r->out); }
static ls_status make_path(request *r) { return ls_gen_path((u32)r->value[0], r->seed, r->weights, &r->out); }
static ls_status make_road(request *r) { return ls_gen_road((u32)r->value[0], r->seed, r->weights, &r->out); }
static ls_status make_complete(request *r) {
  return ls_gen_complete((u32)r->value[0], r->seed, r->weights, &r->out);
}

static ls_status make_star(request *r) {
  return ls_gen_star((u32)r->value[0], r->value[1] != 0, r->seed, r->weights, &r->out);
}

static ls_status make_lattice(request *r, bool wrap) {
  const f64 *x = r->value;
  return ls_gen_grid((u32)x[0], (u32)x[1], wrap, x[2], r->seed, r->weights, &r->out);
}

static ls_status make_grid(request *r) { return make_lattice(r, false); }
static ls_status make_torus(request *r) { return make_lattice(r, true); }

static const generator generators[] = {
    {"rmat",
     1,
     {{"scale", WHOLE, 0, 31, NAN},
      {"degree", REAL, 0, M_MOST, 16},
      {"a", REAL, 0, 1, 0.57},
      {"b", REAL, 0, 1, 0.19},
      {"c", REAL, 0, 1, 0.19},
      {"d", REAL, 0, 1, OPTIONAL}},
     make_rmat},
    {"uniform", 1, {N, EDGES}, make_uniform},
    {"power_law", 1, {N, {"degree", REAL, 0, M_MOST, 16}, {"exponent", REAL, 2, 100, 2.5}}, make_power_law},
    {"dag", 1, {N, EDGES}, make_dag},
    {"ring", 1, {N}, make_ring},
    {"path", 1, {N}, make_path},
    {"star", 1, {N, {"inward", FLAG, 0, 1, 0}}, make_star},
    {"complete", 1, {N}, make_complete},
    {"road", 1, {N}, make_road},
    {"grid", 2, {LATTICE}, make_grid},
    {"torus", 2, {LATTICE}, make_torus},
};
enum { GENERATORS = sizeof generators / sizeof *generators };

static const char *const common[COMMON] = {"seed", "weights", "lo", "hi", "times"};

/* --- reading a call ---------------------------------------------------------------------------------- */

/* Returns the value on top of the stack, checked as the value of key k. */
static f64 read_value(lua_State *L, const generator *g, const key *k) {
  if (k->kind == FLAG) {
    if (!lua_isboolean(L, -1))
      luaL_error(L, "gen.%s: %s must be true or false, not a %s", g->name, k->name, luaL_typename(L, -1));
    return lua_toboolean(L, -1);
  }
  int whole = 0;
  if (lua_type(L, -1) != LUA_TNUMBER)
    luaL_error(L, "gen.%s: %s must be a number, not a %s", g->name, k->name, luaL_typename(L, -1));
  lua_tointegerx(L, -1, &whole);
  f64 x = lua_tonumber(L, -1);
  if (lua_isinteger(L, -1) && (x >= 0x1p63 || (lua_Integer)x != lua_tointeger(L, -1)))
    luaL_error(L, "gen.%s: %s = %I: a double does not hold this number exactly", g->name, k->name,
               (LUAI_UACINT)lua_tointeger(L, -1));
  if (k->kind == WHOLE && !whole) luaL_error(L, "gen.%s: %s = %f is not a whole number", g->name, k->name, x);
  if (!(x >= k->least && x <= k->most)) {
    char range[128];
    snprintf(range, sizeof range, "%.16g is not between %.16g and %.16g", x, k->least, k->most);
    luaL_error(L, "gen.%s: %s = %s", g->name, k->name, range);
  }
  return x;
}

static int find_key(const generator *g, const char *name) {
  for (int i = 0; i < KEYS && g->keys[i].name; i++)
    if (strcmp(g->keys[i].name, name) == 0) return i;
  return -1;
}

static void unknown_key(lua_State *L, const generator *g, const char *name) {
  const char *names[KEYS + COMMON];
  size_t count = 0;
  for (int i = 0; i < KEYS && g->keys[i].name; i++) names[count++] = g->keys[i].name;
  for (int i = 0; i < COMMON; i++) names[count++] = common[i];
  const char *near = ls_nearest(name, names, count);
  if (near) luaL_error(L, "gen.%s: unknown key '%s' (did you mean %s?)", g->name, name, near);
  luaL_error(L, "gen.%s: unknown key '%s' (known keys: %s)", g->name, name,
             ls_push_listed(L, names, count, " and "));
}

/* Raises: there are too many values without a name. */
static void no_position(lua_State *L, const generator *g) {
  luaL_Buffer list;
  luaL_buffinit(L, &list);
  for (int i = 0; i < KEYS && g->keys[i].name; i++) {
    if (i) luaL_addstring(&list, ", ");
    luaL_addstring(&list, g->keys[i].name);
    luaL_addstring(&list, " =");
  }
  luaL_pushresult(&list);
  luaL_error(L, "gen.%s: at most %d value%s may stand without a name: gen.%s{%s}", g->name, g->positional,
             ls_plural(g->positional), g->name, lua_tostring(L, -1));
}

/* Raises if a key of the table at index 1 is not one of the generator's, a common one, or a position. */
static void check_keys(lua_State *L, const generator *g) {
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    if (lua_isinteger(L, -2)) {
      lua_Integer i = lua_tointeger(L, -2);
      if (i < 1 || i > g->positional) no_position(L, g);
    } else if (lua_type(L, -2) != LUA_TSTRING) {
      luaL_error(L, "gen.%s: unexpected key of type %s", g->name, luaL_typename(L, -2));
    } else {
      const char *name = lua_tostring(L, -2);
      bool known = find_key(g, name) >= 0;
      for (int i = 0; i < COMMON; i++) known = known || strcmp(common[i], name) == 0;
      if (!known) unknown_key(L, g, name);
    }
    lua_pop(L, 1);
  }
}

/* Reads the two numbers of the table on top, checked by the two keys. */
static void read_pair(lua_State *L, const generator *g, const key keys[2], f64 out[2]) {
  for (int i = 0; i < 2; i++) {
    lua_rawgeti(L, -1, i + 1);
    out[i] = read_value(L, g, &keys[i]);
    lua_pop(L, 1);
  }
}

/* Reads times = {lo, hi} of the table at index 1. */
static void read_times(lua_State *L, request *r) {
  const key bounds[2] = {{"times[1]", WHOLE, 0, 0x1p53, 0}, {"times[2]", WHOLE, 0, 0x1p53, 0}};
  int type = lua_getfield(L, 1, "times");
  if (type != LUA_TNIL && type != LUA_TTABLE)
    luaL_error(L, "gen.%s: times must be a table {least, greatest}, not a %s", r->g->name,
               luaL_typename(L, -1));
  r->weights.timed = type == LUA_TTABLE;
  if (r->weights.timed) {
    f64 out[2];
    read_pair(L, r->g, bounds, out);
    r->weights.tlo = out[0], r->weights.thi = out[1];
  }
  lua_pop(L, 1);
}

/* Reads seed, weights, lo, hi and times of the table at index 1. lo or hi without weights means i32 weights,
 * and so does weights = {lo, hi}. */
static void read_common(lua_State *L, request *r) {
  const char *name = r->g->name;
  if (lua_getfield(L, 1, "seed") != LUA_TNIL) {
    if (!ls_is_whole(L, -1)) luaL_error(L, "gen.%s: seed must be a whole number", name);
    r->seed = (u64)lua_tointeger(L, -1);
  }
  const key bounds[2] = {{"lo", REAL, -0x1p63, 0x1p63, 1}, {"hi", REAL, -0x1p63, 0x1p63, 100}};
  f64 bound[2] = {1, 100};
  for (int i = 0; i < 2; i++)
    if (lua_getfield(L, 1, bounds[i].name) != LUA_TNIL) {
      bound[i] = read_value(L, r->g, &bounds[i]);
      r->weights.type = LS_I32;
    }
  int type = lua_getfield(L, 1, "weights");
  if (type == LUA_TTABLE) { /* as times = {lo, hi} */
    const key pair[2] = {{"weights[1]", REAL, -0x1p63, 0x1p63, 1},
                         {"weights[2]", REAL, -0x1p63, 0x1p63, 100}};
    read_pair(L, r->g, pair, bound);
    r->weights.type = LS_I32;
  } else if (type != LUA_TNIL) {
    const char *word = type == LUA_TSTRING ? lua_tostring(L, -1) : "";
    r->weights.type = ls_dtype_parse(word);
    if (r->weights.type == LS_NONE && strcmp(word, "none") != 0)
      luaL_error(L,
                 "gen.%s: weights must be \"i32\", \"i64\", \"f32\", \"f64\", \"none\" or {least, greatest}",
                 name);
  }
  r->weights.lo = bound[0];
  r->weights.hi = bound[1];
  lua_pop(L, 4);
  read_times(L, r);
}

static void read_table(lua_State *L, request *r) {
  const generator *g = r->g;
  check_keys(L, g);
  for (int i = 0; i < KEYS && g->keys[i].name; i++) {
    const key *k = &g->keys[i];
    bool by_name = lua_getfield(L, 1, k->name) != LUA_TNIL;
    if (i < g->positional && lua_rawgeti(L, 1, i + 1) != LUA_TNIL) {
      if (by_name) luaL_error(L, "gen.%s: %s is given twice", g->name, k->name);
      by_name = true;
    } else if (i < g->positional) {
      lua_pop(L, 1);
    }
    if (by_name)
      r->value[i] = read_value(L, g, k);
    else if (isnan(k->otherwise))
      luaL_error(L, "gen.%s: %s is missing", g->name, k->name);
    else
      r->value[i] = k->otherwise;
    lua_settop(L, 1);
  }
  read_common(L, r);
}

static ls_status make(void *arg) {
  request *r = arg;
  return r->g->make(r);
}

/* Combines the arguments of gen.grid(3, 4) or gen.grid(3, 4, {seed = 7}) into one table. */
static void gather_arguments(lua_State *L) {
  const int count = lua_gettop(L), numbers = lua_istable(L, count) ? count - 1 : count;
  lua_createtable(L, numbers, 0);
  lua_insert(L, 1);
  if (numbers < count)
    for (lua_pushnil(L); lua_next(L, count + 1);) { /* the table's values without a name follow the numbers */
      if (lua_isinteger(L, -2))
        lua_pushinteger(L, (lua_Integer)((lua_Unsigned)numbers + (lua_Unsigned)lua_tointeger(L, -2)));
      else
        lua_pushvalue(L, -2);
      lua_insert(L, -2);
      lua_settable(L, 1);
    }
  lua_settop(L, numbers + 1);
  for (int i = numbers; i >= 1; i--) lua_rawseti(L, 1, i);
}

static int generate(lua_State *L) {
  request r = {
      .g = &generators[lua_tointeger(L, lua_upvalueindex(1))], .seed = 1, .weights = {.type = LS_NONE}};
  if (lua_type(L, 1) == LUA_TNUMBER) gather_arguments(L);
  if (!lua_istable(L, 1))
    return luaL_error(L, "gen.%s: a table expected, as in gen.%s{%s = ...}; got %s", r.g->name, r.g->name,
                      r.g->keys[0].name, luaL_typename(L, 1));
  lua_settop(L, 1);
  read_table(L, &r);
  ls_do(L, make, &r, false);
  ls_push_graph(L, r.out);
  return 1;
}

/* --- copies ------------------------------------------------------------------------------------------ */

typedef struct copying {
  ls_graph *g, *out;
  u32 k;
} copying;

static ls_status make_copies(void *arg) {
  copying *c = arg;
  return ls_gen_copies(c->g, c->k, &c->out);
}

static int copies(lua_State *L) {
  copying c = {.g = ls_check_graph(L, 1)};
  lua_Integer k = luaL_checkinteger(L, 2);
  if (k < 0 || k > UINT32_MAX)
    return luaL_error(L, "gen.copies: k = %I is not between 0 and 2^32 - 1", (LUAI_UACINT)k);
  c.k = (u32)k;
  ls_do(L, make_copies, &c, false);
  ls_push_graph(L, c.out);
  return 1;
}

/* gen.foo: raises an error that lists the generators. */
static int no_generator(lua_State *L) {
  const char *names[GENERATORS + 2] = {"copies", "clients"};
  for (int i = 0; i < GENERATORS; i++) names[2 + i] = generators[i].name;
  const char *asked = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
  const char *near = ls_nearest(asked, names, GENERATORS + 2);
  return luaL_error(L, "there is no generator `%s`%s%s%s: there are %s", asked,
                    near ? " (did you mean `gen." : "", near ? near : "", near ? "`?)" : "",
                    ls_push_listed(L, names, GENERATORS + 2, ", "));
}

int ls_open_gen(lua_State *L) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, no_generator);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  for (int i = 0; i < GENERATORS; i++) {
    lua_pushinteger(L, i);
    lua_pushcclosure(L, generate, 1);
    lua_setfield(L, -2, generators[i].name);
  }
  lua_pushcfunction(L, copies);
  lua_setfield(L, -2, "copies");
  lua_pushcfunction(L, ls_gen_clients_call);
  lua_setfield(L, -2, "clients");
  lua_setglobal(L, "gen");
  return 0;
}
