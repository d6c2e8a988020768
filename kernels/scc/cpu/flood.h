/* flood on a CPU. */
#include "scc/cpu/search.h"
#include "scc/tree.h"

/* The trail of a thread: the vertices that it visited while its stack was otherwise empty, as on a chain. When the end of a
 * chain joins (tree.h), all its vertices join, from the last to the first. Following links would cost one cache miss per ancestor;
 * the trail lists the ancestors, so that their links can be prefetched. Storage: a linked list of pieces of PIECE cells in
 * `cells`, which all threads share. *used is the end of the allocated cells; the first cell of a piece holds the index of
 * the previous piece. */
enum { PIECE = 1024, PREFETCH_ANCESTORS = 16 };
typedef struct trail {
  u32 *cells, *used, room;
  u32 piece, at; /* index of the current piece, and of the next free cell in it */
} trail;

static void trail_push(trail *t, u32 v) {
  if (t->piece == LS_NO_VERTEX || t->at == t->piece + PIECE) {
    if (load_relaxed(t->used) + PIECE > t->room) return;
    const u32 piece = __atomic_fetch_add(t->used, PIECE, __ATOMIC_RELAXED);
    if (piece + PIECE > t->room) return;
    t->cells[piece] = t->piece;
    t->piece = piece, t->at = piece + 1;
  }
  t->cells[t->at++] = v;
}

/* Removes the last vertex, which is then cells[at]. false: the trail is empty. */
static bool trail_pop(trail *t) {
  if (t->piece == LS_NO_VERTEX) return false;
  if (t->at == t->piece + 1) {
    t->piece = t->cells[t->piece];
    if (t->piece == LS_NO_VERTEX) return false;
    t->at = t->piece + PIECE;
  }
  t->at--;
  return true;
}

/* join_ancestors for a v that is the last vertex of the trail. t is a copy, so the trail itself is unchanged. */
static u32 join_ancestors_on_trail(u32 *link, u32 v, trail t) {
  u32 count = 0;
  for (u32 i = 0; i < PREFETCH_ANCESTORS && trail_pop(&t); i++) PREFETCH(&link[t.cells[t.at]]);
  for (; join_and_climb(link, &v); count++)
    if (trail_pop(&t)) PREFETCH(&link[t.cells[t.at]]);
  return count;
}

typedef struct flood {
  const u32 *off, *to;
  u32 *link;
  trail trail;
  u32 reached, joined, again;
  u64 edges; /* number of visited edges */
} flood;

/* Follows the edge v -> t. Returns whether t has joined. */
LS_INLINE bool follow_edge(flood *a, searcher *f, u32 v, u32 t) {
  const u32 there = load_relaxed(&a->link[t]);
  if (there != LINK_UNREACHED) {
    a->again += there != LINK_SETTLED;
    return is_joined(there);
  }
  PREFETCH(&a->off[t]); /* overlaps with the cache miss of the compare-and-swap */
  if (!atomic_cas(&a->link[t], LINK_UNREACHED, v)) {
    a->again++;
    return false;
  }
  a->reached++;
  search_add(f, t);
  return false;
}

LS_INLINE void visit(void *with, searcher *f, u32 v) {
  flood *a = with;
  bool back = false;
  const bool alone = is_last(f);
  if (alone) trail_push(&a->trail, v);
  const u32 *t = a->to + a->off[v], *const end = a->to + a->off[v + 1];
  a->edges += (u64)(end - t);
  for (; end - t > PREFETCH_EDGES; t++) {
    PREFETCH(&a->link[t[PREFETCH_EDGES]]);
    back |= follow_edge(a, f, v, *t);
  }
  for (; t != end; t++) back |= follow_edge(a, f, v, *t);
  if (back) a->joined += alone ? join_ancestors_on_trail(a->link, v, a->trail) : join_ancestors(a->link, v);
}

CPU_LIBRARY(flood) {
  flood all = {.off = a->off, .to = a->to, .link = a->link};
  const u32 hub = unscatter_id((u32)a->hub[0]), *comp = a->comp, n = a->n;
  u32 *queue = a->back_next, *front = a->front, reached = 0, joined = 0, again = 0;
  u64 edges = 0;
  front[0] = 0; /* the rest of front is free: the trails use it */
  u32 used = 0;
  all.trail = (trail){.cells = front + 1, .used = &used, .room = n, .piece = LS_NO_VERTEX};
  const int team = L->serial || (u64)n + a->m < 1u << 16 ? 1 : L->threads;
  pool p = {.items = queue, .waiting = hub < n, .threads = (u32)team};
  queue[0] = hub;
#pragma omp parallel num_threads(team) reduction(+ : reached, joined, again, edges)
  {
#pragma omp for schedule(static)
    for (u32 v = 0; v < n; v++)
      all.link[v] = v == hub ? LINK_JOINED | hub : comp[v] == LS_NO_VERTEX ? LINK_UNREACHED : LINK_SETTLED;
    flood mine = all;
    searcher f;
    search(&f, &p, mine.off, mine.to, mine.link, visit, &mine);
    reached += mine.reached;
    joined += mine.joined;
    again += mine.again;
    edges += mine.edges;
  }
  if (hub >= n) return LS_OK; /* there is no hub */
  count->reached = 1 + reached;
  count->joined = 1 + joined;
  count->again = again;
  COUNT_EDGES(edges);
  return LS_OK;
}
