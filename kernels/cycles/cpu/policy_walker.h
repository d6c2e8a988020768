/* Computes values along paths of the policy graph, vertex by vertex, for element type W and argument struct ARGS_W. Input:
 * jump[v] is the target of the chosen edge, d_next[v] its length, and layer[v] is UNVISITED if d[v] is not known yet. Included
 * by policy_paths.h and policy_mend.h. */
#include "core/mem.h"

#define WALKER LS_JOIN(walker, W)
#define UNVISITED 0xfffffffeu /* value of layer[v]: d[v] has to be computed */
#define ROOM 1024             /* initial capacity of a path */

typedef struct WALKER {
  const ARGS_W *a;
  u32 *path; /* the vertices of the walk so far */
  u32 room;
  u64 edges; /* the number of edges followed: one per vertex of a path */
  bool failed, overflow; /* out of memory; a sum was too large */
} WALKER;

static bool LS_JOIN(grow_path, W)(WALKER *k) {
  const u32 room = k->room ? 2 * k->room : ROOM;
  u32 *path = ls_realloc(k->path, (size_t)room * sizeof *path);
  k->failed = !path;
  if (!path) return false;
  k->path = path;
  k->room = room;
  return true;
}

/* Follows the path from v to the first visited vertex x, then goes back and computes the values; all vertices of the path get
 * layer 0, or UNREACHED if x is UNREACHED. If the path runs into itself (cycle detection by Brent 1980), all get UNREACHED,
 * and a vertex of the cycle is returned; otherwise LS_NO_VERTEX is returned. */
LS_INLINE u32 LS_JOIN(walk_path, W)(WALKER *k, u32 v) {
  const u32 *const jump = k->a->jump;
  u32 *const layers = k->a->layer, *path = k->path;
  W *const d = k->a->d, *const cost = k->a->d_next;
  u32 x = v, depth = 0, room = k->room, earlier = v, turn = 1, layer, cycle = LS_NO_VERTEX;
  for (;;) {
    if (depth == room) {
      if (!LS_JOIN(grow_path, W)(k)) return LS_NO_VERTEX;
      path = k->path;
      room = k->room;
    }
    path[depth++] = x;
    PREFETCH(&cost[x]);
    PREFETCH(&d[x]);
    x = jump[x];
    layer = __atomic_load_n(&layers[x], __ATOMIC_ACQUIRE);
    if (layer != UNVISITED) break;
    if (x == earlier) {
      cycle = x;
      layer = UNREACHED;
      break;
    }
    if (depth == turn) earlier = x, turn *= 2;
  }
  k->edges += depth;
  if (layer == UNREACHED) {
    while (depth) store_relaxed(&layers[path[--depth]], UNREACHED);
    return cycle;
  }
  for (W sum = load_relaxed(&d[x]); depth;) {
    x = path[--depth];
    sum = ADD(sum, cost[x]);
    if (TOO_LARGE(sum)) k->overflow = true, sum = 0;
    store_relaxed(&d[x], sum);
    __atomic_store_n(&layers[x], 0, __ATOMIC_RELEASE);
  }
  return LS_NO_VERTEX;
}
