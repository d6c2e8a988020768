/* The graph type in Lua: fields, methods, lifetime. l_graph_new.c makes graphs from Lua values. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/nearest.h"
#include "core/escape.h"
#include "data/equal.h"
#include "data/ops.h"
#include "lua/base/l_buffer.h"
#include "lua/graph/l_graph.h"
#include "run/devices/device.h"
#include "run/launch/state.h"

#define TYPE "lockstep.graph"
enum { QUICK_EDGES = 1 << 18 }; /* fewer take too little time for a progress line */

typedef struct box {
  ls_graph *g; /* NULL: closed */
} box;

ls_graph *ls_test_graph(lua_State *L, int i) {
  box *b = luaL_testudata(L, i, TYPE);
  return b ? b->g : NULL;
}

ls_graph *ls_check_graph(lua_State *L, int i) {
  box *b = luaL_testudata(L, i, TYPE);
  if (!b) luaL_typeerror(L, i, "graph");
  if (!b->g) luaL_argerror(L, i, "the graph is closed");
  return b->g;
}

static u64 bytes_of(const ls_graph *g) {
  const ls_buffer *arrays[] = {g->off, g->to, g->w, g->roff, g->rto, g->rw, g->t, g->rt, g->ids};
  u64 bytes = 0;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    if (arrays[i]) bytes += ls_buffer_bytes(arrays[i]);
  return bytes;
}

/* Runs in a protected call, so that the graph does not leak if there is no memory for the box. The caller
 * fills the box afterwards, because a hook (Ctrl-C) may raise an error even when this returns. */
static int push_closed(lua_State *L) {
  box *b = lua_newuserdatauv(L, sizeof *b, 1); /* the user value caches the buffers handed out */
  b->g = NULL;
  luaL_setmetatable(L, TYPE);
  return 1;
}

static void push_box(lua_State *L, ls_graph *g) {
  if (!lua_checkstack(L, 4)) {
    ls_graph_release(g);
    luaL_error(L, "stack overflow");
  }
  lua_pushcfunction(L, push_closed);
  if (lua_pcall(L, 0, 1, 0) != LUA_OK) {
    ls_graph_release(g);
    lua_error(L);
  }
  ((box *)lua_touserdata(L, -1))->g = g;
}

void ls_push_graph(lua_State *L, ls_graph *g) {
  push_box(L, g);
  if (g->refs == 1)
    ls_tell_collector(L, bytes_of(g)); /* counted once: another reference means that it was already counted */
}

ls_graph *ls_pin_graph(lua_State *L, int i) {
  ls_graph *g = ls_check_graph(L, i);
  push_box(L, ls_graph_retain(g));
  return g;
}

static u32 check_vertex(lua_State *L, const ls_graph *g, int i, const char *method) {
  lua_Integer v = luaL_checkinteger(L, i);
  u32 meant;
  if (v >= 0 && v < (lua_Integer)g->n) return (u32)v;
  if (!g->vertex_names && ls_graph_find(g, v, &meant))
    luaL_error(L, "g:%s: vertex %I is not below n = %I; the vertex that the file calls %I is g:vertex(%I)",
               method, (LUAI_UACINT)v, (LUAI_UACINT)g->n, (LUAI_UACINT)v, (LUAI_UACINT)v);
  luaL_error(L, "g:%s: vertex %I is not below n = %I", method, (LUAI_UACINT)v, (LUAI_UACINT)g->n);
  return (u32)v;
}

static ls_status make_transpose(void *g) { return ls_graph_transpose(g); }

static void need_transpose(lua_State *L, ls_graph *g) {
  if (ls_graph_transposed(g)) return;
  u64 before = bytes_of(g);
  ls_do(L, make_transpose, g, g->m < QUICK_EDGES);
  ls_tell_collector(L, bytes_of(g) - before);
}

