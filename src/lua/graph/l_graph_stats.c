/* g:stats(): a table of figures that prints as a page. */
#include "core/mem.h"
#include "data/stats_page.h"
#include "lua/graph/l_graph.h"
#include "reference/reference.h"

enum {
  SEARCHED = 1 << 24
}; /* edges, vertices: up to here strong components take about a second, and are counted by default */

typedef struct job {
  ls_graph *g;
  ls_graph_stats s;
  bool with_scc;
  ls_strong strong;
} job;

static ls_status count_strong(job *j) {
  u32 n = j->g->n, *id = ls_malloc(n * sizeof *id), *size = NULL;
  ls_status st = id ? ls_tarjan(j->g, id, &j->strong.count) : LS_EMEM;
  if (!st && !(size = ls_calloc(j->strong.count, sizeof *size))) st = LS_EMEM;
  for (u32 v = 0; !st && v < n; v++)
    if (++size[id[v]] > j->strong.largest) j->strong.largest = size[id[v]];
  ls_free(id);
  ls_free(size);
  return st;
}

static ls_status work(void *arg) {
  job *j = arg;
  j->strong.largest = 0;
  ls_status st = ls_graph_statistics(j->g, &j->s);
  return !st && j->with_scc ? count_strong(j) : st;
}

/* --- the table --------------------------------------------------------------------------------------- */

static void set_number(lua_State *L, const char *name, ls_number x) {
  if (x.real || x.i < INT64_MIN || x.i > INT64_MAX)
    lua_pushnumber(L, ls_number_real(x));
  else
    lua_pushinteger(L, (lua_Integer)x.i);
  lua_setfield(L, -2, name);
}

static void set_degrees(lua_State *L, const char *name, const ls_degrees *d) {
  lua_newtable(L);
  ls_set_integer(L, "min", d->min);
  ls_set_integer(L, "max", d->max);
  ls_set_integer(L, "top", d->top);
  lua_pushnumber(L, d->mean);
  lua_setfield(L, -2, "mean");
  lua_createtable(L, LS_DEGREE_BINS, 0);
  for (int k = 0; k < LS_DEGREE_BINS; k++) {
    lua_pushinteger(L, (lua_Integer)d->bins[k]);
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "bins");
  lua_setfield(L, -2, name);
}

static void push_table(lua_State *L, const job *j) {
  const ls_graph *g = j->g;
  const ls_graph_stats *s = &j->s;
  lua_newtable(L);
  ls_set_integer(L, "n", g->n);
  ls_set_integer(L, "m", g->m);
  set_degrees(L, "out_degree", &s->out);
  set_degrees(L, "in_degree", &s->in);
  ls_set_integer(L, "self_loops", s->self_loops);
  ls_set_integer(L, "parallel", s->parallel);
  ls_set_integer(L, "isolated", s->isolated);
  ls_set_integer(L, "weak", s->weak);
  ls_set_integer(L, "largest_weak", s->largest);
  if (j->with_scc) {
    ls_set_integer(L, "scc", j->strong.count);
    ls_set_integer(L, "largest_scc", j->strong.largest);
  }
  if (!g->w || !g->m) return;
  lua_newtable(L);
  lua_pushstring(L, ls_dtype_name(g->wtype));
  lua_setfield(L, -2, "type");
  set_number(L, "min", s->wmin);
  set_number(L, "max", s->wmax);
  set_number(L, "sum", s->wsum);
  lua_pushnumber(L, ls_graph_mean_weight(g, s));
  lua_setfield(L, -2, "mean");
  ls_set_integer(L, "negative", s->negative);
  lua_setfield(L, -2, "weights");
}

/* Pushes the graph's line and the page below it. */
static void push_page(lua_State *L, const job *j) {
  ls_text text = {0};
  luaL_tolstring(L, 1, NULL);
  ls_graph_stats_page(&text, j->g, &j->s, j->with_scc ? &j->strong : NULL);
  ls_push_text(L, &text);
  lua_concat(L, 2);
}

static int page(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  return 1;
}

/* g:stats(); g:stats{scc = true | false} counts strong components or not, whatever the size. */
static int m_stats(lua_State *L) {
  job j = {.g = ls_check_graph(L, 1)};
  lua_settop(L, 2);
  j.with_scc = j.g->m <= SEARCHED && j.g->n <= SEARCHED;
  if (!lua_isnil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    if (lua_getfield(L, 2, "scc") != LUA_TNIL) j.with_scc = lua_toboolean(L, -1);
  }
  lua_settop(L, 1);
  ls_do(L, work, &j, false);
  push_table(L, &j);
  lua_newtable(L); /* this result's own metatable, in which __tostring returns the page */
  push_page(L, &j);
  lua_pushcclosure(L, page, 1);
  lua_setfield(L, -2, "__tostring");
  lua_setmetatable(L, -2);
  return 1;
}

const luaL_Reg ls_graph_look[] = {{"stats", m_stats}, {NULL, NULL}};
