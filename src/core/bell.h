/* Wake-up between threads. A waiter polls for a few microseconds, then sleeps on a futex until the bell
 * rings, because other programs may need its core. Uses no symbol of the program, so that kernels that are
 * compiled at run time can include it.
 *
 *   waiter:  loop {
 *              seen = ls_bell_heard(b);
 *              if (condition) leave;
 *              if (++looks > LS_BELL_LOOKS) ls_bell_sleep(b, seen); else ls_bell_look();
 *            }
 *   waker:   make the condition true; ls_bell_ring(b)
 *
 * A sleep ends after 20 ms at the latest, so that the waiter can check for an interrupt. */
#ifndef LS_CORE_BELL_H
#define LS_CORE_BELL_H

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

typedef struct ls_bell {
  u32 rings, sleepers;
} ls_bell;

enum { LS_BELL_LOOKS = 1000 };

#define LS_BELL_INLINE static inline __attribute__((always_inline, unused))

LS_BELL_INLINE u32 ls_bell_heard(const ls_bell *b) { return __atomic_load_n(&b->rings, __ATOMIC_SEQ_CST); }

LS_BELL_INLINE void ls_bell_look(void) {
#ifdef __x86_64__
  __builtin_ia32_pause();
#endif
}

/* Sleeps until the next ring, at most 20 ms; returns at once if the bell has rung since `seen` was read. */
static inline __attribute__((unused)) void ls_bell_sleep(ls_bell *b, u32 seen) {
  const struct timespec most = {0, 20 * 1000 * 1000};
  __atomic_add_fetch(&b->sleepers, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &b->rings, FUTEX_WAIT_PRIVATE, seen, &most, (void *)0, 0);
  __atomic_sub_fetch(&b->sleepers, 1, __ATOMIC_RELAXED);
}

LS_BELL_INLINE void ls_bell_ring(ls_bell *b) {
  __atomic_add_fetch(&b->rings, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&b->sleepers, __ATOMIC_SEQ_CST))
    syscall(SYS_futex, &b->rings, FUTEX_WAKE_PRIVATE, 0x7fffffff, (void *)0, (void *)0, 0);
}

#endif
