#include "core/thread_pool.h"

#include <omp.h>
#include <stdatomic.h>

#include "core/wakeup.h"
#include "core/mem.h"

/* A piece of work is one call of ls_thread_pool_each. Its items are dealt out: of n threads, thread k has the
 * items k, k + n, k + 2n ... as its share, and counts them in a word that usually no other thread writes: a
 * shared counter would cost more than a short item. A thread that has finished its share takes items from the
 * shares of others, because their threads may be delayed. If no share has more than one item, a worker first
 * polls for the next piece for a while; main does not.
 *
 * A counter word holds the piece's number and a count. A delayed thread finds a newer number, and takes
 * nothing. */
enum {
  COUNT_BITS = 20,
  MOST_ITEMS = 1 << 19, /* a piece with more items is run by main only */
  PATIENCE = 100        /* polls for the next piece before a worker helps others */
};

static u64 word(u64 piece, u32 count) { return piece << COUNT_BITS | count; }
static u64 piece_of(u64 word) { return word >> COUNT_BITS; }
static u32 count_of(u64 word) { return word & ((1u << COUNT_BITS) - 1); }

typedef struct member {
  _Alignas(64) _Atomic u64 taken; /* items of its share that were taken, by any thread */
  _Alignas(64) _Atomic u64 done;  /* items that it has done, of any share */
} member;

struct ls_thread_pool {
  _Alignas(128) _Atomic u64 items; /* number of the current piece, and how many items it has */
  _Atomic bool ended;
  _Alignas(128) ls_wakeup begun; /* wakes the workers for each piece, and when the pool ends */
  _Alignas(128) ls_wakeup told;  /* wakes main when a worker has done items */
  _Alignas(128) void (*item)(void *, u32);
  void *arg;
  u32 threads;
  member *members;
};

/* Takes the next item of a share, if any. */
static bool take(ls_thread_pool *t, u64 items, u32 share, u32 *item) {
  _Atomic u64 *taken = &t->members[share].taken;
  u64 now = atomic_load_explicit(taken, memory_order_relaxed);
  for (;;) {
    if (piece_of(now) > piece_of(items)) return false;
    const u32 before = piece_of(now) == piece_of(items) ? count_of(now) : 0;
    *item = share + before * t->threads;
    if (*item >= count_of(items)) return false;
    if (atomic_compare_exchange_weak_explicit(taken, &now, word(piece_of(items), before + 1),
                                              memory_order_acq_rel, memory_order_relaxed))
      return true;
  }
}

static u32 do_share(ls_thread_pool *t, u64 items, u32 share) {
  u32 count = 0, item;
  for (; take(t, items, share, &item); count++) t->item(t->arg, item);
  return count;
}

/* Publishes that thread `me` has done `count` items of the piece. No wake-up is lost, because main announces
 * that it will sleep before it checks for the last time. */
static void tell(ls_thread_pool *t, u64 items, u32 me, u32 count) {
  if (!count) return;
  atomic_store(&t->members[me].done, word(piece_of(items), count));
  if (me && __atomic_load_n(&t->told.sleepers, __ATOMIC_SEQ_CST)) ls_wakeup_wake(&t->told);
}

/* Does what is left of the others' shares; thread `me` has done `count` items before. */
static void help(ls_thread_pool *t, u64 items, u32 me, u32 count) {
  for (u32 k = me + 1; k < me + t->threads; k++) count += do_share(t, items, k % t->threads);
  tell(t, items, me, count);
}

static bool finished(ls_thread_pool *t, u64 items) {
  u32 count = 0;
  for (u32 k = 0; k < t->threads; k++) {
    const u64 done = atomic_load_explicit(&t->members[k].done, memory_order_acquire);
    if (piece_of(done) == piece_of(items)) count += count_of(done);
  }
  return count == count_of(items);
}

/* Main waits until others have done what they took. */
static void wait_until_finished(ls_thread_pool *t, u64 items) {
  for (u32 looks = 0; looks < LS_WAKEUP_POLLS; looks++) {
    if (finished(t, items)) return;
    ls_wakeup_poll();
  }
  __atomic_add_fetch(&t->told.sleepers, 1, __ATOMIC_SEQ_CST);
  for (;;) {
    const u32 heard = ls_wakeup_count(&t->told);
    if (finished(t, items)) break;
    ls_wakeup_sleep(&t->told, heard);
  }
  __atomic_sub_fetch(&t->told.sleepers, 1, __ATOMIC_RELAXED);
}

void ls_thread_pool_each(ls_thread_pool *t, u32 count, void (*item)(void *, u32), void *arg) {
  if (t->threads == 1 || count < 2 || count > MOST_ITEMS) {
    for (u32 i = 0; i < count; i++) item(arg, i);
    return;
  }
  t->item = item;
  t->arg = arg;
  const u64 items = word(piece_of(atomic_load_explicit(&t->items, memory_order_relaxed)) + 1, count);
  atomic_store_explicit(&t->items, items, memory_order_release);
  ls_wakeup_wake(&t->begun);
  help(t, items, 0, do_share(t, items, 0));
  wait_until_finished(t, items);
}

static void wait_and_work(ls_thread_pool *t, u32 me) {
  u64 seen = 0; /* the last piece seen; this thread has done `count` of its items */
  u32 looks = 0, count = 0;
  for (;;) {
    const u32 heard = ls_wakeup_count(&t->begun);
    if (atomic_load_explicit(&t->ended, memory_order_acquire)) return;
    const u64 items = atomic_load_explicit(&t->items, memory_order_acquire);
    if (items != seen) {
      seen = items;
      looks = 0;
      count = do_share(t, items, me);
      tell(t, items, me, count);
    }
    if (looks == (count_of(items) > t->threads ? 0 : PATIENCE)) help(t, items, me, count);
    if (++looks > LS_WAKEUP_POLLS)
      ls_wakeup_sleep(&t->begun, heard);
    else
      ls_wakeup_poll();
  }
}

ls_status ls_thread_pool_run(void (*main)(ls_thread_pool *, void *), void *arg) {
  ls_thread_pool t = {.threads = omp_in_parallel() ? 1 : (u32)omp_get_max_threads()};
  if (t.threads == 1) {
    main(&t, arg);
    return LS_OK;
  }
  t.members = ls_calloc(t.threads, sizeof *t.members);
  if (!t.members) return LS_EMEM;
#pragma omp parallel
  if (omp_get_thread_num() == 0) {
    main(&t, arg);
    atomic_store_explicit(&t.ended, true, memory_order_release);
    ls_wakeup_wake(&t.begun);
  } else {
    wait_and_work(&t, (u32)omp_get_thread_num());
  }
  ls_free(t.members);
  return LS_OK;
}
