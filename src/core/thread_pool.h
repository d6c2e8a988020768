/* A thread pool for many short parallel loops, one after the other. A parallel region of OpenMP costs several
 * microseconds, and waits for each of its threads even if another program occupies that thread's core. Here
 * the threads poll for the next loop, and a loop ends when its items are done, by whichever threads. */
#ifndef LS_CORE_THREAD_POOL_H
#define LS_CORE_THREAD_POOL_H

#include "core/error.h"
#include "core/types.h"

typedef struct ls_thread_pool ls_thread_pool;

/* Runs main(pool, arg) on this thread, with omp_get_max_threads() - 1 workers waiting for items. OpenMP
 * regions that `main` or an item begins have only one thread. LS_EMEM: `main` has not run. */
ls_status ls_thread_pool_run(void (*main)(ls_thread_pool *, void *), void *arg);

/* Runs item(arg, i) once for each i below count, in any order and on any thread, and returns when all are
 * done. Items see what was written before the call; the caller sees what they wrote. Only `main` may call
 * it. */
void ls_thread_pool_each(ls_thread_pool *t, u32 count, void (*item)(void *, u32), void *arg);

#endif
