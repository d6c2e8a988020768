/* tarjan_rest on a CPU: Tarjan 1972 in the form of Pearce 2016, with explicit stacks. Every thread runs the whole
 * algorithm, from its own roots, and skips vertices that any thread has settled (Renault, Duret-Lutz, Kordon,
 * Poitrenaud 2015). No thread waits for another: in the worst case, a single large component, all threads do the same
 * work and take as long as one thread.
 *
 * Two threads may search the same component. The component still gets one representative: the first thread that
 * completes the search has seen all vertices of the component, and marks all of them (CLAIMED) before it settles any.
 * Another thread may skip vertices that are settled already, and so see only a part of the component; but then all of
 * this part is claimed, and the thread does not settle it. */
#include "core/mem.h"
#include "scc/tree.h"

/* Each thread has its own array `low`. low[v] is one of the values below, or the lowlink of v: the lowest index that
 * v is known to reach. The vertices that the thread has visited but not closed have the indices 1, 2, 3 and so on. A
 * component is closed once the thread has seen all of it. */
#define LOW_UNVISITED 0u
#define LOW_CLOSED 0xffffffffu           /* settled */
#define LOW_IN_HUB_COMPONENT 0xfffffffeu /* settled in the component of the hub */

/* A lowlink below all indices: the vertex is in the component of the hub. Never stored in low. */
#define LOW_HUB 0u

/* comp[v] of a live vertex is LS_NO_VERTEX; or CLAIMED, if a thread has claimed its component and is settling it. */
#define CLAIMED 0xfffffffeu

enum { WORK_PER_THREAD = 1 << 16, THREADS_MOST = 16 }; /* least work, in vertices + edges, that is worth a thread */

typedef struct frame { /* a vertex whose edges are being followed */
  u32 v, index;
  u32 next, end; /* edges still to scan: [next, end), in direction `step` */
} frame;

typedef struct tarjan { /* the state of one thread */
  const u32 *off, *to, *link;
  u32 *comp, *low;
  frame *path; /* stack: the vertices from the root to the current one, excluding the latter */
  u32 *open;   /* stack: vertices all of whose edges have been followed, but whose component is not closed */
  u32 hub;
  u64 edges; /* number of visited edges */
  u32 step; /* direction in which edges are scanned: 1, or -1 modulo 2^32 */
} tarjan;

LS_INLINE void prefetch_row(const tarjan *s, u32 e, u32 end) {
  for (u32 i = 0; i < 8 && e != end; i++, e += s->step) {
    PREFETCH(&s->off[s->to[e]]);
    PREFETCH(&s->comp[s->to[e]]);
  }
}

LS_INLINE u32 load_comp(const tarjan *s, u32 v) { return __atomic_load_n(&s->comp[v], __ATOMIC_ACQUIRE); }
LS_INLINE void store_comp(tarjan *s, u32 v, u32 name) { __atomic_store_n(&s->comp[v], name, __ATOMIC_RELEASE); }

/* low[v]; or LOW_CLOSED or LOW_IN_HUB_COMPONENT, if any thread has settled v. */
LS_INLINE u32 low_of(const tarjan *s, u32 v) {
  const u32 name = load_comp(s, v);
  return name >= CLAIMED ? s->low[v] : name == s->hub ? LOW_IN_HUB_COMPONENT : LOW_CLOSED;
}

/* Closes the component of `root`: root, all of whose edges have been followed, and the open vertices on top of the
 * stack whose lowlink is at least `index`, the index of root. The representative (`name`) is the largest vertex of
 * the component, so that all threads agree, or the hub in the component of the hub. Returns the number of
 * vertices. */
LS_INLINE u32 close_component(tarjan *s, u32 root, u32 index, bool with_hub, u32 *opened) {
  u32 from = *opened, name = root;
  while (from > 0 && s->low[s->open[from - 1]] >= index) {
    from--;
    if (s->open[from] > name) name = s->open[from];
  }
  const u32 size = *opened - from + 1;
  s->open[*opened] = root;
  if (with_hub)
    name = s->hub;
  else if (size == 1 ? load_comp(s, name) != LS_NO_VERTEX : !atomic_cas(&s->comp[name], LS_NO_VERTEX, CLAIMED))
    name = LS_NO_VERTEX; /* another thread settles it */
  if (size > 1 && !with_hub && name != LS_NO_VERTEX)
    for (u32 i = from; i <= *opened; i++) store_relaxed(&s->comp[s->open[i]], CLAIMED);
  for (u32 i = from; i <= *opened; i++) {
    const u32 v = s->open[i];
    if (name != LS_NO_VERTEX)
      store_comp(s, v, name);
    else
      s->low[v] = LOW_CLOSED;
  }
  *opened = from;
  return size;
}

/* Updates the lowlink of v with `there`, the low_of() a successor. true: v belongs to the component of the hub, and
 * the other edges of v need not be followed. */
LS_INLINE bool update_lowlink(const tarjan *s, u32 v, u32 there, u32 *lowest) {
  if (there == LOW_IN_HUB_COMPONENT && was_reached(s->link[v])) {
    *lowest = LOW_HUB;
    return true;
  }
  if (there < *lowest) *lowest = there;
  return false;
}

