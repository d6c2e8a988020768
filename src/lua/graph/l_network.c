/* reference.components, .pagerank and .triangles, and their checks. */
#include <math.h>

#include "lua/bind.h"
#include "reference/network.h"

typedef struct job {
  ls_graph *g;
  void *out;
  ls_buffer *b; /* to be checked */
  f64 damping, tolerance;
  u32 most, count;
  bool least;
} job;

static f64 check_real(lua_State *L, int i, const char *what, f64 low, f64 high) {
  const f64 x = luaL_checknumber(L, i);
  if (!(x >= low && x < high)) luaL_error(L, "argument %d: expected %s, got %f", i, what, x);
  return x;
}

static f64 check_damping(lua_State *L, int i) {
  return check_real(L, i, "a damping from 0 to less than 1", 0, 1);
}
static f64 check_tolerance(lua_State *L, int i) {
  return check_real(L, i, "a tolerance from 0 on", 0, INFINITY);
}

static ls_status components(void *arg) {
  job *j = arg;
  return ls_components(j->g, j->out, &j->count);
}

static int reference_components(lua_State *L) {
  job j = {.g = ls_pin_graph(L, 1)};
  j.out = ls_push_output(L, LS_U32, j.g->n, 0);
  ls_do(L, components, &j, ls_is_quick(j.g));
  lua_pushinteger(L, j.count);
  return 2;
}

static ls_status components_hold(void *arg) {
  job *j = arg;
  const u32 *id = ls_buffer_read(j->b);
  return id ? ls_check_components(j->g, id, j->least, &j->count) : LS_EMEM;
}

static int reference_check_components(lua_State *L) {
  job j = {.g = ls_check_graph(L, 1), .least = lua_toboolean(L, 3)};
  j.b = ls_check_per_vertex(L, 2, j.g, LS_U32);
  ls_pin_graph(L, 1);
  ls_do(L, components_hold, &j, ls_is_quick(j.g));
  lua_pushboolean(L, true);
  lua_pushinteger(L, j.count);
  return 2;
}

static ls_status pagerank(void *arg) {
  job *j = arg;
  return ls_pagerank(j->g, j->damping, j->tolerance, j->most, j->out, &j->count);
}

static int reference_pagerank(lua_State *L) {
  job j = {.g = ls_check_graph(L, 1), .damping = 0.85, .tolerance = 1e-12, .most = 100 * 1000};
  if (!lua_isnoneornil(L, 2)) j.damping = check_damping(L, 2);
  if (!lua_isnoneornil(L, 3)) j.tolerance = check_tolerance(L, 3);
  ls_pin_graph(L, 1);
  j.out = ls_push_output(L, LS_F64, j.g->n, 0);
  ls_do(L, pagerank, &j, ls_is_quick(j.g));
  lua_pushinteger(L, j.count);
  return 2;
}

static ls_status pagerank_holds(void *arg) {
  job *j = arg;
  const f64 *rank = ls_buffer_read(j->b);
  return rank ? ls_check_pagerank(j->g, j->damping, j->tolerance, rank) : LS_EMEM;
}

static int reference_check_pagerank(lua_State *L) {
  job j = {.g = ls_check_graph(L, 1)};
  j.b = ls_check_per_vertex(L, 2, j.g, LS_F64);
  j.damping = check_damping(L, 3);
  j.tolerance = check_tolerance(L, 4);
  ls_pin_graph(L, 1);
  ls_do(L, pagerank_holds, &j, ls_is_quick(j.g));
  lua_pushboolean(L, true);
  return 1;
}

static ls_status triangles(void *arg) {
  job *j = arg;
  return ls_triangles(j->g, j->out);
}

static int reference_triangles(lua_State *L) {
  job j = {.g = ls_pin_graph(L, 1)};
  j.out = ls_push_output(L, LS_I64, j.g->n, 0);
  ls_do(L, triangles, &j, ls_is_quick(j.g));
  return 1;
}

static const luaL_Reg functions[] = {
    {"components", reference_components}, {"check_components", reference_check_components},
    {"pagerank", reference_pagerank},     {"check_pagerank", reference_check_pagerank},
    {"triangles", reference_triangles},   {NULL, NULL},
};

int ls_open_network(lua_State *L) {
  lua_getglobal(L, "reference");
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
  return 0;
}
