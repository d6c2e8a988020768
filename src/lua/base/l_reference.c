/* reference.*: the sequential algorithms and the certificate checks. */
#include "reference/reference.h"

#include <math.h>
#include <string.h>

#include "lua/base/l_buffer.h"

typedef struct job {
  ls_graph *g;
  u32 s, count, first, past;
  u64 rows;
  f64 delta;
  int threads;
  ls_semiring semiring;
  void *out;
  u32 *parent;
  ls_buffer *sources;
  ls_sssp_claim claim;
  ls_dtype type;
  ls_buffer *a, *b; /* to be checked: id and sizes; or distances and parents; or a matrix */
  bool named;
  f64 tol;
} job;

static u32 check_vertex(lua_State *L, int i, const ls_graph *g) {
  lua_Integer v = luaL_checkinteger(L, i);
  if (v < 0 || v >= g->n)
    luaL_error(L, "argument %d: vertex %I is not in 0 .. %I", i, (LUAI_UACINT)v, (LUAI_UACINT)g->n - 1);
  return (u32)v;
}

/* --- algorithms -------------------------------------------------------------------------------------- */

/* The type of sums of g's weights. */
static ls_dtype sum_type(const ls_graph *g) { return ls_dtype_is_real(g->wtype) ? LS_F64 : LS_I64; }

static ls_status tarjan(void *arg) {
  job *j = arg;
  return ls_tarjan(j->g, j->out, &j->count);
}

/* reference.tarjan(g): each vertex's component as a u32 buffer, numbered so that a component's successors
 * have smaller numbers; and how many components there are */
static int reference_tarjan(lua_State *L) {
  job j = {.g = ls_pin_graph(L, 1)};
  j.out = ls_push_output(L, LS_U32, j.g->n, 0);
  ls_do(L, tarjan, &j, ls_is_quick(j.g));
  lua_pushinteger(L, j.count);
  return 2;
}

static ls_status dijkstra(void *arg) {
  job *j = arg;
  return ls_dijkstra(j->g, j->s, j->out, j->parent);
}

static ls_status bellman_ford(void *arg) {
  job *j = arg;
  return ls_bellman_ford(j->g, j->s, j->out, j->parent);
}

/* Runs a search from the vertex at 2 and pushes distances and parents. */
static int paths(lua_State *L, job j, ls_status (*work)(void *)) {
  j.g = ls_check_graph(L, 1);
  j.s = check_vertex(L, 2, j.g);
  ls_pin_graph(L, 1);
  j.out = ls_push_output(L, sum_type(j.g), j.g->n, 0);
  j.parent = ls_push_output(L, LS_U32, j.g->n, 0);
  ls_do(L, work, &j, ls_is_quick(j.g));
  return 2;
}

/* reference.dijkstra(g, s): distances from s (i64, or f64 if the weights are real) and parents (u32); uses
 * Bellman-Ford if a weight is negative */
static int reference_dijkstra(lua_State *L) { return paths(L, (job){0}, dijkstra); }

/* reference.bellman_ford(g, s): as reference.dijkstra; an error names a negative cycle */
static int reference_bellman_ford(lua_State *L) { return paths(L, (job){0}, bellman_ford); }

static ls_status delta_stepping(void *arg) {
  job *j = arg;
  return ls_delta_stepping(j->g, j->s, j->delta, j->threads, j->out, j->parent);
}

static int check_threads(lua_State *L, int i) {
  const lua_Integer threads = luaL_optinteger(L, i, 0);
  if (threads < 0 || threads > 1024)
    luaL_error(L, "argument %d: expected a number of threads from 0 (all) to 1024, got %I", i,
               (LUAI_UACINT)threads);
  return (int)threads;
}

/* reference.delta_stepping(g, s, delta [, threads]): distances from s and parents, as from
 * reference.dijkstra, by buckets of width `delta`; sequential if `threads` is 1, otherwise on that many
 * threads (0: all) */
