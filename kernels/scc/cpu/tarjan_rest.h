/* Tarjan 1972 in the form of Pearce 2016, with explicit stacks. Every thread runs it for itself, from roots of its
 * own, and leaves out what any thread has settled (Renault, Duret-Lutz, Kordon, Poitrenaud 2015). Nobody waits for
 * anybody: at worst, in one great component, all do the same work, as if there were one.
 *
 * That holds because a component's first finder finds all of it, and nobody sees any of it settled before all of it
 * is marked; who leaves out a part finds only what is marked, and does not name it. */
#include "core/mem.h"
#include "scc/tree.h"

/* What a thread knows of a vertex: nothing; the lowest place that it is known to lead back to, where places number what
 * the thread has met and not closed; that it is settled; or that it is settled in the hub's component. */
#define FREE 0u
#define CLOSED 0xffffffffu
#define WITH_HUB 0xfffffffeu
#define TO_HUB 0u /* below all places: leads to the hub, from which it was reached */

/* In comp, besides a name and none: it will be named at once. */
#define MARKED 0xfffffffeu

enum { SHARE = 1 << 16, MOST = 16 }; /* the work that is worth a thread, and how many have work at all */

typedef struct frame { /* a vertex being searched */
  u32 v, place;
  u32 next, end; /* its edges still to be looked at, up to but not with end */
} frame;

typedef struct seeker {
  const u32 *off, *to, *link;
  u32 *comp, *low;
  frame *path;
  u32 *open; /* searched, but their component is not closed */
  u32 hub;
  u32 step; /* from a row's edge to the next: 1, or -1 modulo 2^32 */
} seeker;

LS_INLINE void ask_ahead(const seeker *s, u32 e, u32 end) {
  for (u32 i = 0; i < 8 && e != end; i++, e += s->step) {
    PREFETCH(&s->off[s->to[e]]);
    PREFETCH(&s->comp[s->to[e]]);
  }
}

LS_INLINE u32 name_of(const seeker *s, u32 v) { return __atomic_load_n(&s->comp[v], __ATOMIC_ACQUIRE); }
LS_INLINE void set_name(seeker *s, u32 v, u32 name) { __atomic_store_n(&s->comp[v], name, __ATOMIC_RELEASE); }

LS_INLINE u32 look_at(const seeker *s, u32 v) {
  const u32 name = name_of(s, v);
  return name >= MARKED ? s->low[v] : name == s->hub ? WITH_HUB : CLOSED;
}

/* Closes the component of `root`, which has been searched: what is open from its place on. It is named by its largest
 * vertex, whoever finds it; the hub's by the hub. Returns how many vertices it has. */
LS_INLINE u32 close_component(seeker *s, u32 root, u32 place, bool with_hub, u32 *opened) {
  u32 from = *opened, name = root;
  while (from > 0 && s->low[s->open[from - 1]] >= place) {
    from--;
    if (s->open[from] > name) name = s->open[from];
  }
  const u32 size = *opened - from + 1;
  s->open[*opened] = root;
  if (with_hub)
    name = s->hub;
  else if (size == 1 ? name_of(s, name) != LS_NO_VERTEX : !atomic_cas(&s->comp[name], LS_NO_VERTEX, MARKED))
    name = LS_NO_VERTEX; /* another names it */
  if (size > 1 && !with_hub && name != LS_NO_VERTEX)
    for (u32 i = from; i <= *opened; i++) store_relaxed(&s->comp[s->open[i]], MARKED);
  for (u32 i = from; i <= *opened; i++) {
    const u32 v = s->open[i];
    if (name != LS_NO_VERTEX)
      set_name(s, v, name);
    else
      s->low[v] = CLOSED;
  }
  *opened = from;
  return size;
}

/* Takes in what is known of a successor of v. True: v belongs to the hub's component, and nothing else matters. */
LS_INLINE bool goes_home(const seeker *s, u32 v, u32 there, u32 *lowest) {
  if (there == WITH_HUB && was_reached(s->link[v])) {
    *lowest = TO_HUB;
    return true;
  }
  if (there < *lowest) *lowest = there;
  return false;
}

LS_INLINE frame first_look(const seeker *s, u32 v, u32 place) {
  const u32 first = s->off[v], last = s->off[v + 1];
  const bool up = s->step == 1;
  const frame f = {v, place, up ? first : last - 1, up ? last : first - 1};
  ask_ahead(s, f.next, f.end);
  return f;
}

