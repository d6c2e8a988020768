/* walk_hub on a CPU. */
#include "core/random.h"
#include "scc/scc.h"

enum {
  WALKS = 256,             /* maximum number of walks */
  VERTICES_PER_WALK = 256, /* a graph of n vertices gets n / VERTICES_PER_WALK walks, if that is less */
  STEPS = 48,              /* maximum number of steps of a walk */
  TRIES = 8                /* attempts to find a live vertex */
};

typedef struct live_graph {
  const u32 *off, *to, *comp;
} live_graph;

/* A random live successor of v; LS_NO_VERTEX if none of TRIES successors is live. */
static u32 random_successor(const live_graph *g, u32 v, u64 draw, u64 *edges) {
  const u32 first = g->off[v], degree = g->off[v + 1] - first;
  u32 at = (u32)ls_below(draw, degree);
  for (u32 i = 0; i < TRIES && i < degree; i++) {
    const u32 t = g->to[first + at];
    ++*edges;
    if (t != v && g->comp[t] == LS_NO_VERTEX) return t;
    at = at + 1 < degree ? at + 1 : 0;
  }
  return LS_NO_VERTEX;
}

static bool is_on_path(const u32 *path, u32 steps, u32 v) {
  for (u32 i = 0; i < steps; i++)
    if (path[i] == v) return true;
  return false;
}

/* The candidate of one random walk: the last vertex to which it returned, which is on a cycle; if there is none, the last
 * vertex that has successors. Returns its key, which is larger for better candidates: bit 62: it is on a cycle; bits 32-61:
 * out-degree + 1; bits 0-31: scattered identifier. Returns 0 if it found no live vertex to start from. Adds the
 * edges that it tried to *edges. */
static u64 random_walk(const live_graph *g, u32 n, u64 key, u64 *edges) {
  u32 path[STEPS], v = LS_NO_VERTEX;
  for (u32 i = 0; i < TRIES && v == LS_NO_VERTEX; i++) {
    const u32 start = (u32)ls_below(ls_draw(key, i), n);
    if (g->comp[start] == LS_NO_VERTEX) v = start;
  }
  if (v == LS_NO_VERTEX) return 0;
  u32 best = v;
  bool cyclic = false;
  for (u32 i = 0; i < STEPS; i++) {
    path[i] = v;
    const u32 next = random_successor(g, v, ls_draw(key, TRIES + i), edges);
    if (next == LS_NO_VERTEX) break;
    v = next;
    const bool again = is_on_path(path, i + 1, v);
    cyclic |= again;
    if (again || (!cyclic && g->off[v] < g->off[v + 1])) best = v;
  }
  const u64 degree = g->off[best + 1] - g->off[best], most = (1u << 30) - 1;
  return (u64)cyclic << 62 | (degree < most ? degree + 1 : most) << 32 | scatter_id(best);
}

CPU_LIBRARY(walk_hub) {
  const live_graph g = {a->off, a->to, a->comp};
  const u32 n = a->n;
  u64 best = 0, edges = 0;
  const u32 walks = n / VERTICES_PER_WALK < WALKS ? n / VERTICES_PER_WALK + (n > 0) : WALKS;
  const int team = L->serial || (u64)n + L->m < 1u << 16 ? 1 : L->threads;
#pragma omp parallel for num_threads(team) schedule(dynamic, 8) reduction(max : best) reduction(+ : edges)
  for (u32 i = 0; i < walks; i++) {
    const u64 candidate = random_walk(&g, n, ls_key(0, i), &edges);
    if (candidate > best) best = candidate;
  }
  a->hub[0] = best;
  count->found = best != 0;
  COUNT_EDGES(edges);
  return LS_OK;
}