static int reference_delta_stepping(lua_State *L) {
  check_vertex(L, 2, ls_check_graph(L, 1));
  job j = {.delta = luaL_checknumber(L, 3)};
  j.threads = check_threads(L, 4);
  return paths(L, j, delta_stepping);
}

static ls_status bellman_ford_passes(void *arg) {
  job *j = arg;
  return ls_bellman_ford_passes(j->g, j->s, j->threads, j->out);
}

/* reference.bellman_ford_passes(g, s [, threads]): distances from s by passes over all edges, on that many
 * threads (0: all) */
static int reference_bellman_ford_passes(lua_State *L) {
  job j = {.g = ls_check_graph(L, 1)};
  j.s = check_vertex(L, 2, j.g);
  j.threads = check_threads(L, 3);
  ls_pin_graph(L, 1);
  j.out = ls_push_output(L, sum_type(j.g), j.g->n, 0);
  ls_do(L, bellman_ford_passes, &j, ls_is_quick(j.g));
  return 1;
}

static ls_status johnson(void *arg) {
  job *j = arg;
  return ls_johnson(j->g, j->threads, j->out);
}

/* reference.johnson(g [, threads]): the n x n matrix of distances (i64, or f64 if the weights are real) by
 * Johnson's algorithm, by default on one thread, else on `threads` threads (0: all) */
static int reference_johnson(lua_State *L) {
  job j = {.threads = lua_isnoneornil(L, 2) ? 1 : check_threads(L, 2)};
  j.g = ls_pin_graph(L, 1);
  if (j.g->n == 0) return luaL_error(L, "a graph without vertices has no distance matrix");
  j.out = ls_push_output(L, sum_type(j.g), j.g->n, j.g->n);
  ls_do(L, johnson, &j, j.g->n < 128);
  return 1;
}

static ls_status negative_cycle(void *arg) {
  job *j = arg;
  return ls_negative_cycle(j->g, j->s, NULL, j->out);
}

/* reference.negative_cycle(g [, s]): a vertex on a cycle of negative weight (one that s reaches), and the
 * cycle as text; nothing if there is none. Exact for real weights, too. */
static int reference_negative_cycle(lua_State *L) {
  ls_negative cycle;
  job j = {.g = ls_check_graph(L, 1), .s = LS_NO_VERTEX, .out = &cycle};
  if (!lua_isnoneornil(L, 2)) j.s = check_vertex(L, 2, j.g);
  ls_do(L, negative_cycle, &j, ls_is_quick(j.g));
  if (!cycle.found) return 0;
  lua_pushinteger(L, cycle.vertex);
  lua_pushstring(L, cycle.text);
  return 2;
}

static ls_status distance_matrix(void *arg) {
  job *j = arg;
  return ls_distance_matrix(j->g, j->type, j->first, j->past, j->out);
}

/* The final status of the triple loop, whose own status is st: an error names the negative cycle if there is
 * one. With real weights this is checked exactly, because rounding may hide a negative cycle, or make a cycle
 * negative whose weight is nearly zero. */
static ls_status settle_matrix(ls_graph *g, bool real, ls_status st) {
  if (st ? st != LS_EARG && st != LS_EOVERFLOW : !real) return st;
  ls_negative cycle;
  const ls_status exact = ls_negative_cycle(g, LS_NO_VERTEX, NULL, &cycle);
  if (exact) return exact;
  if (cycle.found)
    return ls_fail(LS_EARG, "vertex %u lies on a negative cycle: %s", cycle.vertex, cycle.text);
  if (st != LS_EARG) return st;
  return ls_fail(LS_EOVERFLOW, "a cycle has a negative sum only because of rounding");
}

static ls_status floyd_warshall(void *arg) {
  job *j = arg;
  ls_status st = distance_matrix(j);
  return st ? st
            : settle_matrix(j->g, ls_dtype_is_real(j->type), ls_floyd_warshall(j->g->n, j->type, j->out));
}

