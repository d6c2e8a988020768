/* A parallel graph search without layers, for kernels that run only on CPUs: the thread that reaches a vertex first continues from it,
 * and there are no barriers. If only the set of reached vertices matters, a deep graph then takes no longer than a shallow
 * one. Threads balance the load through a pool: each has its own stack, moves a part of it to the pool when other threads
 * are idle, and refills an empty stack from the pool. */
#ifndef SEARCH_CPU_H
#define SEARCH_CPU_H

#include <sched.h>
#include <string.h>

#include "driver/cpu.h"

/* Vertices that any thread may take. A vertex is in the pool at most once, so room for n is enough. */
typedef struct pool {
  u32 *items;
  u32 waiting; /* the number of items */
  u32 threads, idle;
  u8 locked;
  ls_wakeup filled; /* wakes waiting threads when items are added and when the search is complete */
} pool;

enum {
  STACK_ROOM = 2048,
  REFILL_MOST = 512, /* vertices that a thread takes from the pool at once */
  SHARE_LEAST = 16,  /* a stack of fewer vertices is not shared */
  PREFETCH_RING = 16,
  PREFETCH_EDGES = 16
};

/* A thread of a search. The vertices that it has found but not visited are on a stack, so that the search goes depth first
 * and stays in nearby memory. A vertex from the stack passes through a ring before it is visited; while it is in the ring,
 * its row and the cells of its successors are prefetched. */
typedef struct searcher {
  pool *p;
  u32 depth;      /* number of vertices on the stack */
  u32 head, tail; /* the ring holds vertices [head, tail); indices are modulo PREFETCH_RING */
  u32 stack[STACK_ROOM], ring[PREFETCH_RING];
} searcher;

static inline void pool_lock(pool *p) {
  for (u32 looks = 0; __atomic_exchange_n(&p->locked, 1, __ATOMIC_ACQUIRE); looks++)
    if (looks > LS_WAKEUP_POLLS) sched_yield(); /* the owner of the lock has probably been descheduled */
    else ls_wakeup_poll();
}

static inline void pool_unlock(pool *p) { __atomic_store_n(&p->locked, 0, __ATOMIC_RELEASE); }

/* Moves the oldest `count` vertices from the stack to the pool, because they probably lead to the most other vertices. */
static inline void share(searcher *f, u32 count) {
  pool *p = f->p;
  pool_lock(p);
  const u32 waiting = load_relaxed(&p->waiting);
  memcpy(p->items + waiting, f->stack, count * sizeof *f->stack);
  store_relaxed(&p->waiting, waiting + count);
  pool_unlock(p);
  ls_wakeup_wake(&p->filled);
  memmove(f->stack, f->stack + count, (f->depth - count) * sizeof *f->stack);
  f->depth -= count;
}

/* Moves up to REFILL_MOST vertices from the pool to an empty stack; none if other threads have taken all of them. */
static inline void take(searcher *f) {
  pool *p = f->p;
  pool_lock(p);
  const u32 waiting = load_relaxed(&p->waiting), part = (waiting + p->threads - 1) / p->threads;
  f->depth = part < REFILL_MOST ? part : REFILL_MOST;
  memcpy(f->stack, p->items + waiting - f->depth, f->depth * sizeof *f->stack);
  store_relaxed(&p->waiting, waiting - f->depth);
  pool_unlock(p);
}

/* Refills an empty stack from the pool; waits while the pool is empty. false: the search is complete, because all threads
 * are idle and the pool is empty. */
static inline bool refill(searcher *f) {
  pool *p = f->p;
  if (load_relaxed(&p->waiting)) take(f);
  if (f->depth) return true;
  atomic_add(&p->idle, 1);
  for (u32 looks = 0;; looks++) {
    const u32 heard = ls_wakeup_count(&p->filled);
    const bool all_idle = load_relaxed(&p->idle) == p->threads;
    if (load_relaxed(&p->waiting)) {
      atomic_add(&p->idle, -1u);
      take(f);
      if (f->depth) return true;
      atomic_add(&p->idle, 1);
    } else if (all_idle) {
      ls_wakeup_wake(&p->filled);
      return false;
    }
    if (looks > LS_WAKEUP_POLLS) ls_wakeup_sleep(&p->filled, heard);
    else ls_wakeup_poll();
  }
}

/* Is the vertex that is being visited the only one that this thread has? */
LS_INLINE bool is_last(const searcher *f) { return f->head == f->tail && !f->depth; }

/* Adds a vertex that has been found. */
LS_INLINE void search_add(searcher *f, u32 v) {
  if (f->depth == STACK_ROOM) share(f, STACK_ROOM / 2);
  f->stack[f->depth++] = v;
}

LS_INLINE void prefetch_cells(const u32 *off, const u32 *to, const u32 *cells, u32 v) {
  const u32 first = off[v], degree = off[v + 1] - first;
  for (const u32 *t = to + first, *end = t + (degree < PREFETCH_EDGES ? degree : PREFETCH_EDGES); t != end; t++) PREFETCH(&cells[*t]);
}

/* Calls visit(with, f, v) for every vertex v in the pool and for every vertex that visit() adds by search_add(),
 * until none is left. Every thread of the OpenMP team calls search(). The row of v in `off` and `to`, and the cells
 * of v's successors, are prefetched, because visit() is expected to read them. */
LS_INLINE void search(searcher *f, pool *p, const u32 *off, const u32 *to, const u32 *cells,
                      void (*visit)(void *with, searcher *f, u32 v), void *with) {
  f->p = p;
  f->depth = f->head = f->tail = 0;
  for (;;) {
    while (f->depth && f->tail - f->head < PREFETCH_RING) {
      const u32 v = f->stack[--f->depth], at = f->tail++;
      f->ring[at % PREFETCH_RING] = v;
      PREFETCH(&off[v]);
      if (at >= f->head + 5) PREFETCH(&to[off[f->ring[(at - 5) % PREFETCH_RING]]]);
      if (at >= f->head + 10) prefetch_cells(off, to, cells, f->ring[(at - 10) % PREFETCH_RING]);
    }
    if (f->head == f->tail) {
      if (!refill(f)) return;
      continue;
    }
    visit(with, f, f->ring[f->head++ % PREFETCH_RING]);
    if (f->depth >= SHARE_LEAST && load_relaxed(&f->p->idle) && !load_relaxed(&f->p->waiting)) share(f, f->depth / 2);
  }
}

#endif
