/* Threads beside the main one. Without the program's symbols, so that modules of their own can have it. */
#ifndef LS_CORE_THREAD_H
#define LS_CORE_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

/* Starts a thread that nobody joins. Signals from outside are the main thread's: this one, and the threads
 * that it starts, have them blocked. What a thread's own instruction causes stays unblocked: if it is blocked
 * the kernel ends the process without calling a handler (a mapped file that was shortened, the terminal that
 * the panel has). Returns 0, or the number of an error (errno.h). */
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
