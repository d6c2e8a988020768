#include "core/fault.h"

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/* State of a guard; each thread uses its innermost one. */
typedef struct guard {
  sigjmp_buf back;
  struct guard *outer;
  int level; /* omp_get_level() where the guard was set */
  ls_fault *fault;
} guard;
static _Thread_local guard *innermost;

static const int handled[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGQUIT, SIGSYS};
enum { HANDLED = sizeof handled / sizeof *handled, STACK = 1 << 16, NEAR_STACK = 1 << 20 };
static struct sigaction before[HANDLED];
static void (*_Atomic leave_process)(void);
static bool (*_Atomic mend)(const void *);

/* Was the signal caused by an instruction of this thread, and not sent by `kill -SEGV`? abort() counts: it
 * sends SIGABRT to its own process. */
static bool is_own(int signal_number, const siginfo_t *info) {
  if (signal_number == SIGQUIT || signal_number == SIGSYS) return false;
  if (signal_number == SIGABRT) return info->si_code == SI_TKILL && info->si_pid == getpid();
  return info->si_code > 0;
}

static void unblock(int signal_number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal_number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void on_fault(int signal_number, siginfo_t *info, void *context) {
  (void)context;
  const int saved = errno;
  bool (*mends)(const void *) = atomic_load(&mend);
  if (signal_number == SIGBUS && mends && mends(info->si_addr)) {
    errno = saved;
    return;
  }
  guard *g = innermost;
  if (g && is_own(signal_number, info) && omp_get_level() == g->level) {
    *g->fault = (ls_fault){signal_number, info->si_code, info->si_addr};
    unblock(signal_number);
    siglongjmp(g->back, 1);
  }
  void (*last)(void) = atomic_load(&leave_process);
  if (last) last();
  for (int i = 0; i < HANDLED; i++)
    if (handled[i] == signal_number) sigaction(signal_number, &before[i], NULL);
  raise(signal_number);
}

static void install(void) {
  for (int i = 0; i < HANDLED; i++) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_ONSTACK | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(handled[i], &action, &before[i]);
  }
}

/* Handlers need an alternate stack: the fault may be an overflow of the ordinary one. */
static void have_other_stack(void) {
  static _Thread_local char stack[STACK];
  static _Thread_local bool done;
  stack_t now;
  if (done) return;
  done = true;
  if (sigaltstack(NULL, &now) == 0 && !(now.ss_flags & SS_DISABLE)) return; /* set by a sanitizer */
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
}

static void handle(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  have_other_stack();
}

void ls_fault_mend(bool (*of)(const void *)) {
  atomic_store(&mend, of);
  handle();
}

void ls_fault_last(void (*last)(void)) {
  atomic_store(&leave_process, last);
  handle();
}

bool ls_fault_guard(void (*run)(void *), void *arg, ls_fault *out) {
  guard g = {.outer = innermost, .level = omp_get_level(), .fault = out};
  handle();
  *out = (ls_fault){0, 0, NULL};
  /* The signal mask is not saved, which would cost a system call: the handler restores it. */
  if (sigsetjmp(g.back, 0)) {
    innermost = g.outer;
    return false;
  }
  innermost = &g;
  run(arg);
  innermost = g.outer;
  return true;
}

_Noreturn void ls_fault_leave(void) {
  if (!innermost) abort();
  siglongjmp(innermost->back, 1);
}

bool ls_fault_of_stack(const ls_fault *f) {
  pthread_attr_t attr;
  void *lowest = NULL;
  size_t bytes = 0;
  if (f->signal != SIGSEGV && f->signal != SIGBUS) return false;
  if (pthread_getattr_np(pthread_self(), &attr) != 0) return false;
  const bool known = pthread_attr_getstack(&attr, &lowest, &bytes) == 0;
  pthread_attr_destroy(&attr);
  const uintptr_t at = (uintptr_t)f->address, low = (uintptr_t)lowest;
  return known && at + NEAR_STACK >= low && at < low + NEAR_STACK / 16;
}
