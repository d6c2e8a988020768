#include "core/async_job.h"

#include <stdbool.h>
#include <stdio.h>

#include "core/wait.h"

static ls_async_job job;
static u64 begun;      /* number of jobs begun so far; also the number of the newest job, stored in `job` */
static bool under_way; /* the newest job has not been waited for yet */
static bool by_thread; /* a thread runs it; false: no thread could be started, so ls_async_job_begin ran it */
static bool untold;    /* no call has returned the newest job's outcome yet */
static ls_status outcome; /* the newest job's status; final once the job has been waited for */
static char message[1024];

static void run(void *unused) {
  (void)unused;
  outcome = job.run(job.arg);
}

static void end(bool give_up) {
  if (by_thread) ls_work_end(give_up);
  under_way = false;
  outcome = job.ended(job.arg, outcome);
  snprintf(message, sizeof message, "%s", ls_error());
  untold = !give_up;
}

static ls_status tell(void) {
  untold = false;
  return outcome ? ls_fail(outcome, "%s", message) : LS_OK;
}

u64 ls_async_job_begin(const ls_async_job *next) {
  job = *next;
  by_thread = ls_work_begin(run, NULL);
  if (!by_thread) run(NULL);
  under_way = true;
  return ++begun;
}

ls_status ls_async_job_finish(void) {
  if (under_way && ls_idling())
    return ls_fail(LS_EARG, "the buffer is in use by an exchange that overlaps with kernels");
  if (under_way) end(false);
  return untold ? tell() : LS_OK;
}

ls_status ls_async_job_keeps(u64 number) {
  if (number != begun || (!under_way && !untold)) return LS_OK;
  const ls_status st = ls_async_job_finish();
  untold = st != LS_OK && !under_way;
  return st;
}

ls_status ls_async_job_wait(u64 number) {
  const ls_status st = ls_async_job_finish();
  return st || number != begun ? st : tell();
}

void ls_async_job_give_up(void) {
  if (under_way) end(true);
}