/* The transpose without its weights and times: on a GPU if it has enough memory, because that is faster. */
static void need_rows(lua_State *L, ls_graph *g) {
  const ls_device *d = ls_device_current();
  if (g->roff) return;
  const u64 before = bytes_of(g);
  const ls_status st = !d || d->processor == LS_CPU ? LS_EMEM : ls_transpose_here(g, false);
  if (st == LS_EMEM) {
    need_transpose(L, g);
    return;
  }
  if (st) ls_raise(L, st);
  ls_tell_collector(L, bytes_of(g) - before);
}

/* --- fields ------------------------------------------------------------------------------------------ */

static void push_array(lua_State *L, ls_buffer *b, const char *name) {
  if (!b) {
    lua_pushnil(L);
    return;
  }
  if (lua_getiuservalue(L, 1, 1) != LUA_TTABLE) {
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, 1, 1);
  }
  if (lua_getfield(L, -1, name) != LUA_TNIL) return;
  ls_push_buffer(L, ls_buffer_retain(b));
  lua_pushvalue(L, -1);
  lua_setfield(L, -4, name);
}

static void field_n(lua_State *L, ls_graph *g) { lua_pushinteger(L, g->n); }
static void field_m(lua_State *L, ls_graph *g) { lua_pushinteger(L, (lua_Integer)g->m); }
static void field_name(lua_State *L, ls_graph *g) { lua_pushstring(L, g->name); }
static void field_scale(lua_State *L, ls_graph *g) { lua_pushnumber(L, g->scale); }
static void field_unexpanded(lua_State *L, ls_graph *g) {
  lua_pushinteger(L, g->vertex_names ? (lua_Integer)g->vertex_names->unexpanded : 0);
}
static void field_off(lua_State *L, ls_graph *g) { push_array(L, g->off, "off"); }
static void field_to(lua_State *L, ls_graph *g) { push_array(L, g->to, "to"); }
static void field_w(lua_State *L, ls_graph *g) { push_array(L, g->w, "w"); }
static void field_t(lua_State *L, ls_graph *g) { push_array(L, g->t, "t"); }
static void field_ids(lua_State *L, ls_graph *g) { push_array(L, g->ids, "ids"); }

/* nil for LS_NONE */
static void push_type(lua_State *L, ls_dtype t) { lua_pushstring(L, t == LS_NONE ? NULL : ls_dtype_name(t)); }
static void field_weights(lua_State *L, ls_graph *g) { push_type(L, g->wtype); }
static void field_times(lua_State *L, ls_graph *g) { push_type(L, g->ttype); }

static void field_rt(lua_State *L, ls_graph *g) {
  if (g->t) need_transpose(L, g);
  push_array(L, g->rt, "rt");
}

static void field_roff(lua_State *L, ls_graph *g) {
  need_rows(L, g);
  push_array(L, g->roff, "roff");
}

static void field_rto(lua_State *L, ls_graph *g) {
  need_rows(L, g);
  push_array(L, g->rto, "rto");
}

static void field_rw(lua_State *L, ls_graph *g) {
  if (g->w) need_transpose(L, g);
  push_array(L, g->rw, "rw");
}

