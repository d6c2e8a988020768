#include "core/mem.h"
#include "driver_cpu.h"
#include "library.h"
#include "prims_list.h"
#include "scc.h"

#include <sched.h>

/* A vertex's word: FREE, CLOSED (its component is known), or the lowest place that v is known to lead back
 * to. Places number what a thread has met and not closed; each thread has places of its own, so they tell
 * whose v is. */
#define FREE 0u
#define CLOSED 0xffffffffu
#define NOBODY 0xffffffffu
enum { SMALL = 1 << 15 };

typedef struct frame { /* a vertex being searched */
  u32 v, place;
  u32 next, last; /* its edges still to be looked at */
} frame;

/* A thread's sign for the others. */
typedef struct sign {
  u32 waits_for; /* whose vertex it wants to see closed */
  u32 asked;     /* to let go of its own, because others wait for them */
  u32 apart[14];
} sign;

typedef struct seeker {
  const u32 *off, *to;
  u32 *low, *comp;
  frame *path;
  u32 *open;      /* searched, but their component is not closed */
  u32 room;       /* of both */
  u32 me, places; /* its places: me * places + 1 .. (me + 1) * places */
  sign *signs;
  u32 team;
  bool failed; /* no memory */
} seeker;

LS_INLINE void ask_ahead(const seeker *s, u32 e, u32 last) {
  for (u32 stop = last - e < 8 ? last : e + 8; e < stop; e++) {
    ASK_AHEAD(&s->low[s->to[e]]);
    ASK_AHEAD(&s->off[s->to[e]]);
  }
}

/* Closes the component whose root has been searched: what is open from its place on. It is named by its
 * largest vertex, whoever found it. Returns how many vertices it has. */
LS_INLINE u32 close_component(seeker *s, u32 root, u32 place, u32 *opened) {
  u32 from = *opened, name = root;
  while (from > 0 && peek(&s->low[s->open[from - 1]]) >= place) {
    from--;
    if (s->open[from] > name) name = s->open[from];
  }
  for (u32 i = from; i < *opened; i++) {
    s->comp[s->open[i]] = name;
    poke(&s->low[s->open[i]], CLOSED);
  }
  s->comp[root] = name;
  poke(&s->low[root], CLOSED);
  const u32 size = *opened - from + 1;
  *opened = from;
  return size;
}

/* What was met and is not closed is anyone's again. */
static void let_go(seeker *s, u32 depth, u32 opened) {
  for (u32 i = 0; i < depth; i++) poke(&s->low[s->path[i].v], FREE);
  for (u32 i = 0; i < opened; i++) poke(&s->low[s->open[i]], FREE);
}

/* Do threads wait for each other in a circle from `owner` to me, in which none has a smaller number than I?
 */
static bool must_ask(const seeker *s, u32 owner) {
  for (u32 i = 0; i < s->team && owner != NOBODY && owner > s->me; i++)
    owner = peek(&s->signs[owner].waits_for);
  return owner == s->me;
}

static bool is_anothers(u32 word) { return word != FREE && word != CLOSED; }

/* The search met another's vertex: waits until that is closed or free. Those who wait for each other in a
 * circle search one component; the first of them asks whom it waits for to let go, and never has to let go
 * itself. False: this thread was asked. (Lowe 2016 has such searches join. Here one begins anew, which costs
 * little once the giant component is gone.) */
static bool wait_for(seeker *s, const u32 *cell) {
  sign *mine = &s->signs[s->me];
  u32 word;
  while (is_anothers(word = peek(cell)) && !peek(&mine->asked)) {
    const u32 owner = (word - 1) / s->places;
    poke(&mine->waits_for, owner);
    if (must_ask(s, owner)) poke(&s->signs[owner].asked, 1);
    sched_yield();
  }
  poke(&mine->waits_for, NOBODY);
  const bool asked = peek(&mine->asked);
  poke(&mine->asked, 0);
  return !asked || !is_anothers(word);
}

static bool more_room(seeker *s) {
  const u32 room = s->room ? 2 * s->room : 4096;
  frame *path = ls_realloc(s->path, (size_t)room * sizeof *path);
  if (path) s->path = path;
  u32 *open = path ? ls_realloc(s->open, (size_t)room * sizeof *open) : NULL;
  if (open) s->open = open;
  s->failed = !open;
  if (open) s->room = room;
  return open != NULL;
}

LS_INLINE bool claim(u32 *cell, u32 place, bool shared) {
  if (shared) return atomic_claim(cell, FREE, place);
  return poke(cell, place), true;
}

/* Searches from root. Shared: other threads search, too. False: the search was given up, and is to be
 * repeated. */
