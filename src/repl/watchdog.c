#include "repl/watchdog.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <termios.h>
#include <unistd.h>

#include "core/child.h"
#include "core/atomic_file.h"
#include "core/wait.h"
#include "ranks/ranks.h"

enum { GRACE = 1, PATIENCE = 10, RANKS_PATIENCE = 1, TICK = 50000 }; /* seconds; TICK: microseconds */

static bool interactive_session, know_terminal;
static struct termios terminal_before;
static void (*leave_terminal)(void);
static volatile sig_atomic_t interrupts; /* number of Ctrl-C since the line began to run */
static volatile sig_atomic_t doomed_by;  /* the signal that is to end the process; 0: none */
static volatile sig_atomic_t beats;
static volatile double doomed_at, alive_at, interrupted_at;

void unheard_open(bool interactive, void (*leave)(void)) {
  interactive_session = interactive;
  leave_terminal = leave;
  know_terminal = interactive && tcgetattr(STDIN_FILENO, &terminal_before) == 0;
}

static void tick_every(int us) {
  struct itimerval every = {{0, us}, {0, us}};
  setitimer(ITIMER_REAL, &every, NULL);
}

void unheard_begin(bool ticks) {
  interrupts = 0;
  if (doomed_by == SIGINT) doomed_by = 0;
  if (!doomed_by) tick_every(ticks ? TICK : 0);
}

void unheard_beat(void) { beats++; }

static void say_words(const char *text) {
  if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

static void end_at_once(int signal_number) { _exit(128 + (doomed_by ? doomed_by : signal_number)); }

/* Ends the process. Writing to the terminal may block (nothing reads it, or Ctrl-S stopped it): so flow
 * control is switched off, and SIGALRM ends the process after 0.5 s in any case. */
static void end_with(int signal_number, const char *words) {
  struct sigaction at_once = {.sa_handler = end_at_once};
  struct itimerval soon = {{0, 0}, {0, 500000}};
  sigset_t alarm_only;
  sigemptyset(&at_once.sa_mask);
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  doomed_by = signal_number;
  ls_atomic_file_abandon();
  signal(SIGTTOU, SIG_IGN); /* would stop us if a running command has the terminal */
  sigaction(SIGALRM, &at_once, NULL);
  pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
  setitimer(ITIMER_REAL, &soon, NULL);
  struct termios flowing = terminal_before;
  flowing.c_iflag &= ~(tcflag_t)IXON;
  if (know_terminal) tcsetattr(STDIN_FILENO, TCSANOW, &flowing);
  leave_terminal();
  say_words(words);
  ls_children_end();
  if (know_terminal) tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
  _exit(128 + signal_number);
}

void unheard_end(int signal_number) { end_with(signal_number, ""); }

static void end_unheard(int signal_number) {
  end_with(signal_number,
           signal_number == SIGINT ? "lockstep: ended by the third Ctrl-C: the running code did not respond\n"
           : signal_number == SIGTERM ? "lockstep: ended by SIGTERM: the running code did not respond\n"
                                      : "lockstep: ended, its terminal has gone\n");
}

void unheard_doom(int signal_number) {
  doomed_at = alive_at = ls_now();
  doomed_by = signal_number;
  tick_every(TICK);
}

void unheard_interrupt(void) {
  interrupts++;
  interrupted_at = ls_now();
  if (interrupts <= 2) return;
  if (!interactive_session) end_unheard(SIGINT);
  if (!doomed_by) unheard_doom(SIGINT);
}

void unheard_judge(void) {
  static sig_atomic_t seen;
  static bool warned;
  const double now = ls_now(), patience = ls_ranks() > 1 ? RANKS_PATIENCE : PATIENCE;
  if (beats != seen) alive_at = now;
  seen = beats;
  if (doomed_by && (now - alive_at > GRACE || (doomed_by != SIGINT && now - doomed_at > patience)))
    end_unheard(doomed_by);
  const bool deaf = interrupts == 2 && now - interrupted_at > GRACE && now - alive_at > GRACE;
  if (deaf && !warned)
    say_words(
        "(the running code does not respond; the third Ctrl-C ends lockstep, and unsaved work is lost)\n");
  warned = deaf;
}
