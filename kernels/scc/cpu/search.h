/* Searches that need no layers, by a team of threads: whoever reaches a vertex first goes on from it. Where
 * only the set that is reached matters, a deep graph then costs no more than a shallow one. For CPU_LIBRARY
 * rows. */
#ifndef SEARCH_CPU_H
#define SEARCH_CPU_H

#include <sched.h>
#include <string.h>

#include "driver/cpu.h"

/* What waits for any thread. A vertex waits once at most, so room for n is enough. */
typedef struct pool {
  u32 *items;
  u32 waiting;
  u32 threads, idle;
  u8 locked;
} pool;

enum { OWN = 2048, AT_ONCE = 512, WORTH_SHARING = 16, IN_FLIGHT = 16, ROW_AHEAD = 16 };

/* What a thread has found and not yet looked at: a stack of its own, so that it goes deep and stays near.
 * Before a vertex is looked at it passes a short queue, in which its memory is asked for ahead. */
typedef struct finder {
  pool *p;
  u32 depth, head, tail;
  u32 stack[OWN], flight[IN_FLIGHT];
} finder;

static inline void pool_lock(pool *p) {
  while (__atomic_exchange_n(&p->locked, 1, __ATOMIC_ACQUIRE)) sched_yield();
}

static inline void pool_unlock(pool *p) { __atomic_store_n(&p->locked, 0, __ATOMIC_RELEASE); }

/* The oldest go: from them most is reached. */
static inline void give(finder *f, u32 count) {
  pool *p = f->p;
  pool_lock(p);
  const u32 waiting = load_relaxed(&p->waiting);
  memcpy(p->items + waiting, f->stack, count * sizeof *f->stack);
  store_relaxed(&p->waiting, waiting + count);
  pool_unlock(p);
  memmove(f->stack, f->stack + count, (f->depth - count) * sizeof *f->stack);
  f->depth -= count;
}

static inline void take_some(finder *f) {
  pool *p = f->p;
  pool_lock(p);
  const u32 waiting = load_relaxed(&p->waiting), share = (waiting + p->threads - 1) / p->threads;
  f->depth = share < AT_ONCE ? share : AT_ONCE;
  memcpy(f->stack, p->items + waiting - f->depth, f->depth * sizeof *f->stack);
  store_relaxed(&p->waiting, waiting - f->depth);
  pool_unlock(p);
}

/* Fills an empty stack. False: nobody has anything left. */
static inline bool take(finder *f) {
  pool *p = f->p;
  if (load_relaxed(&p->waiting)) take_some(f);
  if (f->depth) return true;
  atomic_add(&p->idle, 1);
  for (;;) {
    const bool all_idle = load_relaxed(&p->idle) == p->threads;
    if (load_relaxed(&p->waiting)) {
      atomic_add(&p->idle, -1u);
      take_some(f);
      if (f->depth) return true;
      atomic_add(&p->idle, 1);
    } else if (all_idle) {
      return false;
    }
    sched_yield();
  }
}

/* Is what is being visited all that this thread has? */
LS_INLINE bool is_alone(const finder *f) { return f->head == f->tail && !f->depth; }

LS_INLINE void found(finder *f, u32 v) {
  if (f->depth == OWN) give(f, OWN / 2);
  f->stack[f->depth++] = v;
}

LS_INLINE void ask_for_cells(const u32 *off, const u32 *to, const u32 *cells, u32 v) {
  const u32 first = off[v], degree = off[v + 1] - first;
  for (const u32 *t = to + first, *end = t + (degree < ROW_AHEAD ? degree : ROW_AHEAD); t != end; t++) PREFETCH(&cells[*t]);
}

/* Looks at all that waits in the pool and at what is found thereby, until nothing is left; every thread of
 * the team calls it. visit(with, f, v) may call found(). It reads v's row of off and to, and the cells of the
 * vertices there. */
LS_INLINE void search(finder *f, pool *p, const u32 *off, const u32 *to, const u32 *cells,
                      void (*visit)(void *with, finder *f, u32 v), void *with) {
  f->p = p;
  f->depth = f->head = f->tail = 0;
  for (;;) {
    while (f->depth && f->tail - f->head < IN_FLIGHT) {
      const u32 v = f->stack[--f->depth], at = f->tail++;
      f->flight[at % IN_FLIGHT] = v;
      PREFETCH(&off[v]);
      if (at >= f->head + 5) PREFETCH(&to[off[f->flight[(at - 5) % IN_FLIGHT]]]);
      if (at >= f->head + 10) ask_for_cells(off, to, cells, f->flight[(at - 10) % IN_FLIGHT]);
    }
    if (f->head == f->tail) {
      if (!take(f)) return;
      continue;
    }
    visit(with, f, f->flight[f->head++ % IN_FLIGHT]);
    if (f->depth >= WORTH_SHARING && load_relaxed(&f->p->idle) && !load_relaxed(&f->p->waiting)) give(f, f->depth / 2);
  }
}

#endif
