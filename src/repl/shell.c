/* Commands of the shell: `!cmd`, and editors.
 *
 * They run in our process group, as by system(): Ctrl-C and Ctrl-Z at the terminal are theirs and ours, and a
 * shell that started us stops and continues all of us. While one runs, Ctrl-C does not interrupt us, and we
 * stop when it stops. When the session is to end (SIGTERM, SIGHUP), it is asked to end, and killed if it
 * doesn't. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "core/child.h"
#include "core/wait.h"
#include "repl/repl.h"

#define PATIENCE 0.7 /* seconds that a command has to end by itself */

/* --- the terminal ------------------------------------------------------------------------------------- */

typedef struct modes {
  bool known;
  struct termios termios;
  pid_t group; /* what reads the terminal */
} modes;

static modes terminal_modes(void) {
  modes m = {.known = tcgetattr(STDIN_FILENO, &m.termios) == 0};
  if (m.known) m.group = tcgetpgrp(STDIN_FILENO);
  return m;
}

/* A shell with job control gives the terminal to its jobs, and a command that fails may leave it without
 * echo. */
static void restore(const modes *m, bool well) {
  if (!m->known) return;
  const struct sigaction ignore = {.sa_handler = SIG_IGN};
  struct sigaction before;
  sigaction(SIGTTOU, &ignore, &before); /* which stops whoever changes a terminal that is another's */
  if (m->group == getpgrp() && tcgetpgrp(STDIN_FILENO) != m->group) tcsetpgrp(STDIN_FILENO, m->group);
  if (!well) tcsetattr(STDIN_FILENO, TCSADRAIN, &m->termios); /* else it stays as `!stty` made it */
  sigaction(SIGTTOU, &before, NULL);
}

/* --- one command ------------------------------------------------------------------------------------- */

/* Returns waitpid's status; -1: it was lost. */
static int wait_for(pid_t pid) {
  double asked = 0;
  int status, code, ended;
  while ((ended = ls_child_ended(pid, &status)) == 0) {
    if (ls_quitting(&code) && asked == 0) {
      asked = ls_now();
      ls_child_ask(pid);
    } else if (asked > 0 && ls_now() - asked > PATIENCE) {
      ls_child_kill(pid, &status);
      return status;
    }
    if (asked == 0 && ls_child_stopped(pid)) {
      raise(SIGTSTP); /* here we wait until we are continued */
      kill(pid, SIGCONT);
    }
    ls_idle();
    usleep(10000);
  }
  return ended > 0 ? status : -1;
}

/* in: what it reads; -1: what we read. */
static int run(const char *command, int in) {
  char *const words[] = {"/bin/sh", "-c", (char *)command, NULL};
  const ls_child c = {words, NULL, in, -1, -1, true, 0, 0};
  const struct sigaction ignore = {.sa_handler = SIG_IGN};
  struct sigaction interrupt, quit;
  const modes before = terminal_modes();
  int status = -1;
  pid_t pid;
  sigaction(SIGINT, &ignore, &interrupt);
  sigaction(SIGQUIT, &ignore, &quit);
  if (ls_child_start(&c, &pid) == 0) status = wait_for(pid);
  restore(&before, status == 0);
  sigaction(SIGINT, &interrupt, NULL);
  sigaction(SIGQUIT, &quit, NULL);
  return status;
}

static int run_aside(const char *command) { return run(command, -1); }

/* Within the panel, which shows what it writes: without keys, which are the panel's, and with the panel alive
 * meanwhile. */
static int run_beside(const char *command) {
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int status = nothing < 0 ? -1 : run(command, nothing);
  if (nothing >= 0) close(nothing);
  return status;
}

ls_status ls_shell(const char *command, bool whole_terminal) {
  fflush(stdout);
  bool panel = ls_prompt_fronted();
  int status = panel && !whole_terminal ? run_beside(command) : ls_prompt_aside(run_aside, command);
  if (status == -1) return ls_fail(LS_EIO, "no shell can be started");
  if (WIFSIGNALED(status)) return ls_fail(LS_EARG, "the command was ended by signal %d", WTERMSIG(status));
  if (WEXITSTATUS(status) == 0) return LS_OK;
  return ls_fail(LS_EARG, "the command ended with status %d", WEXITSTATUS(status));
}
