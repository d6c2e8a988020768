/* Runs shell commands: `!cmd`, and editors.
 *
 * A command runs in our process group, as with system(): Ctrl-C and Ctrl-Z at the terminal reach both it and
 * us, and the shell that started us stops and continues us together. While a command runs, we ignore Ctrl-C,
 * and we stop when the command stops. If the session has to end (SIGTERM, SIGHUP), the command is asked to
 * end, and killed if it has not done so after PATIENCE seconds. */
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
  pid_t group; /* the terminal's foreground process group */
} modes;

static modes terminal_modes(void) {
  modes m = {.known = tcgetattr(STDIN_FILENO, &m.termios) == 0};
  if (m.known) m.group = tcgetpgrp(STDIN_FILENO);
  return m;
}

/* Restores the terminal after a command: a shell with job control gives it to its jobs, and a command that
 * fails may leave it without echo. */
static void restore(const modes *m, bool well) {
  if (!m->known) return;
  const struct sigaction ignore = {.sa_handler = SIG_IGN};
  struct sigaction before;
  sigaction(SIGTTOU, &ignore, &before); /* it would stop us for changing the terminal from the background */
  if (m->group == getpgrp() && tcgetpgrp(STDIN_FILENO) != m->group) tcsetpgrp(STDIN_FILENO, m->group);
  if (!well) tcsetattr(STDIN_FILENO, TCSADRAIN, &m->termios); /* else changes by `!stty` stay */
  sigaction(SIGTTOU, &before, NULL);
}

/* --- one command ------------------------------------------------------------------------------------- */

/* Waits for the command to end. Returns the status of waitpid; -1: the status is not available. */
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
      raise(SIGTSTP); /* returns when we are continued */
      kill(pid, SIGCONT);
    }
    ls_idle();
    usleep(10000);
  }
  return ended > 0 ? status : -1;
}

/* in: the descriptor of the command's standard input; -1: ours. Returns what wait_for returns. */
static int run(const char *command, int in) {
  char *const words[] = {"/bin/sh", "-c", (char *)command, NULL};
  const ls_child c = {.words = words, .in = in, .out = -1, .err = -1, .foreground = true};
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

/* Runs a command while the panel stays on the screen and shows the output. The command reads /dev/null,
 * because the keys belong to the panel. */
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