static const struct field {
  const char *name, *doc;
  void (*push)(lua_State *, ls_graph *);
} fields[] = {
    {"n", "number of vertices", field_n},
    {"m", "number of edges", field_m},
    {"weights", "type of the weights, nil where there are none", field_weights},
    {"times", "type of the transit times, nil where there are none", field_times},
    {"name", "where the graph came from", field_name},
    {"scale", "a stored weight is the file's weight times scale", field_scale},
    {"unexpanded", "states that were not expanded, in a graph of a state space that is not finished; else 0",
     field_unexpanded},
    {"off", "u32[n+1]: vertex v's out-edges are off[v] .. off[v+1]-1", field_off},
    {"to", "u32[m]: where each edge leads", field_to},
    {"w", "weight of each edge, nil where there are none", field_w},
    {"t", "transit time of each edge, nil where there are none", field_t},
    {"roff", "u32[n+1]: rows of the transpose", field_roff},
    {"rto", "u32[m]: the transpose's edges: where each comes from", field_rto},
    {"rw", "weights of the transpose's edges", field_rw},
    {"rt", "times of the transpose's edges", field_rt},
    {"ids", "i64[n]: labels of a part or a permutation of another graph, else nil", field_ids},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static int unknown_field(lua_State *L, const char *name, int methods) {
  enum { MOST = 64 };
  const char *names[MOST];
  size_t count = 0;
  for (; count < FIELDS; count++) names[count] = fields[count].name;
  lua_pushnil(L); /* the methods table keeps its strings alive */
  while (lua_next(L, methods)) {
    lua_pop(L, 1);
    if (count < MOST && lua_type(L, -1) == LUA_TSTRING) names[count++] = lua_tostring(L, -1);
  }
  const char *near = ls_nearest(name, names, count);
  if (near) return luaL_error(L, "a graph has no field '%s' (did you mean %s?)", name, near);
  return luaL_error(L, "a graph has no field '%s'", name);
}

static int graph_index(lua_State *L) {
  lua_settop(L, 2);
  if (lua_type(L, 2) != LUA_TSTRING)
    return luaL_error(L, "a graph is indexed by a field's name, not by a %s", luaL_typename(L, 2));
  lua_pushvalue(L, 2);
  if (lua_gettable(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  const char *name = lua_tostring(L, 2);
  for (int i = 0; i < FIELDS; i++)
    if (strcmp(name, fields[i].name) == 0) {
      ls_graph *g = ls_test_graph(L, 1);
      if (!g) return luaL_error(L, "the graph is closed");
      fields[i].push(L, g);
      return 1;
    }
  return unknown_field(L, name, lua_upvalueindex(1));
}

static int graph_newindex(lua_State *L) {
  return luaL_error(L, "a graph's fields can't be set: graphs never change");
}

/* --- methods ----------------------------------------------------------------------------------------- */

/* Pushes a name that comes from a model's file, made safe to print. */
static void push_shown(lua_State *L, const char *name) {
  char shown[512];
  lua_pushstring(L, ls_escaped(name, 0, shown, sizeof shown));
}

static int m_label(lua_State *L) {
  ls_graph *g = ls_check_graph(L, 1);
  i64 label = ls_graph_label(g, check_vertex(L, g, 2, "label"));
  if (!g->vertex_names) {
    lua_pushinteger(L, label);
    return 1;
  }
  char name[512];
  g->vertex_names->vertex(g->vertex_names, label, name, sizeof name);
  push_shown(L, name);
  return 1;
}

/* g:vertex(label): the vertex of that label */
static int m_vertex(lua_State *L) {
  ls_graph *g = ls_check_graph(L, 1);
  u32 v = 0;
  if (g->vertex_names) {
    const char *wanted = luaL_checkstring(L, 2);
    char name[512], shown[512];
    for (; v < g->n; v++) {
      g->vertex_names->vertex(g->vertex_names, ls_graph_label(g, v), name, sizeof name);
      if (strcmp(ls_escaped(name, 0, shown, sizeof shown), wanted) == 0) break;
    }
    if (v == g->n) return luaL_error(L, "g:vertex: no vertex has the label '%s'", wanted);
  } else {
    const lua_Integer label = luaL_checkinteger(L, 2);
    if (!ls_graph_find(g, label, &v)) {
      if (g->ids || g->n == 0)
        return luaL_error(L, "g:vertex: no vertex has the label %I", (LUAI_UACINT)label);
      return luaL_error(L, "g:vertex: no vertex has the label %I: the labels are %I .. %I",
                        (LUAI_UACINT)label, (LUAI_UACINT)ls_graph_label(g, 0),
                        (LUAI_UACINT)ls_graph_label(g, g->n - 1));
    }
  }
  lua_pushinteger(L, v);
  return 1;
}

static int m_move(lua_State *L) {
  ls_graph *g = ls_check_graph(L, 1);
  i64 from = ls_graph_label(g, check_vertex(L, g, 2, "move")),
      to = ls_graph_label(g, check_vertex(L, g, 3, "move"));
  char name[256];
  const lua_Integer which = luaL_optinteger(L, 4, 0);
  const i64 tail = g->reversed ? to : from, head = g->reversed ? from : to;
  if (which < 0 || which > UINT32_MAX) return luaL_argerror(L, 4, "expected a number from 0 on");
  if (g->vertex_names && g->vertex_names->edge(g->vertex_names, tail, head, (u32)which, name, sizeof name))
    push_shown(L, name);
  else
    lua_pushnil(L);
  return 1;
}

static int degree(lua_State *L, bool in) {
  ls_graph *g = ls_check_graph(L, 1);
  const u32 v = check_vertex(L, g, 2, in ? "indegree" : "degree");
  if (in) need_transpose(L, g);
  const u32 *off = ls_host_read(L, in ? g->roff : g->off);
  lua_pushinteger(L, off[v + 1] - off[v]);
  return 1;
}

static int m_degree(lua_State *L) { return degree(L, false); }
static int m_indegree(lua_State *L) { return degree(L, true); }

/* Pushes element e of an array of the edges. */
static void push_value(lua_State *L, ls_buffer *b, lua_Integer e) {
  f64 real;
  i64 integer;
  ls_status st = ls_buffer_get(b, (u64)e, &real, &integer);
  if (st) ls_raise(L, st);
  if (ls_dtype_is_real(b->type))
    lua_pushnumber(L, real);
  else
    lua_pushinteger(L, integer);
}

/* Upvalues: the graph, the next edge, the row's end. */
static int next_edge(lua_State *L) {
  ls_graph *g = ls_check_graph(L, lua_upvalueindex(1));
  lua_Integer e = lua_tointeger(L, lua_upvalueindex(2));
  if (e >= lua_tointeger(L, lua_upvalueindex(3))) return 0;
  lua_pushinteger(L, e + 1);
  lua_replace(L, lua_upvalueindex(2));
  const u32 *to = ls_host_read(L, g->to);
  lua_pushinteger(L, to[e]);
  if (!g->w && !g->t) return 1;
  if (g->w)
    push_value(L, g->w, e);
  else
    lua_pushinteger(L, 1);
  if (g->t) push_value(L, g->t, e);
  return g->t ? 3 : 2;
}

static int m_edges(lua_State *L) {
  ls_graph *g = ls_check_graph(L, 1);
  u32 v = check_vertex(L, g, 2, "edges");
  const u32 *off = ls_host_read(L, g->off);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, off[v]);
  lua_pushinteger(L, off[v + 1]);
  lua_pushcclosure(L, next_edge, 3);
  return 1;
}

static int ascending(const void *a, const void *b) {
  const u32 x = *(const u32 *)a, y = *(const u32 *)b;
  return (x > y) - (x < y);
}

/* g:neighbors(v): where v's out-edges lead, each vertex once, ascending */
static int m_neighbors(lua_State *L) {
  ls_graph *g = ls_check_graph(L, 1);
  const u32 v = check_vertex(L, g, 2, "neighbors");
  const u32 *off = ls_host_read(L, g->off), *to = ls_host_read(L, g->to), count = off[v + 1] - off[v];
  luaL_argcheck(L, count <= INT32_MAX, 2, "a list has at most 2^31 - 1 vertices");
  u32 *list = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *list, 0);
  memcpy(list, to + off[v], count * sizeof *list);
  qsort(list, count, sizeof *list, ascending);
  lua_newtable(L);
  lua_Integer k = 0;
  for (u32 i = 0; i < count; i++) {
    if (i > 0 && list[i] == list[i - 1]) continue;
    lua_pushinteger(L, list[i]);
    lua_rawseti(L, -2, ++k);
  }
  return 1;
}

/* g:has_edge(u, v) */
static int m_has_edge(lua_State *L) {
  ls_graph *g = ls_check_graph(L, 1);
  const u32 u = check_vertex(L, g, 2, "has_edge"), v = check_vertex(L, g, 3, "has_edge");
  const u32 *off = ls_host_read(L, g->off), *to = ls_host_read(L, g->to);
  bool found = false;
  for (u32 e = off[u]; e < off[u + 1] && !found; e++) found = to[e] == v;
  lua_pushboolean(L, found);
  return 1;
}

static ls_status do_reverse(void *arg) {
  ls_graph **g = arg;
  return ls_graph_reverse(g[0], &g[1]);
}

static int m_reverse(lua_State *L) {
  ls_graph *g[2] = {ls_check_graph(L, 1)};
  need_transpose(L, g[0]);
  ls_do(L, do_reverse, g, true);
  ls_push_graph(L, g[1]);
  return 1;
}

static int m_close(lua_State *L) {
  box *b = luaL_checkudata(L, 1, TYPE);
  ls_graph_release(b->g);
  b->g = NULL;
  lua_pushnil(L);
  lua_setiuservalue(L, 1, 1);
  return 0;
}

/* --- the metatable ----------------------------------------------------------------------------------- */

static int graph_tostring(lua_State *L) {
  ls_graph *g = ls_test_graph(L, 1);
  if (!g) {
    lua_pushliteral(L, "graph (closed)");
    return 1;
  }
  char text[512];
  int at = snprintf(text, sizeof text, "graph %.200s: %" PRIu32 " %s, %" PRIu64 " %s", g->name, g->n,
                    g->n == 1 ? "vertex" : "vertices", g->m, g->m == 1 ? "edge" : "edges");
  if (g->wtype == LS_NONE)
    at += snprintf(text + at, sizeof text - (size_t)at, ", no weights");
  else
    at += snprintf(text + at, sizeof text - (size_t)at, ", weights %s", ls_dtype_name(g->wtype));
  if (g->scale != 1) at += snprintf(text + at, sizeof text - (size_t)at, " scaled by %.14g", g->scale);
  if (g->t) at += snprintf(text + at, sizeof text - (size_t)at, ", times %s", ls_dtype_name(g->ttype));
  if (g->vertex_names && g->vertex_names->unexpanded)
    snprintf(text + at, sizeof text - (size_t)at, "; unfinished: %" PRIu64 " %s not expanded",
             g->vertex_names->unexpanded, g->vertex_names->unexpanded == 1 ? "state is" : "states are");
  lua_pushstring(L, text);
  return 1;
}

static int graph_len(lua_State *L) {
  lua_pushinteger(L, ls_check_graph(L, 1)->n);
  return 1;
}

static int graph_eq(lua_State *L) {
  ls_graph *a = ls_test_graph(L, 1), *b = ls_test_graph(L, 2);
  bool yes = false;
  const ls_status st = a && b ? ls_graphs_equal(a, b, &yes) : LS_OK;
  if (st) return ls_raise(L, st);
  lua_pushboolean(L, yes);
  return 1;
}

static const luaL_Reg methods[] = {
    {"label", m_label},       {"move", m_move},       {"degree", m_degree}, {"indegree", m_indegree},
    {"edges", m_edges},       {"reverse", m_reverse}, {"close", m_close},   {"neighbors", m_neighbors},
    {"has_edge", m_has_edge}, {"vertex", m_vertex},   {NULL, NULL},
};

static const luaL_Reg metamethods[] = {
    {"__newindex", graph_newindex},
    {"__tostring", graph_tostring},
    {"__len", graph_len},
    {"__eq", graph_eq},
    {"__gc", m_close},
    {"__close", m_close},
    {NULL, NULL},
};

int ls_open_graph(lua_State *L) {
  ls_new_type(L, TYPE, metamethods, methods, graph_index);
  ls_set_docs(L, fields, FIELDS, sizeof *fields);
  lua_getfield(L, -1, "__methods");
  luaL_setfuncs(L, ls_graph_ops, 0);
  luaL_setfuncs(L, ls_graph_look, 0);
  lua_pop(L, 2);
  lua_newtable(L);
  luaL_setfuncs(L, ls_graph_makers, 0);
  luaL_setfuncs(L, ls_graph_parts, 0);
  lua_setglobal(L, "graph");
  return 0;
}
