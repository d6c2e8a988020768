#include "core/wait.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "core/show.h"
#include "core/thread.h"

static_assert(sizeof(atomic_bool) == sizeof(bool), "who looks at the flag looks at a bool");
static atomic_bool interrupted, pausing; /* lock-free: a signal handler may set them, the worker read them */
static void (*idle)(void);

void ls_interrupt(void) { atomic_store(&interrupted, true); }
bool ls_interrupted(void) { return atomic_load_explicit(&interrupted, memory_order_relaxed); }
const volatile bool *ls_interrupt_flag(void) { return (const volatile bool *)&interrupted; }
void ls_interrupt_clear(void) {
  atomic_store(&interrupted, false);
  atomic_store(&pausing, false);
}
void ls_pause(void) { atomic_store(&pausing, true); }
bool ls_pausing(void) { return ls_interrupted() || atomic_load_explicit(&pausing, memory_order_relaxed); }

void ls_idle_hook(void (*hook)(void)) { idle = hook; }
void ls_idle(void) {
  if (idle) idle();
}

double ls_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- the worker -------------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t to_worker = PTHREAD_COND_INITIALIZER, to_main = PTHREAD_COND_INITIALIZER;
static void (*job)(void *);
static void *job_arg;
static bool job_done;
static char job_message[1024]; /* messages are a thread's own; the job's is handed to who waits for it */
static bool worker_started;
static bool busy; /* the main thread waits for a job */
static _Thread_local bool am_worker;

static void *worker(void *unused) {
  (void)unused;
  am_worker = true;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!job) pthread_cond_wait(&to_worker, &lock);
    void (*work)(void *) = job;
    void *arg = job_arg;
    pthread_mutex_unlock(&lock);
    work(arg);
    pthread_mutex_lock(&lock);
    snprintf(job_message, sizeof job_message, "%s", ls_error());
    job = NULL;
    job_done = true;
    pthread_cond_signal(&to_main);
  }
  return NULL;
}

static bool start_worker(void) {
  if (worker_started) return true;
  worker_started = ls_thread_start(worker, NULL) == 0;
  return worker_started;
}

void ls_work(void (*work)(void *), void *arg, bool quick) {
  if (quick || am_worker || busy || !start_worker()) { /* busy: the idle hook wants something done */
    work(arg);
    return;
  }
  busy = true;
  pthread_mutex_lock(&lock);
  job = work;
  job_arg = arg;
  job_done = false;
  pthread_cond_signal(&to_worker);
  while (!job_done) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 40 * 1000 * 1000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    if (pthread_cond_clockwait(&to_main, &lock, CLOCK_MONOTONIC, &until) == ETIMEDOUT) {
      pthread_mutex_unlock(&lock);
      ls_idle();
      pthread_mutex_lock(&lock);
    }
  }
  pthread_mutex_unlock(&lock);
  busy = false;
  ls_fail(LS_OK, "%s", job_message);
}

/* --- progress ---------------------------------------------------------------------------------------- */

static pthread_mutex_t progress_lock = PTHREAD_MUTEX_INITIALIZER;
static double progress_began, progress_shown;
static bool progress_on = true, progress_line;

void ls_progress_enable(bool on) {
  pthread_mutex_lock(&progress_lock);
  progress_on = on;
  pthread_mutex_unlock(&progress_lock);
}

void ls_progress(const char *what, u64 done, u64 total) {
  if (pthread_mutex_trylock(&progress_lock) != 0) return;
  double now = ls_now();
  if (progress_began == 0) progress_began = now, progress_shown = now + 0.5;
  if (progress_on && now - progress_shown >= 0.5) {
    progress_shown = now;
    progress_line = true;
    char name[256];
    what = ls_shown(what, 0, name, sizeof name);
    if (total)
      fprintf(stderr, "\r%s: %3.0f %%  %.1f s\033[K", what, 100.0 * (double)done / (double)total,
              now - progress_began);
    else
      fprintf(stderr, "\r%s: %llu  %.1f s\033[K", what, (unsigned long long)done, now - progress_began);
    fflush(stderr);
  }
  pthread_mutex_unlock(&progress_lock);
}

void ls_progress_end(void) {
  pthread_mutex_lock(&progress_lock);
  if (progress_line) fprintf(stderr, "\r\033[K"), fflush(stderr);
  progress_line = false;
  progress_began = 0;
  pthread_mutex_unlock(&progress_lock);
}