static int matrix(lua_State *L, ls_status (*work)(void *)) {
  lua_settop(L, 4); /* pinned values are above */
  const char *name = luaL_optstring(L, 2, NULL);
  job j = {.g = ls_pin_graph(L, 1)};
  j.type = name ? ls_dtype_parse(name) : j.g->wtype == LS_NONE ? LS_I32 : j.g->wtype;
  if (j.type == LS_NONE) return luaL_error(L, "no dtype '%s': i16, i32, i64, f32 or f64 is expected", name);
  if (j.g->n == 0) return luaL_error(L, "a graph without vertices has no distance matrix");
  const lua_Integer first = luaL_optinteger(L, 3, 0), past = luaL_optinteger(L, 4, j.g->n);
  if (first < 0 || past < first || past > j.g->n)
    return luaL_error(L, "the rows [%I, %I) are not within [0, %I)", first, past, (lua_Integer)j.g->n);
  j.first = (u32)first, j.past = (u32)past;
  j.out = ls_push_output(L, j.type, j.past - j.first, j.g->n);
  ls_do(L, work, &j, j.g->n < 128);
  return 1;
}

/* reference.distance_matrix(g [, dtype [, first, past]]): the n x n matrix of edge weights that
 * Floyd-Warshall starts from; by default of the weights' type (i32 for an unweighted graph) */
static int reference_distance_matrix(lua_State *L) { return matrix(L, distance_matrix); }

/* reference.floyd_warshall(g [, dtype]): the n x n matrix of distances */
static int reference_floyd_warshall(lua_State *L) {
  lua_settop(L, 2); /* all rows */
  return matrix(L, floyd_warshall);
}

static ls_status kleene(void *arg) {
  job *j = arg;
  return ls_kleene(j->g, j->type, j->out);
}

/* reference.kleene(g [, dtype]): the n x n matrix of greatest weights of paths of an acyclic graph */
static int reference_kleene(lua_State *L) {
  lua_settop(L, 2);
  return matrix(L, kleene);
}

static ls_status closure(void *arg) {
  job *j = arg;
  return ls_closure(j->rows, j->type, j->semiring, j->out);
}

/* reference.closure(A [, semiring]): the sum of all powers of a square matrix */
static int reference_closure(lua_State *L) {
  ls_buffer *a = ls_check_buffer(L, 1);
  const char *name = luaL_optstring(L, 2, "min-plus");
  job j = {.type = a->type};
  if (!ls_semiring_parse(name, &j.semiring))
    return luaL_error(L, "no semiring '%s': 'min-plus', 'max-plus', 'max-min' or 'or-and' is expected", name);
  if (a->rows != a->cols) return luaL_error(L, "argument 1: expected a square matrix");
  j.rows = a->rows;
  j.out = ls_push_output(L, a->type, j.rows, j.rows);
  memcpy(j.out, ls_host_read(L, a), ls_buffer_bytes(a));
  ls_do(L, closure, &j, j.rows < 128);
  return 1;
}

/* --- checks ------------------------------------------------------------------------------------------ */

static ls_status scc_holds(void *arg) {
  job *j = arg;
  ls_scc_claim claim = {.id = ls_buffer_read(j->a), .named = j->named};
  if (j->b) {
    claim.sizes = ls_buffer_read(j->b);
    claim.count = j->b->count;
  }
  return claim.id && (claim.sizes || !j->b) ? ls_check_scc(j->g, &claim, &j->count) : LS_EMEM;
}

/* reference.check_scc(g, id [, sizes [, named]]): true and the number of components if equal labels in
 * `id` mean the same strongly connected component, `sizes` (u32) has the sizes of the components by ascending
 * label, and, if `named`, each label is a vertex of its component; else an error that names the first
 * violation */
static int reference_check_scc(lua_State *L) {
  job j = {.g = ls_check_graph(L, 1), .named = lua_toboolean(L, 4)};
  j.a = ls_check_per_vertex(L, 2, j.g, LS_U32);
  if (!lua_isnoneornil(L, 3)) {
    j.b = ls_check_buffer(L, 3);
    if (j.b->type != LS_U32)
      return luaL_error(L, "argument 3: expected sizes as u32, got %s", ls_dtype_name(j.b->type));
  }
  ls_pin_graph(L, 1);
  ls_do(L, scc_holds, &j, ls_is_quick(j.g));
  lua_pushboolean(L, true);
  lua_pushinteger(L, j.count);
  return 2;
}

