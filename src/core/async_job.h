/* One job that runs in parallel with the main thread: an exchange with other ranks while kernels run. Each
 * buffer of the exchange stores the job's number (`away` in data/buffer.h). Each use of such a buffer, and
 * every other exchange, first waits for the job, so that only one thread at a time talks to other ranks.
 * These functions are called only on the main thread. */
#ifndef LS_CORE_ASYNC_JOB_H
#define LS_CORE_ASYNC_JOB_H

#include "core/error.h"
#include "core/types.h"

typedef struct ls_async_job {
  ls_status (*run)(void *arg); /* called on a separate thread */
  /* Called on the main thread after `run`, while that thread waits for the job. `st` is what `run` returned.
   * Returns the job's final status. */
  ls_status (*ended)(void *arg, ls_status st);
  void *arg;
} ls_async_job;

/* Begins a job. The caller must call ls_async_job_finish first. Returns the job's number, counted from 1. */
u64 ls_async_job_begin(const ls_async_job *job);
/* Waits for the job in progress, if any. Returns its error unless a call has already returned it. Inside
 * ls_idle it does not wait but returns LS_EARG. */
ls_status ls_async_job_finish(void);
/* Waits for job `number` and returns its error even if a call has already returned it. Only the newest job's
 * error is kept. */
ls_status ls_async_job_wait(u64 number);
/* Waits for job `number` before one of its buffers is used. Returns its error, which the next call of
 * ls_async_job_finish returns, too. */
ls_status ls_async_job_keeps(u64 number);
/* Cancels the job in progress: it ends as by Ctrl-C. */
void ls_async_job_give_up(void);

#endif
