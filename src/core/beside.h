/* One piece of work beside the main thread: an exchange with other ranks, while kernels run. Buffers that it
 * has know it (data/buffer.h, away), and who wants one of them, or to exchange something else, waits for it
 * first. So one thread at a time talks to other ranks. Called on the main thread alone. */
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

/* Begins it, after it has waited for the one before, whose error it returns. *number counts them, from 1
 * on. */
ls_status ls_beside_begin(const ls_beside *job, u64 *number);
/* Waits for what is under way, if there is something. Returns what came of it, once: if it was waited for,
 * and nobody was told. From ls_idle nobody waits: that is an error. */
ls_status ls_beside_finish(void);
/* Waits for that one, and returns what came of it, whoever was told before. Only the newest has errors. */
ls_status ls_beside_wait(u64 number);
/* Waits for that one, for who wants what it has. An error stays to be told. */
ls_status ls_beside_keeps(u64 number);
/* What is under way is given up: it ends as by Ctrl-C. */
void ls_beside_give_up(void);

#endif
