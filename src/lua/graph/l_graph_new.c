/* graph.from_edges: makes graphs from Lua tables and from buffers. Options are in the table of edges or in a
 * second table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "lua/base/l_buffer.h"
#include "lua/graph/l_graph.h"
#include "run/devices/device.h"

enum { QUICK_EDGES = 1 << 18 };

typedef struct edge_list {
  u32 n;
  u64 m;
  const u32 *src, *dst;
  const void *w;
  ls_dtype wtype;
  const void *t; /* NULL: no times */
  ls_dtype ttype;
  const char *name;
  ls_graph *out;
} edge_list;

static ls_status build(void *arg) {
  edge_list *l = arg;
  for (u64 e = 0; e < l->m; e++) {
    u32 big = l->src[e] > l->dst[e] ? l->src[e] : l->dst[e];
    if (big >= l->n)
      return ls_fail(LS_EARG, "graph.from_edges: edge %llu: vertex %u is not below n = %u",
                     (unsigned long long)e + 1, big, l->n);
  }
  const u64 odd = ls_weights_not_finite(l->wtype, l->w, l->m);
  char text[LS_NUMBER_CHARS];
  if (odd < l->m)
    return ls_fail(LS_EARG, "graph.from_edges: edge %llu: weight %s: weights are finite numbers",
                   (unsigned long long)odd + 1,
                   ls_number_text(l->wtype, ls_number_at(l->wtype, l->w, odd), text));
  ls_status st = ls_graph_from_edges(l->n, l->m, l->src, l->dst, l->w, l->wtype, l->name, &l->out);
  if (!st && l->t && (st = ls_graph_list_times(l->out, l->src, l->t, l->ttype))) ls_graph_release(l->out);
  return st;
}

static u32 check_n(lua_State *L, lua_Integer n) {
  if (n < 0 || (u64)n > LS_MAX_VERTICES)
    luaL_error(L, "graph.from_edges: n = %I is not between 0 and %I", (LUAI_UACINT)n,
               (LUAI_UACINT)LS_MAX_VERTICES);
  return (u32)n;
}

/* --- from buffers ------------------------------------------------------------------------------------ */

static const void *list_of(lua_State *L, ls_buffer *b, u64 count, const char *what) {
  if (b->count != count)
    luaL_error(L, "graph.from_edges: %s have %I elements, but the sources have %I", what,
               (LUAI_UACINT)b->count, (LUAI_UACINT)count);
  return ls_host_read(L, b);
}

static ls_buffer *check_vertices(lua_State *L, int i, const char *what) {
  ls_buffer *b = ls_check_buffer(L, i);
  if (b->type != LS_U32)
    luaL_error(L, "graph.from_edges: %s must be a buffer of u32, not of %s", what, ls_dtype_name(b->type));
  return b;
}

/* Registry key of a list of two functions of lua/graph/graph.lua, for use on a GPU (ls_graph_on_gpu). */
static const char ON_GPU[] = "lockstep.graph.on_gpu";
enum { LONG = 1 << 16 /* edges */ };

static int on_gpu(lua_State *L) {
  lua_createtable(L, 2, 0);
  for (int i = 1; i <= 2; i++) {
    lua_pushvalue(L, i);
    lua_rawseti(L, -2, i);
  }
  lua_setfield(L, LUA_REGISTRYINDEX, ON_GPU);
  return 0;
}

bool ls_graph_on_gpu(lua_State *L, u64 m, int which) {
  const ls_device *d = ls_device_current();
  if (m < LONG || !d || d->processor != LS_CUDA) return false;
  lua_getfield(L, LUA_REGISTRYINDEX, ON_GPU);
  lua_rawgeti(L, -1, which);
  lua_remove(L, -2);
  return true;
}

