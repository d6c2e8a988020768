#include "compile/guarded.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "compile/check_report.h"
#include "core/fault.h"
#include "core/wait.h"

static void note(ls_launch *L, const ls_cpu_walk *w, const ls_fault *f) {
  static u32 lock;
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) {}
  ls_launch_fault *first = &L->fault;
  if (!first->signal) {
    first->code = f->code;
    first->stack = ls_fault_of_stack(f);
    first->address = (u64)(uintptr_t)f->address;
    first->first = w->first, first->past = w->past;
    first->known = w->mine && w->mine[0] != ~0ull;
    if (first->known) first->thread = w->mine[0], first->edge = w->mine[1];
    __atomic_store_n(&first->signal, (u32)f->signal, __ATOMIC_RELEASE);
  }
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
  ls_ask_to_look(true); /* loops in the kernel's text check this flag, and end */
}

static void guarded(void (*walk)(void *), ls_cpu_walk *w) {
  ls_fault f;
  if (ls_fault_guard(walk, w, &f)) return;
  if (f.signal) note(w->launch, w, &f);
}

static void put_cause(char *out, size_t bytes, const ls_launch_fault *f) {
  const unsigned long long at = f->address;
  if (f->stack)
    snprintf(out, bytes, "the stack is full (a recursion without end, or arrays that are too large)");
  else if (f->signal == SIGFPE)
    snprintf(out, bytes, "an integer was divided by zero, or the least integer by -1 (SIGFPE)");
  else if (f->signal == SIGSEGV && f->address < 1 << 16 && f->code != SI_KERNEL)
    snprintf(out, bytes, "an access by a null pointer, at address 0x%llx (SIGSEGV)", at);
  else if (f->signal == SIGSEGV && f->code == SI_KERNEL) /* the processor does not say where */
    snprintf(out, bytes, "an access by a wild pointer (SIGSEGV)");
  else if (f->signal == SIGSEGV)
    snprintf(out, bytes, "an access by a wild pointer, at address 0x%llx (SIGSEGV)", at);
  else if (f->signal == SIGBUS)
    snprintf(out, bytes, "an access to memory that does not exist, at address 0x%llx (SIGBUS)", at);
  else if (f->signal == SIGABRT)
    snprintf(out, bytes, "abort() was called, or an assert failed (SIGABRT)");
  else
    snprintf(out, bytes, "a trap: __builtin_trap, or code that the compiler assumed to be unreachable (%s)",
             f->signal == SIGTRAP ? "SIGTRAP" : "SIGILL");
}

/* "at vertex 7, edge 9", "at one of the vertices 0 to 2047" */
static void put_thread(char *out, size_t bytes, const ls_launch *L) {
  const ls_launch_fault *f = &L->fault;
  const unsigned long long first = f->first, past = f->past;
  const char *name = ls_thread_name(L->prim);
  out[0] = '\0';
  if (f->known && f->edge != ~0ull)
    snprintf(out, bytes, " at %s %llu, edge %u", name, (unsigned long long)f->thread, (u32)f->edge);
  else if (f->known)
    snprintf(out, bytes, " at %s %llu", name, (unsigned long long)f->thread);
  else if (past > first && L->bind.qin)
    snprintf(out, bytes, " at one of the items %llu to %llu of the queue", first, past - 1);
  else if (past == first + 1)
    snprintf(out, bytes, " at %s %llu", name, first);
  else if (past > first)
    snprintf(out, bytes, " at one of the %ss %llu to %llu", strcmp(name, "vertex") ? name : "vertice", first,
             past - 1);
}

ls_status ls_launch_guarded(ls_launch *L, ls_launch_fn f, bool restored) {
  L->guard = guarded;
  L->leave = ls_fault_leave;
  L->fault = (ls_launch_fault){.signal = 0};
  const ls_status st = f(L);
  if (!L->fault.signal) return st;
  ls_ask_to_look(false);
  char cause[160], thread[96];
  put_cause(cause, sizeof cause, &L->fault);
  put_thread(thread, sizeof thread, L);
  const bool more = !L->fault.known && L->prim->domain != LS_GRID && L->prim->domain != LS_LIBRARY;
  return ls_fail(LS_EARG, "%s: %s%s; the kernel's outputs %s%s%s%s", L->prim->name, cause, thread,
                 restored ? "are restored" : "may be incomplete",
                 more ? "; to find the thread: `bounds " : "", more ? L->prim->name : "",
                 more ? " on` and the same call" : "");
}
