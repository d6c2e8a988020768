/* Walks over a policy graph, for one element type W and the argument struct ARGS_W, whose d_next has what every choice
 * costs, jump where it leads, and layer TO_WALK where it is to be walked over. Included by policy_paths.h and
 * policy_mend.h. */
#include "core/mem.h"

#define WALKER LS_JOIN(walker, W)
#define TO_WALK 0xfffffffeu /* a layer: v has to be walked over */
#define ROOM 1024         /* of a path, to begin with */

typedef struct WALKER {
  const ARGS_W *a;
  u32 *path; /* from where the walk began */
  u32 room;
  bool failed, overflow; /* no memory; a sum too large */
} WALKER;

static bool LS_JOIN(grow, W)(WALKER *k) {
  const u32 room = k->room ? 2 * k->room : ROOM;
  u32 *path = ls_realloc(k->path, (size_t)room * sizeof *path);
  k->failed = !path;
  if (!path) return false;
  k->path = path;
  k->room = room;
  return true;
}

/* From v to what has been walked over; then back along the path, with values. Returns a vertex of the cycle that it
 * came to instead (Brent 1980 finds that it is one), else LS_NO_VERTEX. */
LS_INLINE u32 LS_JOIN(walk, W)(WALKER *k, u32 v) {
  const u32 *const jump = k->a->jump;
  u32 *const layers = k->a->layer, *path = k->path;
  W *const d = k->a->d, *const cost = k->a->d_next;
  u32 x = v, depth = 0, room = k->room, earlier = v, turn = 1, layer, cycle = LS_NO_VERTEX;
  for (;;) {
    if (depth == room) {
      if (!LS_JOIN(grow, W)(k)) return LS_NO_VERTEX;
      path = k->path;
      room = k->room;
    }
    path[depth++] = x;
    PREFETCH(&cost[x]);
    PREFETCH(&d[x]);
    x = jump[x];
    layer = __atomic_load_n(&layers[x], __ATOMIC_ACQUIRE);
    if (layer != TO_WALK) break;
    if (x == earlier) {
      cycle = x;
      layer = UNREACHED;
      break;
    }
    if (depth == turn) earlier = x, turn *= 2;
  }
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
