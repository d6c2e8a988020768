/* Threads beside the main one. Without the program's symbols, so that modules of their own can have it. */
#ifndef LS_CORE_THREAD_H
#define LS_CORE_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

/* Starts a thread that nobody joins. Signals are the main thread's: this one has them blocked. Returns 0, or
 * the number of an error (errno.h). */
static inline int ls_thread_start(void *(*run)(void *), void *arg) {
  sigset_t all, old;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &old);
  const int error = pthread_create(&thread, NULL, run, arg);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (!error) pthread_detach(thread);
  return error;
}

#endif
