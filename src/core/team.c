#include "core/team.h"

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

/* The piece's number, its items and the next one are one word: a thread that comes late takes an item of the
 * present piece, or none. */
enum {
  NEXT_BITS = 20,
  ITEMS_BITS = 20,
  MOST_ITEMS = 1 << 19, /* a piece of more is one thread's: all threads count beyond the last item */
  LOOKS = 1000,
  MANY_LOOKS = 100 * LOOKS
};

static u32 next_of(u64 ticket) { return ticket & ((1u << NEXT_BITS) - 1); }
static u32 items_of(u64 ticket) { return ticket >> NEXT_BITS & ((1u << ITEMS_BITS) - 1); }

struct ls_team {
  _Alignas(128) _Atomic u64 ticket;
  _Alignas(128) _Atomic u32 done; /* items of the piece */
  _Atomic bool ended;
  _Alignas(128) void (*item)(void *, u32);
  void *arg;
  bool alone;
};

/* Does items of the piece until all are taken, and adds them to those that are done at once: a counter that
 * all threads write costs as much as a short item. Returns whether it did one. */
static bool take(ls_team *t) {
  u32 count = 0;
  u64 ticket = atomic_load_explicit(&t->ticket, memory_order_relaxed);
  while (next_of(ticket) < items_of(ticket)) {
    ticket = atomic_fetch_add_explicit(&t->ticket, 1, memory_order_acq_rel);
    if (next_of(ticket) >= items_of(ticket)) break;
    t->item(t->arg, next_of(ticket));
    count++;
    ticket = atomic_load_explicit(&t->ticket, memory_order_relaxed);
  }
  if (count) atomic_fetch_add_explicit(&t->done, count, memory_order_release);
  return count > 0;
}

/* Its core may be wanted for something else; after a tenth of a second it sleeps between its looks. */
static void look_again(u32 *looks) {
  if (++*looks > MANY_LOOKS)
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL), *looks = MANY_LOOKS;
  else if (*looks > LOOKS)
    sched_yield();
#ifdef __x86_64__
  else
    __builtin_ia32_pause();
#endif
}

void ls_team_each(ls_team *t, u32 count, void (*item)(void *, u32), void *arg) {
  if (t->alone || count < 2 || count > MOST_ITEMS) {
    for (u32 i = 0; i < count; i++) item(arg, i);
    return;
  }
  t->item = item;
  t->arg = arg;
  atomic_store_explicit(&t->done, 0, memory_order_relaxed);
  const u64 piece = (atomic_load_explicit(&t->ticket, memory_order_relaxed) >> (NEXT_BITS + ITEMS_BITS)) + 1;
  atomic_store_explicit(&t->ticket, (piece << ITEMS_BITS | count) << NEXT_BITS, memory_order_release);
  take(t);
  u32 looks = 0;
  while (atomic_load_explicit(&t->done, memory_order_acquire) < count) look_again(&looks);
}

void ls_team_run(void (*main)(ls_team *, void *), void *arg) {
  ls_team t = {.alone = omp_get_max_threads() == 1 || omp_in_parallel()};
  if (t.alone) {
    main(&t, arg);
    return;
  }
#pragma omp parallel
  if (omp_get_thread_num() == 0) {
    main(&t, arg);
    atomic_store_explicit(&t.ended, true, memory_order_release);
  } else {
    u32 looks = 0;
    while (!atomic_load_explicit(&t.ended, memory_order_acquire)) {
      if (take(&t)) looks = 0;
      look_again(&looks);
    }
  }
}
