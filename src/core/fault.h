/* One handler for the signals that faulting instructions cause.
 *
 * It tries in this order: if a page of a mapped file was lost, it replaces the page (core/mapping.h) and the
 * instruction runs again; if the thread runs guarded code, it jumps back to the guard; otherwise it restores
 * the terminal and lets happen what would happen without a handler: a core dump, a sanitizer's report. */
#ifndef LS_CORE_FAULT_H
#define LS_CORE_FAULT_H

#include "core/types.h"

typedef struct ls_fault {
  int signal; /* 0: no signal; the thread called ls_fault_leave */
  int code;   /* si_code of the signal's siginfo_t */
  const void *address;
} ls_fault;

/* Runs run(arg) on this thread. Returns false if an instruction of `run` caused SIGSEGV, SIGBUS, SIGFPE,
 * SIGILL, SIGTRAP or SIGABRT (*out has the details) or if it called ls_fault_leave: then the rest of `run` is
 * skipped, and memory and locks that it held stay held. An OpenMP region started by `run` is not guarded,
 * because the other threads of the region would wait for this one for ever. Guards may be nested. */
bool ls_fault_guard(void (*run)(void *), void *arg, ls_fault *out);
/* Leaves the code that this thread's innermost guard runs. */
_Noreturn void ls_fault_leave(void);

/* Did this thread's stack overflow? Called after ls_fault_guard returned false. */
bool ls_fault_of_stack(const ls_fault *f);

/* Registers `of`, which is called first with the address of each SIGBUS; if it returns true, the instruction
 * runs again. It must be async-signal-safe. */
void ls_fault_mend(bool (*of)(const void *));
/* Registers `last`, which is called when a signal of a faulting instruction, SIGQUIT or SIGSYS is about to
 * end the process. It must be async-signal-safe. */
void ls_fault_last(void (*last)(void));

#endif