static int from_buffers(lua_State *L) {
  edge_list l = {.n = check_n(L, luaL_checkinteger(L, 1)), .wtype = LS_NONE, .name = "edges"};
  ls_buffer *src = check_vertices(L, 2, "the sources"), *dst = check_vertices(L, 3, "the targets");
  l.m = src->count;
  if (l.m > LS_MAX_EDGES) return luaL_error(L, "graph.from_edges: more than 2^32 - 1 edges");
  lua_settop(L, 5);
  if (ls_graph_on_gpu(L, l.m, 1)) {
    for (int i = 1; i <= 5; i++) lua_pushvalue(L, i);
    lua_call(L, 5, 1);
    if (!lua_isnil(L, -1)) return 1;
  }
  l.src = list_of(L, src, l.m, "the sources");
  l.dst = list_of(L, dst, l.m, "the targets");
  if (!lua_isnoneornil(L, 4)) {
    ls_buffer *w = ls_check_buffer(L, 4);
    if (w->type != LS_I32 && w->type != LS_I64 && w->type != LS_F32 && w->type != LS_F64)
      return luaL_error(L, "graph.from_edges: weights are i32, i64, f32 or f64, not %s",
                        ls_dtype_name(w->type));
    l.w = list_of(L, w, l.m, "the weights");
    l.wtype = w->type;
  }
  if (!lua_isnoneornil(L, 5)) {
    ls_buffer *t = ls_check_buffer(L, 5);
    if (t->type != LS_I32 && t->type != LS_I64)
      return luaL_error(L, "graph.from_edges: times are i32 or i64, not %s", ls_dtype_name(t->type));
    l.t = list_of(L, t, l.m, "the times");
    l.ttype = t->type;
  }
  ls_do(L, build, &l, l.m < QUICK_EDGES);
  ls_push_graph(L, l.out);
  return 1;
}

/* --- from a table ------------------------------------------------------------------------------------ */

typedef struct number {
  bool real;
  i64 i;
  f64 f;
} number;

/* Reads the k-th item of the table on top. Raw access only: nothing may raise an error while lists are
 * allocated. */
static bool item(lua_State *L, int k, number *x) {
  int type = lua_rawgeti(L, -1, k), is_integer = 0;
  x->f = type == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
  x->i = type == LUA_TNUMBER ? lua_tointegerx(L, -1, &is_integer) : 0;
  x->real = !is_integer;
  lua_pop(L, 1);
  return type == LUA_TNUMBER;
}

/* The edges read from a table. */
typedef struct reading {
  bool weighted, timed;
  u32 *src, *dst;
  number *w; /* one weight per edge; NULL: none */
  i64 *t;
  ls_dtype wtype; /* the narrowest type that holds all weights */
} reading;

static ls_status read_time(lua_State *L, unsigned long long nr, const reading *r) {
  number x;
  if (item(L, 4, &x) != r->timed)
    return ls_fail(LS_EARG, "graph.from_edges: edge %llu has %s, edge 1 has %s", nr,
                   r->timed ? "no time" : "a time", r->timed ? "one" : "none");
  if (!r->timed) return LS_OK;
  if (x.real)
    return ls_fail(LS_EARG, "graph.from_edges: edge %llu: time %.17g is not a whole number", nr, x.f);
  r->t[nr - 1] = x.i;
  return LS_OK;
}

/* Reads edges 1..m of the table at index 1. */
static ls_status read_table(lua_State *L, u64 m, reading *r) {
  const bool weighted = r->weighted;
  u32 *src = r->src, *dst = r->dst;
  for (u64 e = 0; e < m; e++) {
    unsigned long long nr = e + 1;
    number u, v;
    if (lua_rawgeti(L, 1, (lua_Integer)nr) != LUA_TTABLE)
      return ls_fail(LS_EARG, "graph.from_edges: edge %llu: a table {from, to} expected, got %s", nr,
                     luaL_typename(L, -1));
    if (!item(L, 1, &u) || !item(L, 2, &v) || u.real || v.real)
      return ls_fail(LS_EARG, "graph.from_edges: edge %llu: two whole numbers {from, to} expected", nr);
    i64 far = u.i < 0 || u.i >= (i64)LS_MAX_VERTICES ? u.i : v.i;
    if (far < 0 || far >= (i64)LS_MAX_VERTICES)
      return ls_fail(LS_EARG, "graph.from_edges: edge %llu: %lld is not a vertex", nr, (long long)far);
    src[e] = (u32)u.i;
    dst[e] = (u32)v.i;
    number x;
    if (item(L, 3, &x) != weighted)
      return ls_fail(LS_EARG, "graph.from_edges: edge %llu has %s, edge 1 has %s", nr,
                     weighted ? "no weight" : "a weight", weighted ? "one" : "none");
    if (weighted) {
      r->w[e] = x;
      if (x.real)
        r->wtype = LS_F64;
      else if (r->wtype == LS_I32 && (x.i < INT32_MIN || x.i > INT32_MAX))
        r->wtype = LS_I64;
    }
    ls_status st = read_time(L, nr, r);
    if (st) return st;
    lua_pop(L, 1);
  }
  return LS_OK;
}

