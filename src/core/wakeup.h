/* Wake-up between threads. A waiter polls for a few microseconds, then sleeps on a futex until it
 * is woken, because other programs may need its core. Uses no symbol of the program, so that kernels that are
 * compiled at run time can include it.
 *
 *   waiter:  loop {
 *              seen = ls_wakeup_count(b);
 *              if (condition) leave;
 *              if (++polls > LS_WAKEUP_POLLS) ls_wakeup_sleep(b, seen); else ls_wakeup_poll();
 *            }
 *   waker:   make the condition true; ls_wakeup_wake(b)
 *
 * A sleep ends after 20 ms at the latest, so that the waiter can check for an interrupt. */
#ifndef LS_CORE_WAKEUP_H
#define LS_CORE_WAKEUP_H

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

#include "core/types.h"

/* Declared here because unistd.h has names that a kernel may use for its own functions: link, pause,
 * access. */
#ifdef __cplusplus
extern "C"
#endif
    long
    syscall(long number, ...) __THROW;

typedef struct ls_wakeup {
  u32 wakes, sleepers;
} ls_wakeup;

enum { LS_WAKEUP_POLLS = 1000 };

#define LS_WAKEUP_INLINE static inline __attribute__((always_inline, unused))

LS_WAKEUP_INLINE u32 ls_wakeup_count(const ls_wakeup *b) {
  return __atomic_load_n(&b->wakes, __ATOMIC_SEQ_CST);
}

LS_WAKEUP_INLINE void ls_wakeup_poll(void) {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

/* Sleeps until the next wake-up, at most 20 ms; returns at once if there was one since `seen` was read. */
static inline __attribute__((unused)) void ls_wakeup_sleep(ls_wakeup *b, u32 seen) {
  const struct timespec most = {0, 20 * 1000 * 1000};
  __atomic_add_fetch(&b->sleepers, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &b->wakes, FUTEX_WAIT_PRIVATE, seen, &most, (void *)0, 0);
  __atomic_sub_fetch(&b->sleepers, 1, __ATOMIC_RELAXED);
}

LS_WAKEUP_INLINE void ls_wakeup_wake(ls_wakeup *b) {
  __atomic_add_fetch(&b->wakes, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&b->sleepers, __ATOMIC_SEQ_CST))
    syscall(SYS_futex, &b->wakes, FUTEX_WAKE_PRIVATE, 0x7fffffff, (void *)0, (void *)0, 0);
}

#endif
