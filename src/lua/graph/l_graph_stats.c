/* g:stats(): a table of figures that prints as a page. */
#include <inttypes.h>
#include <stdio.h>

#include "core/mem.h"
#include "data/stats.h"
#include "lua/graph/l_graph.h"
#include "reference/reference.h"

enum {
  SEARCHED = 1 << 24
}; /* edges, vertices: up to here strong components take about a second, and are counted by default */

typedef struct job {
  ls_graph *g;
  ls_graph_stats s;
  bool with_scc;
  u32 strong, largest; /* strongly connected components; vertices of the largest */
} job;

static ls_status count_strong(job *j) {
  u32 n = j->g->n, *id = ls_malloc(n * sizeof *id), *size = NULL;
  ls_status st = id ? ls_tarjan(j->g, id, &j->strong) : LS_EMEM;
  if (!st && !(size = ls_calloc(j->strong, sizeof *size))) st = LS_EMEM;
  for (u32 v = 0; !st && v < n; v++)
    if (++size[id[v]] > j->largest) j->largest = size[id[v]];
  ls_free(id);
  ls_free(size);
  return st;
}

static ls_status work(void *arg) {
  job *j = arg;
  j->largest = 0;
  ls_status st = ls_graph_statistics(j->g, &j->s);
  return !st && j->with_scc ? count_strong(j) : st;
}

/* --- the page: at most 80 columns -------------------------------------------------------------------- */

static f64 as_real(ls_number x) { return x.real ? x.r : (f64)x.i; }

static f64 mean_weight(const ls_graph *g, const ls_graph_stats *s) { return as_real(s->wsum) / (f64)g->m; }

static void add_line(luaL_Buffer *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void add_line(luaL_Buffer *b, const char *fmt, ...) {
  char line[256];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(line, sizeof line, fmt, ap);
  va_end(ap);
  luaL_addchar(b, '\n');
  luaL_addstring(b, line);
}

static void add_degrees(luaL_Buffer *b, const char *which, const ls_graph *g, const ls_degrees *d) {
  char top[LS_VERTEX_CHARS];
  if (g->n)
    add_line(b, "  %-11s min %" PRIu32 "  mean %.4g  max %" PRIu32 ", at vertex %s", which, d->min, d->mean,
             d->max, ls_graph_vertex_text(g, d->top, top));
}

static const char *bar(u64 count, u64 most) {
  static const char hashes[] = "####################"; /* 20 */
  u64 length = most ? (count * 20 + most - 1) / most : 0;
  return hashes + (20 - length);
}

static void add_histogram(luaL_Buffer *b, const ls_graph_stats *s) {
  u64 most = 0;
  int last = 0;
  for (int k = 0; k < LS_DEGREE_BINS; k++) {
    u64 larger = s->out.bins[k] > s->in.bins[k] ? s->out.bins[k] : s->in.bins[k];
    if (larger) last = k;
    if (larger > most) most = larger;
  }
  add_line(b, "  %-12s %10s %-20s %10s", "degree", "out", "", "in");
  for (int k = 0; k <= last; k++) {
    char range[48];
    u64 from = k ? 1ull << (k - 1) : 0, to = k ? (1ull << k) - 1 : 0;
    snprintf(range, sizeof range, from == to ? "%" PRIu64 : "%" PRIu64 "..%" PRIu64, from, to);
    const char *in = bar(s->in.bins[k], most);
    add_line(b, "  %-12s %10" PRIu64 " %-20s %10" PRIu64 "%s%s", range, s->out.bins[k],
             bar(s->out.bins[k], most), s->in.bins[k], *in ? " " : "", in);
  }
}

static void add_components(luaL_Buffer *b, const ls_graph *g, const char *kind, u32 count, u32 largest) {
  add_line(b, "  %s components %" PRIu32 ", vertices in the largest %" PRIu32 " (%.3g %%)", kind, count,
           largest, g->n ? 100.0 * largest / g->n : 0);
}

static void push_page(lua_State *L, const job *j) {
  const ls_graph *g = j->g;
  const ls_graph_stats *s = &j->s;
  const char *head = luaL_tolstring(L, 1, NULL); /* stays on the stack below the page */
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  luaL_addstring(&b, head);
  add_degrees(&b, "out-degree", g, &s->out);
  add_degrees(&b, "in-degree", g, &s->in);
  add_line(&b, "  self loops %" PRIu64 ", parallel edges %" PRIu64 ", isolated vertices %" PRIu32,
           s->self_loops, s->parallel, s->isolated);
  add_components(&b, g, "weak", s->weak, s->largest);
  if (j->with_scc) add_components(&b, g, "strong", j->strong, j->largest);
  if (g->w && g->m) {
    char low[LS_NUMBER_CHARS], high[LS_NUMBER_CHARS];
    add_line(&b, "  weights     min %s  mean %.6g  max %s, %" PRIu64 " negative",
             ls_number_text(g->wtype, s->wmin, low), mean_weight(g, s),
             ls_number_text(g->wtype, s->wmax, high), s->negative);
  }
  if (g->n) add_histogram(&b, s);
  luaL_pushresult(&b);
  lua_remove(L, -2);
}

/* --- the table --------------------------------------------------------------------------------------- */

static void set_number(lua_State *L, const char *name, ls_number x) {
  if (x.real || x.i < INT64_MIN || x.i > INT64_MAX)
    lua_pushnumber(L, as_real(x));
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
    ls_set_integer(L, "scc", j->strong);
    ls_set_integer(L, "largest_scc", j->largest);
  }
  if (!g->w || !g->m) return;
  lua_newtable(L);
  lua_pushstring(L, ls_dtype_name(g->wtype));
  lua_setfield(L, -2, "type");
  set_number(L, "min", s->wmin);
  set_number(L, "max", s->wmax);
  set_number(L, "sum", s->wsum);
  lua_pushnumber(L, mean_weight(g, s));
  lua_setfield(L, -2, "mean");
  ls_set_integer(L, "negative", s->negative);
  lua_setfield(L, -2, "weights");
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