/* Can the type hold the weight? Fractions are rounded, whole numbers must be exact; weights that are not
 * finite are rejected later. */
static bool fits(number x, ls_dtype to) {
  switch (to) {
  case LS_I32: return !x.real && x.i >= INT32_MIN && x.i <= INT32_MAX;
  case LS_I64: return !x.real;
  case LS_F32:
    return x.real ? isfinite((f32)x.f) || !isfinite(x.f) : (f32)x.i < 0x1p63f && (i64)(f32)x.i == x.i;
  default: return x.real || ((f64)x.i < 0x1p63 && (i64)(f64)x.i == x.i);
  }
}

/* Converts weights in place, because a number is larger than any weight. */
static ls_status convert(number *w, u64 m, ls_dtype to) {
  for (u64 e = 0; e < m; e++) {
    number x = w[e];
    char text[LS_NUMBER_CHARS];
    if (!fits(x, to))
      return ls_fail(
          LS_EARG, "graph.from_edges: edge %llu: weight %s does not fit %s", (unsigned long long)e + 1,
          ls_number_text(LS_F64, (ls_number){.real = x.real, .r = x.f, .i = x.i}, text), ls_dtype_name(to));
    switch (to) {
    case LS_I32: ((i32 *)(void *)w)[e] = (i32)x.i; break;
    case LS_I64: ((i64 *)(void *)w)[e] = x.i; break;
    case LS_F32: ((f32 *)(void *)w)[e] = (f32)x.f; break;
    default: ((f64 *)(void *)w)[e] = x.f; break;
    }
  }
  return LS_OK;
}

/* Converts times to i32 in place, if all fit. Returns the type. */
static ls_dtype narrow_times(i64 *t, u64 m) {
  for (u64 e = 0; t && e < m; e++)
    if (t[e] != (i32)t[e]) return LS_I64;
  for (u64 e = 0; t && e < m; e++) {
    const i32 time = (i32)t[e];
    memcpy((u8 *)t + e * sizeof time, &time, sizeof time);
  }
  return LS_I32;
}

typedef struct options {
  i64 n; /* -1: one more than the largest vertex */
  ls_dtype wtype;
  const char *name;
} options;

static ls_status build_from_table(lua_State *L, const options *o, ls_graph **out) {
  u64 m = lua_rawlen(L, 1);
  number first;
  reading r = {.wtype = LS_I32};
  if (m && lua_rawgeti(L, 1, 1) == LUA_TTABLE) {
    r.weighted = item(L, 3, &first);
    r.timed = item(L, 4, &first);
  }
  if (o->wtype != LS_NONE && m && !r.weighted)
    return ls_fail(LS_EARG, "graph.from_edges: weights = \"%s\", but edge 1 has no weight",
                   ls_dtype_name(o->wtype));
  r.weighted |= o->wtype != LS_NONE; /* even if there are no edges */
  u32 *src = r.src = ls_malloc(m * sizeof *src), *dst = r.dst = ls_malloc(m * sizeof *dst);
  number *w = r.w = r.weighted ? ls_malloc(m * sizeof *w) : NULL;
  r.t = r.timed ? ls_malloc(m * sizeof *r.t) : NULL;
  ls_status st = src && dst && (w || !r.weighted) && (r.t || !r.timed) ? LS_OK : LS_EMEM;
  if (!st) st = read_table(L, m, &r);
  if (o->wtype != LS_NONE) r.wtype = o->wtype;
  if (!st && w) st = convert(w, m, r.wtype);
  if (!st) {
    edge_list l = {.m = m, .src = src, .dst = dst, .w = w, .wtype = w ? r.wtype : LS_NONE, .name = o->name};
    l.ttype = narrow_times(r.t, m);
    l.t = r.t;
    u32 top = 0;
    for (u64 e = 0; e < m; e++) {
      if (src[e] >= top) top = src[e] + 1;
      if (dst[e] >= top) top = dst[e] + 1;
    }
    l.n = o->n < 0 ? top : (u32)o->n;
    st = build(&l);
    *out = l.out;
  }
  ls_free(src);
  ls_free(dst);
  ls_free(w);
  ls_free(r.t);
  return st;
}

