#include "panel/guard.h"

#include <signal.h>
#include <stddef.h>

#include "core/mapping.h"
#include "panel/outlet.h"

static void (*leave_terminal)(void);
static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, SIGSYS};
enum { CRASHES = sizeof crashes / sizeof *crashes, STACK = 1 << 16 };
static struct sigaction before[CRASHES];

/* Leaves, then lets happen what would have happened: a core, a sanitizer's report. */
static void on_crash(int signal_number, siginfo_t *info, void *context) {
  (void)context;
  if (signal_number == SIGBUS && ls_mapping_mend(info->si_addr)) return;
  leave_terminal();
  ls_outlet_last_words();
  for (int i = 0; i < CRASHES; i++)
    if (crashes[i] == signal_number) sigaction(signal_number, &before[i], NULL);
  raise(signal_number);
}

void ls_guard(void (*leave)(void)) {
  static char stack[STACK]; /* the ordinary one may be what has run out */
  if (leave_terminal) return;
  leave_terminal = leave;
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
  for (int i = 0; i < CRASHES; i++) {
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_ONSTACK | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(crashes[i], &action, &before[i]);
  }
}
