/* Variables that a kernel compiled at run time shares with the program: its loops poll whether to continue, so that every
 * kernel can be stopped; and the checked variants (language/checked.h, races.h) record the first violation here.
 *
 * Included before the source text of a user, in which `while` and `for` are macros that poll (src/compile/unit.c). */
#ifndef WATCH_H
#define WATCH_H

#include "core/types.h"

enum { LS_WATCH_FILE = 64, LS_WATCH_ARGS = 64 };

/* Shadow memory of the race-checked variant (language/races.h), one ls_mark per element of an array that the row writes. */
typedef struct ls_access {
  u64 who; /* thread, as ls_me() returns it; 0: none yet */
  u32 line : 31, changed : 1;
  u32 value; /* plain write: the value, hashed to 32 bits */
} ls_access;
typedef struct ls_mark {
  ls_access writer, changer;      /* last plain write; last change by an atomic */
  ls_access reader[2], loader[2]; /* plain reads; atomic accesses. [0]: by the first thread, [1]: last one by another thread */
} ls_mark;
typedef enum ls_race { /* LS_A_B: this thread does A to an element to which another did B */
  LS_NO_RACE,
  LS_READS_WRITTEN,
  LS_READS_CHANGED,
  LS_READS_UNWRITTEN,
  LS_WRITES_WRITTEN,
  LS_WRITES_CHANGED,
  LS_WRITES_READ,
  LS_WRITES_LOADED,
  LS_LOADS_WRITTEN,
  LS_CHANGES_WRITTEN,
  LS_CHANGES_READ
} ls_race;

typedef struct ls_watch {
  u32 stop;                 /* CUDA: set by the host to end the launch */
  u32 violated;             /* 0: no violation so far; 1: one is being recorded; 2: it is recorded */
  u32 arg;                  /* the violation: index of the row's argument */
  u32 line;                 /* source line */
  i64 index;
  u64 extent;               /* in elements */
  u64 thread, edge;         /* the thread's index in the domain; its edge (~0: none) */
  char file[LS_WATCH_FILE];
  u32 race;                     /* an ls_race; LS_NO_RACE: index outside of the array */
  ls_access other;              /* the other thread's access */
  u64 unwritten;                /* bit k: argument k is OUT; reading an element before it is written is an error */
  ls_mark *marks[LS_WATCH_ARGS]; /* shadow memory of an argument; NULL: not checked for races */
  void *base[LS_WATCH_ARGS];     /* address of an argument's first element */
  const volatile bool *look; /* CPU: set after Ctrl-C or after a signal has ended a thread; then ended() is called */
  bool (*ended)(void);       /* CPU: should the launch end? */
} ls_watch;

#ifdef LS_UNIT /* only for kernels compiled at run time */
#ifdef __CUDACC__
/* `stop` is in the device's memory: polling it in every iteration would be slow, so it is read only in 1 of 32 intervals of the clock. */
extern "C" {
extern __device__ ls_watch ls_unit_watch;
__device__ ls_watch ls_unit_watch;
}
static __device__ __forceinline__ bool ls_goes_on() {
  u32 now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
#ifdef LS_CHECKED
  if (*(volatile u32 *)&ls_unit_watch.violated) return false;
#endif
  return (now & 0x3fff) > 0x1ff || *(volatile u32 *)&ls_unit_watch.stop == 0;
}
#else
#ifdef __cplusplus
extern "C" {
#endif
extern ls_watch ls_unit_watch;
ls_watch ls_unit_watch;
#ifdef __cplusplus
}
#endif
static inline __attribute__((always_inline, unused)) bool ls_goes_on(void) {
#ifdef LS_CHECKED
  if (*(volatile u32 *)&ls_unit_watch.violated) return false;
#endif
  return __builtin_expect(!*ls_unit_watch.look, 1) || !ls_unit_watch.ended();
}
#endif

#endif

#endif
