#include "core/wait.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "core/escape.h"
#include "core/thread.h"

static_assert(sizeof(atomic_bool) == sizeof(bool), "who looks at the flag looks at a bool");
static atomic_bool interrupted, pausing; /* lock-free: a signal handler may set them, the worker read them */
static atomic_bool asked_to_look;        /* interrupted, or ls_ask_to_look */
static void (*idle)(void);
static const char *waited_for; /* shown as progress by ls_idle; NULL: nothing */

/* A thread that works while the main one serves ls_idle. */
typedef struct worker {
  pthread_cond_t to_worker, to_main;
  void (*job)(void *);
  void *arg;
  bool done;
  char message[1024]; /* messages are per thread; the job's is passed on to the thread that waits for it */
  bool started;
  atomic_bool given_up; /* the worker's job is asked to stop */
} worker;
static worker main_worker = {.to_worker = PTHREAD_COND_INITIALIZER, .to_main = PTHREAD_COND_INITIALIZER};
static worker second = {.to_worker = PTHREAD_COND_INITIALIZER, .to_main = PTHREAD_COND_INITIALIZER};
static _Thread_local worker *own; /* the worker that this thread is; NULL: not a worker */
static bool idling;

void ls_interrupt(void) {
  atomic_store(&interrupted, true);
  atomic_store(&asked_to_look, true);
}
void ls_ask_to_look(bool on) {
  atomic_store(&asked_to_look, on);
  if (atomic_load(&interrupted)) atomic_store(&asked_to_look, true); /* a signal arrived in between */
}
bool ls_interrupted(void) {
  return atomic_load_explicit(&interrupted, memory_order_relaxed) ||
         (own && atomic_load_explicit(&own->given_up, memory_order_relaxed));
}
const volatile bool *ls_look_flag(void) { return (const volatile bool *)&asked_to_look; }
void ls_interrupt_clear(void) {
  atomic_store(&interrupted, false);
  atomic_store(&asked_to_look, false);
  atomic_store(&pausing, false);
}
void ls_pause(void) { atomic_store(&pausing, true); }
bool ls_pausing(void) { return ls_interrupted() || atomic_load_explicit(&pausing, memory_order_relaxed); }

void ls_idle_hook(void (*hook)(void)) { idle = hook; }

static void begin_progress(void);

void ls_waits_for(const char *what) {
  if (own) return;
  if (waited_for) ls_progress_end();
  waited_for = what;
  if (what) begin_progress();
}
void ls_idle(void) {
  if (own) return;
  if (waited_for) ls_progress(waited_for, 0, 0);
  if (!idle) return;
  const bool within = idling;
  idling = true;
  idle();
  idling = within;
}
bool ls_idling(void) { return idling && !own; }
bool ls_on_worker(void) { return own != NULL; }

double ls_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- workers ------------------------------------------------------------------------------------------ */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool busy; /* the main thread waits for a job of the main worker */

static void *work_for_ever(void *arg) {
  worker *w = own = arg;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!w->job) pthread_cond_wait(&w->to_worker, &lock);
    void (*work)(void *) = w->job;
    pthread_mutex_unlock(&lock);
    work(w->arg);
    pthread_mutex_lock(&lock);
    snprintf(w->message, sizeof w->message, "%s", ls_error());
    w->job = NULL;
    w->done = true;
    pthread_cond_signal(&w->to_main);
  }
  return NULL;
}

static bool start(worker *w) {
  if (!w->started) w->started = ls_thread_start(work_for_ever, w) == 0;
  return w->started;
}

static void start_worker(worker *w, void (*work)(void *), void *arg) {
  pthread_mutex_lock(&lock);
  w->arg = arg;
  w->job = work;
  w->done = false;
  pthread_cond_signal(&w->to_worker);
  pthread_mutex_unlock(&lock);
}

/* Waits for the worker's job, serving ls_idle. */
static void end(worker *w) {
  pthread_mutex_lock(&lock);
  while (!w->done) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 40 * 1000 * 1000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    if (pthread_cond_clockwait(&w->to_main, &lock, CLOCK_MONOTONIC, &until) == ETIMEDOUT) {
      pthread_mutex_unlock(&lock);
      ls_idle();
      pthread_mutex_lock(&lock);
    }
  }
  pthread_mutex_unlock(&lock);
  ls_fail(LS_OK, "%s", w->message);
}

void ls_work(void (*work)(void *), void *arg, bool quick) {
  if (quick || own || busy || !start(&main_worker)) { /* busy: called by the idle hook */
    work(arg);
    return;
  }
  busy = true;
  start_worker(&main_worker, work, arg);
  end(&main_worker);
  busy = false;
}

bool ls_work_begin(void (*work)(void *), void *arg) {
  if (!start(&second)) return false;
  start_worker(&second, work, arg);
  return true;
}

void ls_work_end(bool give_up) {
  atomic_store(&second.given_up, give_up);
  end(&second);
  atomic_store(&second.given_up, false);
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

/* The maximum number of bytes of a line's text that the terminal does not wrap: a wrapped line could not be
 * replaced. */
static size_t line_room(size_t most) {
  enum { NUMBERS = 24, LEAST = 24 };
  struct winsize w;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) != 0 || w.ws_col == 0) return most;
  const size_t room = w.ws_col > NUMBERS + LEAST ? w.ws_col - NUMBERS : LEAST;
  return room < most ? room : most;
}

void ls_progress(const char *what, u64 done, u64 total) {
  if (pthread_mutex_trylock(&progress_lock) != 0) return;
  double now = ls_now();
  if (progress_began == 0) progress_began = now, progress_shown = now + 0.5;
  if (progress_on && now - progress_shown >= 0.5) {
    progress_shown = now;
    progress_line = true;
    char name[256];
    what = ls_escaped(what, 0, name, line_room(sizeof name));
    if (total)
      fprintf(stderr, "\r%s: %3.0f %%  %.1f s\033[K", what, 100.0 * (double)done / (double)total,
              now - progress_began);
    else if (done)
      fprintf(stderr, "\r%s: %llu  %.1f s\033[K", what, (unsigned long long)done, now - progress_began);
    else
      fprintf(stderr, "\r%s  %.1f s\033[K", what, now - progress_began);
    fflush(stderr);
  }
  pthread_mutex_unlock(&progress_lock);
}

static void begin_progress(void) {
  const double now = ls_now();
  pthread_mutex_lock(&progress_lock);
  if (progress_began == 0)
    progress_began = now, progress_shown = now - 0.2; /* so that ls_progress shows the wait after 0.3 s */
  pthread_mutex_unlock(&progress_lock);
}

void ls_progress_end(void) {
  pthread_mutex_lock(&progress_lock);
  if (progress_line) fprintf(stderr, "\r\033[K"), fflush(stderr);
  progress_line = false;
  progress_began = 0;
  pthread_mutex_unlock(&progress_lock);
}
