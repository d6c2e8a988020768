/* A launch on a CPU, of which a thread may cause a signal: a division by zero, an access outside of all
 * memory. That thread jumps back to its guard, within the team; the others skip what they have not begun; and
 * the launch fails with a message. */
#include <signal.h>
#include <stdio.h>

#include "core/fault.h"
#include "core/wait.h"
#include "run/forms.h"
#include "run/launch.h"

static void note(ls_launch *L, const ls_walk *w, const ls_fault *f) {
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
  ls_ask_to_look(true); /* a text's loops */
}

static void guarded(void (*walk)(void *), ls_walk *w) {
  ls_fault f;
  if (ls_fault_guard(walk, w, &f)) return;
  if (f.signal) note(w->launch, w, &f);
}

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
/* A fault of the program's own is the sanitizer's to report. */
static void unguarded(void (*walk)(void *), ls_walk *w) { walk(w); }
#else
#define unguarded guarded
#endif

static void put_cause(char *out, size_t bytes, const ls_launch_fault *f) {
  const unsigned long long at = f->address;
  if (f->stack)
    snprintf(out, bytes, "the stack is full (a recursion without end, or arrays that are too large)");
  else if (f->signal == SIGFPE)
    snprintf(out, bytes, "an integer was divided by zero, or the least one by -1 (SIGFPE)");
  else if (f->signal == SIGSEGV && f->address < 1 << 16 && f->code != SI_KERNEL)
    snprintf(out, bytes, "an access by a null pointer, at address 0x%llx (SIGSEGV)", at);
  else if (f->signal == SIGSEGV && f->code == SI_KERNEL) /* the processor does not say where */
    snprintf(out, bytes, "an access by a wild pointer (SIGSEGV)");
  else if (f->signal == SIGSEGV)
    snprintf(out, bytes, "an access by a wild pointer, at address 0x%llx (SIGSEGV)", at);
  else if (f->signal == SIGBUS)
    snprintf(out, bytes, "an access to memory that is not there, at address 0x%llx (SIGBUS)", at);
  else if (f->signal == SIGABRT)
    snprintf(out, bytes, "abort() was called, or an assert failed (SIGABRT)");
  else
    snprintf(out, bytes, "a trap: __builtin_trap, or code that the compiler took for impossible (%s)",
             f->signal == SIGTRAP ? "SIGTRAP" : "SIGILL");
}

/* "vertex 7, edge 9", "one of the vertex threads 0 to 2047" */
static void put_thread(char *out, size_t bytes, const ls_launch *L) {
  const ls_launch_fault *f = &L->fault;
  const ls_domain domain = L->prim->domain;
  const char *name = domain == LS_QUEUE          ? "item"
                     : domain == LS_QUEUE_EDGES  ? "vertex"
                     : domain == LS_VERTEX_EDGES ? "vertex"
                     : domain == LS_VERTEX_BEST  ? "vertex"
                     : domain == LS_GRID         ? "thread"
                                                 : ls_domain_name(domain);
  out[0] = '\0';
  if (f->known && f->edge != ~0ull)
    snprintf(out, bytes, " at %s %llu, edge %u", name, (unsigned long long)f->thread, (u32)f->edge);
  else if (f->known)
    snprintf(out, bytes, " at %s %llu", name, (unsigned long long)f->thread);
  else if (f->past == f->first + 1 && !L->bind.qin)
    snprintf(out, bytes, " at %s %llu", name, (unsigned long long)f->first);
  else if (f->past > f->first)
    snprintf(out, bytes, " at one of %s %llu to %llu", L->bind.qin ? "the queue's items" : name,
             (unsigned long long)f->first, (unsigned long long)f->past - 1);
}

ls_status ls_launch_guarded(ls_launch *L, ls_launch_fn f) {
  const bool own = L->prim->text || ls_formed(L->prim, LS_CPU, L->type);
  L->guard = own ? guarded : unguarded;
  L->leave = ls_fault_leave;
  L->fault = (ls_launch_fault){.signal = 0};
  L->restores = false;
  const ls_status st = f(L);
  if (!L->fault.signal) return st;
  ls_ask_to_look(false);
  if (st) return st;
  char cause[160], thread[96];
  put_cause(cause, sizeof cause, &L->fault);
  put_thread(thread, sizeof thread, L);
  const bool could_say = !L->fault.known && L->prim->domain != LS_GRID && L->prim->domain != LS_LIBRARY;
  return ls_fail(LS_EARG, "%s: %s%s; %s%s%s%s", L->prim->name, cause, thread,
                 L->restores ? "its outputs are restored" : "its outputs may be incomplete",
                 could_say ? "; `bounds " : "", could_say ? L->prim->name : "",
                 could_say ? " on` and the same call: which thread it is" : "");
}