/* Settles all that root reaches. A vertex is written down once the search goes on from it: many a one leads only to
 * what is settled, and costs no more than its edges. */
LS_INLINE void seek(seeker *s, u32 root) {
  u32 met = 1, depth = 0, opened = 0, lowest = 1;
  frame at = first_look(s, root, met);
  for (;;) {
    u32 child = LS_NO_VERTEX;
    for (; at.next != at.end; at.next += s->step) {
      const u32 t = s->to[at.next], there = look_at(s, t);
      if (there != FREE) {
        if (goes_home(s, at.v, there, &lowest)) break;
      } else if (s->off[t] == s->off[t + 1]) {
        set_name(s, t, t); /* a sink */
      } else if (t != at.v) {
        child = t;
        break;
      }
    }
    if (child != LS_NO_VERTEX) {
      s->low[at.v] = lowest;
      s->path[depth++] = at;
      at = first_look(s, child, ++met);
      lowest = met;
      continue;
    }
    u32 there = lowest;
    if (lowest == at.place || lowest == TO_HUB) {
      met -= close_component(s, at.v, at.place, lowest == TO_HUB, &opened);
      there = lowest == TO_HUB ? WITH_HUB : CLOSED;
    } else {
      s->low[at.v] = lowest;
      s->open[opened++] = at.v;
    }
    if (!depth) return;
    at = s->path[--depth];
    lowest = s->low[at.v];
    at.next = goes_home(s, at.v, there, &lowest) ? at.end : at.next + s->step;
  }
}

static void *large_pages(void *p, size_t bytes) {
  if (p) ls_mem_large_pages(p, bytes);
  return p;
}

/* Each thread takes the roots of its own block of vertices, then what is left of the others', from the end: neighbours
 * in number are often neighbours in the graph, and who stays away from others does what they don't. So every second
 * thread looks at a row's edges from the last: where rows are sorted it goes up where its neighbours go down. */
static void seek_by_blocks(seeker *s, u32 n, u32 me, u32 team) {
  s->step = me % 2 ? -1u : 1;
  for (u32 k = 0; k < team; k++) {
    const u32 block = (me + k) % team;
    const u32 first = (u32)((u64)n * block / team), last = (u32)((u64)n * (block + 1) / team);
    for (u32 i = first; i < last; i++) {
      const u32 root = k == 0 ? i : last - 1 - (i - first);
      if (name_of(s, root) >= MARKED && s->low[root] == FREE) seek(s, root);
    }
  }
}

CPU_LIBRARY(tarjan_rest) {
  const seeker all = {
      .off = a->off, .to = a->to, .hub = gather_id((u32)a->hub[0]), .link = a->link, .comp = a->comp};
  const u32 n = a->n, threads = L->serial ? 1 : L->threads < MOST ? (u32)L->threads : MOST;
  u64 live = 0;
#pragma omp parallel for num_threads(n < SHARE ? 1 : threads) schedule(static) reduction(+ : live)
  for (u32 v = 0; v < n; v++) live += all.comp[v] == LS_NO_VERTEX;
  if (!live) return LS_OK;
  const u64 shares = 1 + (live + live * a->m / n) / SHARE;
  const u32 team = shares < threads ? (u32)shares : threads;
  u32 seats = 0, done = 0;
#pragma omp parallel num_threads(team) reduction(+ : done)
  {
    seeker mine = all;
    mine.low = large_pages(ls_calloc(n, sizeof *mine.low), n * sizeof *mine.low);
    mine.path = large_pages(ls_malloc(n * sizeof *mine.path), n * sizeof *mine.path);
    mine.open = large_pages(ls_malloc(n * sizeof *mine.open), n * sizeof *mine.open);
    if (mine.low && mine.path && mine.open) { /* else it stays away */
      seek_by_blocks(&mine, n, atomic_add(&seats, 1), team);
      done++;
    }
    ls_free(mine.low);
    ls_free(mine.path);
    ls_free(mine.open);
  }
  count->settled = (u32)live;
  /* who came to the end has seen everything settled; a message stays in its thread */
  return done ? LS_OK : ls_fail(LS_EMEM, "tarjan_rest: out of memory");
}
