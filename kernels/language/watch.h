/* What a text that is compiled while the program runs shares with the program: its loops ask whether they are to go on,
 * so that no kernel runs for ever; and in the checked form (language/checked.h) the first access outside of an array is
 * noted here.
 *
 * This is read before a text that a user has written; the two macros are taken back before the driver's text. */
#ifndef WATCH_H
#define WATCH_H

#include "core/types.h"

enum { LS_WATCH_FILE = 64, LS_WATCH_ARGS = 64 };

/* What the form that notices races (language/races.h) keeps of each element of an array that the row writes. */
typedef struct ls_access {
  u64 who; /* 0: nobody yet */
  u32 line : 31, changed : 1;
  u32 value; /* of a write without an atomic: what was written, mixed into 32 bits */
} ls_access;
typedef struct ls_mark {
  ls_access writer, changer;      /* without an atomic, and by one */
  ls_access reader[2], loader[2]; /* likewise */
} ls_mark;
typedef enum ls_race { /* what a thread does | what another did to the element */
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
  u32 stop;                 /* CUDA: the host wants the launch to end */
  u32 violated;             /* was an array left? 1: it is being noted; 2: it is */
  u32 arg;                  /* the row's argument, */
  u32 line;                 /* the place in the text, */
  i64 index;
  u64 extent;               /* elements */
  u64 thread, edge;         /* and who did it: the domain's index; its edge */
  char file[LS_WATCH_FILE];
  u32 race;                     /* an ls_race, */
  ls_access other;              /* with whom */
  u64 unwritten;                /* arguments of which nothing may be read before it is written: a bit each */
  ls_mark *marks[LS_WATCH_ARGS]; /* of an argument's elements; NULL: it is not looked at */
  void *base[LS_WATCH_ARGS];     /* where they begin */
  const volatile bool *look; /* CPU: has Ctrl-C come, or a thread been ended by a signal? */
  bool (*ended)(void);       /* CPU: then, is it time to end? */
} ls_watch;

#ifdef LS_UNIT /* what follows is for a text that is compiled while the program runs */
#ifdef __CUDACC__
/* A word in the device's memory, asked now and then: a look at it at every turn would be slow. */
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