LS_INLINE bool seek(seeker *s, u32 root, bool shared) {
  const u32 *off = s->off, *to = s->to, first = s->me * s->places + 1;
  u32 *low = s->low, met = 0, depth = 0, opened = 0, child = root;
  for (;;) {
    if (child != LS_NO_VERTEX && claim(&low[child], first + met, shared)) {
      if (met >= s->room && !more_room(s)) {
        poke(&low[child], FREE);
        let_go(s, depth, opened);
        return true;
      }
      s->path[depth++] = (frame){child, first + met++, off[child], off[child + 1]};
      ask_ahead(s, off[child], off[child + 1]);
    }
    if (!depth) return true; /* another has the root */
    frame *top = &s->path[depth - 1];
    const u32 before = peek(&low[top->v]);
    u32 lowest = before, e = top->next;
    child = LS_NO_VERTEX;
    while (e < top->last) {
      const u32 *cell = &low[to[e]], there = peek(cell);
      if (there == FREE) {
        child = to[e];
        break;
      }
      if (shared && there != CLOSED && there - first >= s->places) {
        if (wait_for(s, cell)) continue;
        let_go(s, depth, opened);
        while (is_anothers(peek(cell))) sched_yield();
        return false;
      }
      if (there < lowest) lowest = there;
      e++;
    }
    top->next = e; /* an edge to a child is looked at again on return: then its lowest is known */
    if (lowest != before) poke(&low[top->v], lowest);
    if (child != LS_NO_VERTEX) continue;
    depth--;
    if (lowest == top->place)
      met -= close_component(s, top->v, lowest, &opened);
    else
      s->open[opened++] = top->v;
    if (!depth) return true;
  }
}

static void free_seeker(seeker *s) {
  ls_free(s->path);
  ls_free(s->open);
}

/* Each thread takes the roots of its own block of vertices, then what is left of the others', from the end: neighbours
 * in number are often neighbours in the graph, and who stays away from others need not wait for them. */
static void seek_by_blocks(seeker *s, u32 n) {
  for (u32 k = 0; k < s->team; k++) {
    const u32 block = (s->me + k) % s->team;
    const u32 first = (u32)((u64)n * block / s->team), last = (u32)((u64)n * (block + 1) / s->team);
    for (u32 i = first; i < last && !s->failed; i++) {
      const u32 root = k == 0 ? i : last - 1 - (i - first);
      while (peek(&s->low[root]) == FREE && !seek(s, root, true)) {}
    }
  }
}

static ls_status seek_together(const seeker *all, u32 n, u32 team) {
  sign *signs = ls_malloc(team * sizeof *signs);
  if (!signs) return LS_EMEM;
  for (u32 t = 0; t < team; t++) signs[t] = (sign){.waits_for = NOBODY};
  u32 seats = 0, failures = 0;
#pragma omp parallel num_threads(team) reduction(+ : failures)
  {
    seeker mine = *all;
    mine.signs = signs;
    mine.team = team;
    mine.me = atomic_add(&seats, 1);
    mine.places = n;
    seek_by_blocks(&mine, n);
    failures += mine.failed;
    free_seeker(&mine);
  }
  ls_free(signs);
  return failures ? ls_fail(LS_EMEM, "tarjan_rest: out of memory") : LS_OK; /* a message stays in its thread */
}

static ls_status seek_alone(const seeker *all, u32 n) {
  seeker mine = *all;
  mine.places = n;
  for (u32 root = 0; root < n && !mine.failed; root++)
    if (mine.low[root] == FREE) seek(&mine, root, false);
  free_seeker(&mine);
  return mine.failed ? LS_EMEM : LS_OK;
}

ls_status tarjan_rest_cpu(ls_launch *L) {
  u32 *mark = L->bind.ptr[2];
  const u32 n = L->n, threads = L->serial || n < SMALL ? 1 : (u32)L->threads;
  const seeker all = {
      .off = L->bind.ptr[0], .to = L->bind.ptr[1], .comp = L->bind.ptr[3], .low = L->bind.ptr[4]};
  u64 live = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : live)
  for (u32 v = 0; v < n; v++) {
    all.low[v] = mark[v] == SETTLED ? CLOSED : FREE;
    live += mark[v] != SETTLED;
  }
  /* a thread has n places, and all of them must fit into a word */
  const u32 most = n ? (CLOSED - 1) / n : 1, team = live < SMALL ? 1 : threads < most ? threads : most;
  const ls_status st = team > 1 ? seek_together(&all, n, team) : seek_alone(&all, n);
  if (st) return st;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (u32 v = 0; v < n; v++) mark[v] = SETTLED;
  L->counts[0] = live;
  return LS_OK;
}
