/* Signals that an instruction of this process causes: one handler for all of them.
 *
 * In this order: a page of a mapped file that is lost is mended (core/mapping.h) and the instruction runs
 * again; a thread that runs guarded code jumps back to its guard; else the terminal is left, and what would
 * have happened without a handler happens: a core, a sanitizer's report. */
#ifndef LS_CORE_FAULT_H
#define LS_CORE_FAULT_H

#include "core/types.h"

typedef struct ls_fault {
  int signal; /* 0: none: the thread left its guarded code by ls_fault_leave */
  int code;   /* siginfo's */
  const void *address;
} ls_fault;

/* Runs run(arg) on this thread. false: an instruction of it caused SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP
 * or SIGABRT, *out says which, and what run had still to do is not done; what it holds (memory, locks) stays
 * held. A region of OpenMP that run begins is not guarded: the other threads of such a team would wait for
 * this one. Guards may be nested. */
bool ls_fault_guard(void (*run)(void *), void *arg, ls_fault *out);
/* Ends what the innermost guard of this thread runs. */
_Noreturn void ls_fault_leave(void);

/* Did this thread's stack run out? Called after the guard returned. */
bool ls_fault_of_stack(const ls_fault *f);

/* of, async-signal-safe, is called first with the address of a SIGBUS; true: the instruction runs again. */
void ls_fault_mend(bool (*of)(const void *));
/* last, async-signal-safe, is called when the process is about to end by such a signal, SIGQUIT or SIGSYS. */
void ls_fault_last(void (*last)(void));

#endif