static ls_status choices_hold(void *arg) {
  job *j = arg;
  const u32 *off = ls_buffer_read(j->a), *choice = ls_buffer_read(j->b);
  if (!off || !choice) return LS_EMEM;
  for (u64 v = 0; v < j->b->count; v++)
    if (off[v] == off[v + 1] && choice[v] != UINT32_MAX)
      return ls_fail(LS_EARG, "vertex %llu: its choice is %u, expected 2^32 - 1, because it has no edge",
                     (unsigned long long)v, choice[v]);
    else if (off[v] != off[v + 1] && (choice[v] < off[v] || choice[v] >= off[v + 1]))
      return ls_fail(LS_EARG, "vertex %llu: its choice is %u, expected one of its own edges, %u to %u",
                     (unsigned long long)v, choice[v], off[v], off[v + 1] - 1);
  return LS_OK;
}

/* reference.check_choices(off, choice): true if choice[v] is an edge of v for every vertex v, or 2^32 - 1 if
 * v has no edge; else an error that names the first vertex with a wrong choice */
static int reference_check_choices(lua_State *L) {
  job j = {.a = ls_check_buffer(L, 1), .b = ls_check_buffer(L, 2)};
  luaL_argcheck(L, j.a->type == LS_U32 && j.a->count > 0, 1, "u32[n+1] expected");
  luaL_argcheck(L, j.b->type == LS_U32 && j.b->count == j.a->count - 1, 2, "u32[n] expected");
  ls_do(L, choices_hold, &j, j.b->count < LS_QUICK);
  lua_pushboolean(L, true);
  return 1;
}

static ls_status read_claim(job *j) {
  ls_sssp_claim *claim = &j->claim;
  claim->dist = ls_buffer_read(j->a);
  claim->type = j->a->type;
  claim->sources = j->sources ? ls_buffer_read(j->sources) : &j->s;
  claim->count = j->sources ? j->sources->count : 1;
  return claim->dist && claim->sources ? LS_OK : LS_EMEM;
}

static ls_status sssp_holds(void *arg) {
  job *j = arg;
  const ls_status st = read_claim(j);
  if (j->b) j->claim.parent = ls_buffer_read(j->b);
  if (st || (j->b && !j->claim.parent)) return LS_EMEM;
  return ls_check_sssp_claim(j->g, &j->claim);
}

static ls_status sssp_tree(void *arg) {
  job *j = arg;
  const ls_status st = read_claim(j);
  return st ? st : ls_sssp_tree(j->g, &j->claim, j->parent);
}

/* The optional tolerance at index i; -1 if it is absent. */
static f64 check_tolerance(lua_State *L, int i) {
  if (lua_isnoneornil(L, i)) return -1;
  const f64 tol = luaL_checknumber(L, i);
  if (!(tol >= 0 && tol <= 1))
    luaL_error(L, "argument %d: expected a tolerance from 0 to 1, got %s", i,
               isnan(tol) ? "nan" : lua_tostring(L, i));
  return tol;
}

/* Reads arguments 1 to 3: a graph, a source or several in a buffer, distances. */
static void check_distances(lua_State *L, job *j) {
  j->g = ls_check_graph(L, 1);
  j->sources = ls_test_buffer(L, 2);
  if (j->sources && j->sources->type != LS_U32)
    luaL_error(L, "argument 2: expected sources as u32, got %s", ls_dtype_name(j->sources->type));
  if (!j->sources) j->s = check_vertex(L, 2, j->g);
  j->a = ls_check_per_vertex(L, 3, j->g, LS_W);
}

/* reference.sssp_tree(g, s, dist): the parents of a tree of shortest paths with these distances from s (a
 * vertex, or several in a buffer of u32). Reals may be off by eight rounding errors; an error names an edge
 * that is violated. */
