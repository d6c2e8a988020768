/* flood on a CPU. */
#include "scc/cpu/search.h"
#include "scc/tree.h"

/* Where a thread walks a chain, one vertex found at a time, it notes what it visits: the way back up is then known
 * ahead, and its memory asked for, which the links alone would tell one after the other. Pieces of `cells`, handed out
 * by `used`; a piece begins with where the one before it began. */
enum { PIECE = 1024, FAR_AHEAD = 16 };
typedef struct trail {
  u32 *cells, *used, room;
  u32 piece, at; /* at: the next place in the present piece */
} trail;

static void note(trail *t, u32 v) {
  if (t->piece == LS_NO_VERTEX || t->at == t->piece + PIECE) {
    if (load_relaxed(t->used) + PIECE > t->room) return;
    const u32 piece = __atomic_fetch_add(t->used, PIECE, __ATOMIC_RELAXED);
    if (piece + PIECE > t->room) return;
    t->cells[piece] = t->piece;
    t->piece = piece, t->at = piece + 1;
  }
  t->cells[t->at++] = v;
}

/* One place back; false: there is none. */
static bool back_up(trail *t) {
  if (t->piece == LS_NO_VERTEX) return false;
  if (t->at == t->piece + 1) {
    t->piece = t->cells[t->piece];
    if (t->piece == LS_NO_VERTEX) return false;
    t->at = t->piece + PIECE;
  }
  t->at--;
  return true;
}

/* climb, where v was noted last. */
static u32 climb_trail(u32 *link, u32 v, trail t) {
  u32 count = 0;
  for (u32 i = 0; i < FAR_AHEAD && back_up(&t); i++) PREFETCH(&link[t.cells[t.at]]);
  for (; join(link, &v); count++)
    if (back_up(&t)) PREFETCH(&link[t.cells[t.at]]);
  return count;
}

typedef struct flood {
  const u32 *off, *to;
  u32 *link;
  trail trail;
  u32 reached, joined, again;
} flood;

/* Along the edge v -> t. Returns whether t is known to reach the hub. */
LS_INLINE bool look(flood *a, finder *f, u32 v, u32 t) {
  const u32 there = load_relaxed(&a->link[t]);
  if (there != UNMET) {
    a->again += there != ELSEWHERE;
    return is_joined(there);
  }
  PREFETCH(&a->off[t]); /* beside the claim, which waits for its cell */
  if (!atomic_cas(&a->link[t], UNMET, v)) {
    a->again++;
    return false;
  }
  a->reached++;
  found(f, t);
  return false;
}

LS_INLINE void visit(void *with, finder *f, u32 v) {
  flood *a = with;
  bool back = false;
  const bool alone = is_alone(f);
  if (alone) note(&a->trail, v);
  const u32 *t = a->to + a->off[v], *const end = a->to + a->off[v + 1];
  for (; end - t > ROW_AHEAD; t++) {
    PREFETCH(&a->link[t[ROW_AHEAD]]);
    back |= look(a, f, v, *t);
  }
  for (; t != end; t++) back |= look(a, f, v, *t);
  if (back) a->joined += alone ? climb_trail(a->link, v, a->trail) : climb(a->link, v);
}

CPU_LIBRARY(flood) {
  flood all = {.off = a->off, .to = a->to, .link = a->link};
  const u32 hub = gather_id((u32)a->hub[0]), *comp = a->comp, n = a->n;
  u32 *queue = a->back_next, *front = a->front, reached = 0, joined = 0, again = 0;
  front[0] = 0; /* and what lies behind serves the trails */
  u32 used = 0;
  all.trail = (trail){.cells = front + 1, .used = &used, .room = n, .piece = LS_NO_VERTEX};
  const int team = L->serial || (u64)n + a->m < 1u << 16 ? 1 : L->threads;
  pool p = {.items = queue, .waiting = hub < n, .threads = (u32)team};
  queue[0] = hub;
#pragma omp parallel num_threads(team) reduction(+ : reached, joined, again)
  {
#pragma omp for schedule(static)
    for (u32 v = 0; v < n; v++) all.link[v] = v == hub ? JOINED | hub : comp[v] == LS_NO_VERTEX ? UNMET : ELSEWHERE;
    flood mine = all;
    finder f;
    search(&f, &p, mine.off, mine.to, mine.link, visit, &mine);
    reached += mine.reached;
    joined += mine.joined;
    again += mine.again;
  }
  if (hub >= n) return LS_OK; /* nobody to search from */
  count->reached = 1 + reached;
  count->joined = 1 + joined;
  count->again = again;
  return LS_OK;
}
