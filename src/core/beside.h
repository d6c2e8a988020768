/* One piece of work beside the main thread: an exchange with other ranks, while kernels run. A buffer of it
 * notes its number (data/buffer.h, away). Each use of such a buffer, and every other exchange, waits for it
 * first: so one thread at a time talks to other ranks. Called on the main thread alone. */
#ifndef LS_CORE_BESIDE_H
#define LS_CORE_BESIDE_H

#include "core/error.h"
#include "core/types.h"

typedef struct ls_beside {
  ls_status (*run)(void *arg); /* by a thread of its own */
  ls_status (*ended)(void *arg,
                     ls_status st); /* by the main thread, when it waits; returns what came of it */
  void *arg;
} ls_beside;

/* Begins it. The one before is over: ls_beside_finish. Returns its number: they are counted from 1 on. */
u64 ls_beside_begin(const ls_beside *job);
/* Waits for the one that is under way, if there is one. Returns its error, unless a call has returned it
 * before. Within ls_idle it does not wait: that is an error. */
ls_status ls_beside_finish(void);
/* Waits for that one, and returns its error, even if a call has returned it before. Errors of the newest
 * alone are kept. */
ls_status ls_beside_wait(u64 number);
/* Waits for that one before one of its buffers is used. Its error is returned, and is returned again by the
 * next call. */
ls_status ls_beside_keeps(u64 number);
/* Gives up the one that is under way: it ends as by Ctrl-C. */
void ls_beside_give_up(void);

#endif