LS_INLINE frame new_frame(const tarjan *s, u32 v, u32 index) {
  const u32 first = s->off[v], last = s->off[v + 1];
  const bool up = s->step == 1;
  const frame f = {v, index, up ? first : last - 1, up ? last : first - 1};
  prefetch_row(s, f.next, f.end);
  return f;
}

/* Settles all vertices that root reaches. low[v] is written only when the search leaves v for a child: the many vertices that
 * lead only to settled vertices then cost no more than the scan of their edges. */
LS_INLINE void search_from(tarjan *s, u32 root) {
  u32 visited = 1, depth = 0, opened = 0, lowest = 1; /* visited: vertices not closed; lowest: the lowlink of at.v */
  frame at = new_frame(s, root, visited);
  for (;;) {
    u32 child = LS_NO_VERTEX;
    const u32 from = at.next;
    for (; at.next != at.end; at.next += s->step) {
      const u32 t = s->to[at.next], there = low_of(s, t);
      if (there != LOW_UNVISITED) {
        if (update_lowlink(s, at.v, there, &lowest)) break;
      } else if (s->off[t] == s->off[t + 1]) {
        store_comp(s, t, t); /* t has no successor */
      } else if (t != at.v) {
        child = t;
        break;
      }
    }
    s->edges += (u32)((at.next - from) * s->step) + (at.next != at.end); /* plus the edge that ended the scan */
    if (child != LS_NO_VERTEX) {
      s->low[at.v] = lowest;
      s->path[depth++] = at;
      at = new_frame(s, child, ++visited);
      lowest = visited;
      continue;
    }
    u32 there = lowest;
    if (lowest == at.index || lowest == LOW_HUB) {
      visited -= close_component(s, at.v, at.index, lowest == LOW_HUB, &opened);
      there = lowest == LOW_HUB ? LOW_IN_HUB_COMPONENT : LOW_CLOSED;
    } else {
      s->low[at.v] = lowest;
      s->open[opened++] = at.v;
    }
    if (!depth) return;
    at = s->path[--depth];
    lowest = s->low[at.v];
    at.next = update_lowlink(s, at.v, there, &lowest) ? at.end : at.next + s->step;
  }
}

static void *large_pages(void *p, size_t bytes) {
  if (p) ls_mem_large_pages(p, bytes);
  return p;
}

/* Each thread takes its roots from its own block of vertices, then from the ends of the other threads' blocks. Vertices with
 * close numbers are often close in the graph, so threads seldom do the same work. For the same reason every second thread
 * scans the edges of a row from the last to the first. */
static void search_from_blocks(tarjan *s, u32 n, u32 me, u32 team) {
  s->step = me % 2 ? -1u : 1;
  for (u32 k = 0; k < team; k++) {
    const u32 block = (me + k) % team;
    const u32 first = (u32)((u64)n * block / team), last = (u32)((u64)n * (block + 1) / team);
    for (u32 i = first; i < last; i++) {
      const u32 root = k == 0 ? i : last - 1 - (i - first);
      if (load_comp(s, root) >= CLAIMED && s->low[root] == LOW_UNVISITED) search_from(s, root);
    }
  }
}

CPU_LIBRARY(tarjan_rest) {
  const tarjan all = {
      .off = a->off, .to = a->to, .hub = unscatter_id((u32)a->hub[0]), .link = a->link, .comp = a->comp};
  const u32 n = a->n, threads = L->serial ? 1 : L->threads < THREADS_MOST ? (u32)L->threads : THREADS_MOST;
  u64 live = 0;
#pragma omp parallel for num_threads(n < WORK_PER_THREAD ? 1 : threads) schedule(static) reduction(+ : live)
  for (u32 v = 0; v < n; v++) live += all.comp[v] == LS_NO_VERTEX;
  if (!live) return LS_OK;
  const u64 worth = 1 + (live + live * a->m / n) / WORK_PER_THREAD;
  const u32 team = worth < threads ? (u32)worth : threads;
  u32 seats = 0, done = 0;
  u64 edges = 0;
#pragma omp parallel num_threads(team) reduction(+ : done, edges)
  {
    tarjan mine = all;
    mine.low = large_pages(ls_calloc(n, sizeof *mine.low), n * sizeof *mine.low);
    mine.path = large_pages(ls_malloc(n * sizeof *mine.path), n * sizeof *mine.path);
    mine.open = large_pages(ls_malloc(n * sizeof *mine.open), n * sizeof *mine.open);
    if (mine.low && mine.path && mine.open) { /* out of memory: leave the work to the other threads */
      search_from_blocks(&mine, n, atomic_add(&seats, 1), team);
      edges += mine.edges;
      done++;
    }
    ls_free(mine.low);
    ls_free(mine.path);
    ls_free(mine.open);
  }
  count->settled = (u32)live;
  COUNT_EDGES(edges);
  /* One thread that has completed its search is enough: all vertices are settled. A thread that ran out of memory has only
   * set its own error message. */
  return done ? LS_OK : ls_fail(LS_EMEM, "tarjan_rest: out of memory");
}