static int reference_sssp_tree(lua_State *L) {
  job j = {0};
  check_distances(L, &j);
  ls_pin_graph(L, 1);
  j.parent = ls_push_output(L, LS_U32, j.g->n, 0);
  ls_do(L, sssp_tree, &j, ls_is_quick(j.g));
  return 1;
}

/* reference.check_sssp(g, s, dist [, parent [, limit [, unit [, tol]]]]): true if dist has the distances from
 * s (a vertex, or several in a buffer of u32: from the nearest of them) and parent is a tree of shortest
 * paths; else an error that names the first violation. If `limit` is passed, `dist` needs only distances up
 * to it; if `unit`, each edge counts 1. Reals may be off by the relative tolerance `tol`; by default by eight
 * rounding errors. */
static int reference_check_sssp(lua_State *L) {
  job j = {0};
  check_distances(L, &j);
  if (!lua_isnoneornil(L, 4)) j.b = ls_check_per_vertex(L, 4, j.g, LS_U32);
  j.claim.unit = lua_toboolean(L, 6);
  j.claim.tol = check_tolerance(L, 7);
  if (!lua_isnoneornil(L, 5)) {
    const bool real = ls_dtype_is_real(j.a->type);
    j.claim.limited = true;
    j.claim.limit =
        (ls_number){.real = real, .r = luaL_checknumber(L, 5), .i = real ? 0 : luaL_checkinteger(L, 5)};
  }
  ls_pin_graph(L, 1);
  ls_do(L, sssp_holds, &j, ls_is_quick(j.g));
  lua_pushboolean(L, true);
  return 1;
}

static ls_status fw_holds(void *arg) {
  job *j = arg;
  const void *d = ls_buffer_read(j->a);
  return d ? ls_check_fw(j->g, j->a->type, d, j->tol) : LS_EMEM;
}

/* reference.check_fw(g, matrix [, tol]): true if the matrix has all distances; else an error that names the
 * first violation. Reals may be off by the relative tolerance tol; by default by n rounding errors. */
static int reference_check_fw(lua_State *L) {
  job j = {.g = ls_check_graph(L, 1), .a = ls_check_buffer(L, 2), .tol = check_tolerance(L, 3)};
  if (!ls_is_distance(j.a->type))
    return luaL_error(L, "argument 2: expected a matrix of i16, i32, i64, f32 or f64, got %s",
                      ls_dtype_name(j.a->type));
  if (j.a->rows != j.g->n || j.a->cols != j.g->n)
    return luaL_error(L, "argument 2: expected a matrix of %I x %I, got %I x %I", (LUAI_UACINT)j.g->n,
                      (LUAI_UACINT)j.g->n, (LUAI_UACINT)j.a->rows, (LUAI_UACINT)j.a->cols);
  ls_pin_graph(L, 1);
  ls_do(L, fw_holds, &j, (u64)j.g->n * (j.g->m + j.g->n) < LS_QUICK);
  lua_pushboolean(L, true);
  return 1;
}

static const luaL_Reg functions[] = {
    {"tarjan", reference_tarjan},
    {"dijkstra", reference_dijkstra},
    {"bellman_ford", reference_bellman_ford},
    {"delta_stepping", reference_delta_stepping},
    {"bellman_ford_passes", reference_bellman_ford_passes},
    {"johnson", reference_johnson},
    {"negative_cycle", reference_negative_cycle},
    {"distance_matrix", reference_distance_matrix},
    {"floyd_warshall", reference_floyd_warshall},
    {"kleene", reference_kleene},
    {"closure", reference_closure},
    {"check_choices", reference_check_choices},
    {"check_scc", reference_check_scc},
    {"check_sssp", reference_check_sssp},
    {"sssp_tree", reference_sssp_tree},
    {"check_fw", reference_check_fw},
    {NULL, NULL},
};

int ls_open_reference(lua_State *L) {
  luaL_newlib(L, functions);
  lua_setglobal(L, "reference");
  return 0;
}