/* Reads the options in the table at `at`; if `edges`, the table may also contain edges. The options' values
 * stay on the stack. */
static int read_options(lua_State *L, int at, bool edges, options *o) {
  lua_pushnil(L);
  while (lua_next(L, at)) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    if (!key && !(edges && lua_isinteger(L, -2)))
      return luaL_error(L, "graph.from_edges: unexpected key of type %s", luaL_typename(L, -2));
    if (key && strcmp(key, "n") != 0 && strcmp(key, "weights") != 0 && strcmp(key, "name") != 0)
      return luaL_error(L, "graph.from_edges: unknown option '%s' (n, weights and name are known)", key);
    lua_pop(L, 1);
  }
  if (lua_getfield(L, at, "n") != LUA_TNIL) {
    if (!ls_is_whole(L, -1)) return luaL_error(L, "graph.from_edges: n must be a whole number");
    o->n = check_n(L, lua_tointeger(L, -1));
  }
  if (lua_getfield(L, at, "weights") != LUA_TNIL) {
    const char *name = lua_tostring(L, -1);
    o->wtype = name ? ls_dtype_parse(name) : LS_NONE;
    if (o->wtype != LS_I32 && o->wtype != LS_I64 && o->wtype != LS_F32 && o->wtype != LS_F64)
      return luaL_error(L, "graph.from_edges: weights must be \"i32\", \"i64\", \"f32\" or \"f64\"");
  }
  if (lua_getfield(L, at, "name") != LUA_TNIL) {
    if (lua_type(L, -1) != LUA_TSTRING) return luaL_error(L, "graph.from_edges: name must be a string");
    o->name = lua_tostring(L, -1);
  }
  return 0;
}

static int from_table(lua_State *L) {
  options o = {-1, LS_NONE, "edges"};
  read_options(L, 1, true, &o);
  if (!lua_isnoneornil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    read_options(L, 2, false, &o);
  }
  luaL_checkstack(L, 8, NULL);
  ls_graph *g = NULL;
  ls_status st = build_from_table(L, &o, &g);
  if (st) return ls_raise(L, st);
  ls_push_graph(L, g);
  return 1;
}

static int from_edges(lua_State *L) {
  if (lua_istable(L, 1)) {
    lua_settop(L, 2);
    return from_table(L);
  }
  if (!ls_is_whole(L, 1))
    return luaL_error(
        L, "graph.from_edges: a table {n = N, {from, to}, ...} or n and two buffers expected, got %s",
        luaL_typename(L, 1));
  return from_buffers(L);
}

/* Makes a graph from the arrays off, to, w and t, which its caller lua/graph/graph.lua has checked. */
static int take_rows(lua_State *L) {
  ls_buffer *arrays[6] = {0}, *t = NULL;
  for (int i = 0; i < 3; i++)
    if (!lua_isnoneornil(L, 1 + i)) arrays[i] = ls_buffer_retain(ls_check_buffer(L, 1 + i));
  if (!lua_isnoneornil(L, 4)) t = ls_buffer_retain(ls_check_buffer(L, 4));
  ls_graph *g;
  const ls_status st = ls_graph_from_buffers((u32)(arrays[0]->count - 1), arrays[1]->count,
                                             arrays[2] ? arrays[2]->type : LS_NONE, arrays, "edges", &g);
  if (st) {
    ls_buffer_release(t);
    return ls_raise(L, st);
  }
  g->t = t;
  if (t) g->ttype = t->type, t->read_only = true;
  ls_push_graph(L, g);
  return 1;
}

const luaL_Reg ls_graph_makers[] = {
    {"from_edges", from_edges}, {"take_rows", take_rows}, {"on_gpu", on_gpu}, {NULL, NULL}};
