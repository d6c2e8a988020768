/* Starts threads other than the main one. Needs no symbol of the program, so that its modules (shared
 * objects) can use it. */
#ifndef LS_CORE_THREAD_H
#define LS_CORE_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

/* Starts a detached thread. Signals from outside are for the main thread: the new thread, and threads that it
 * starts, block them. Signals that a thread's own instruction causes stay unblocked: if they are blocked, the
 * kernel ends the process without calling the handler, which repairs mappings of truncated files and restores
 * the terminal. Returns 0 or an errno. */
static inline int ls_thread_start(void *(*run)(void *), void *arg) {
  sigset_t all, old;
  pthread_t thread;
  sigfillset(&all);
  const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&all, own[i]);
  pthread_sigmask(SIG_BLOCK, &all, &old);
  const int error = pthread_create(&thread, NULL, run, arg);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (!error) pthread_detach(thread);
  return error;
}

#endif
