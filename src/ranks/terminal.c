#include "ranks/terminal.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int terminal = -1;
static pid_t before; /* the process group that had the terminal */

static bool nothing_to_read(void) {
  struct stat s;
  return fstat(STDIN_FILENO, &s) == 0 && S_ISCHR(s.st_mode) && s.st_rdev == makedev(1, 3);
}

/* Makes `group` the foreground process group. A background process that does this is stopped by SIGTTOU,
 * unless it ignores this signal. */
static bool foreground(pid_t group) {
  const struct sigaction ignore = {.sa_handler = SIG_IGN};
  struct sigaction old;
  sigaction(SIGTTOU, &ignore, &old);
  const bool done = tcsetpgrp(terminal, group) == 0;
  sigaction(SIGTTOU, &old, NULL);
  return done;
}

void ls_ranks_take_terminal(void) {
  if (!nothing_to_read()) return;
  terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
  if (terminal < 0) return;
  before = tcgetpgrp(terminal);
  /* If mpirun runs in the background, the terminal belongs to another program. */
  bool mine = before > 0 && (before == getpgid(getppid()) || before == getpgrp());
  if (mine) setpgid(0, 0); /* Ctrl-C must reach only this process: it would end mpirun */
  if (!mine || !foreground(getpgrp())) {
    close(terminal);
    terminal = -1;
    return;
  }
  for (int fd = 0; fd <= 2; fd++) dup2(terminal, fd);
}

void ls_ranks_leave_terminal(void) {
  if (terminal < 0) return;
  foreground(before);
  close(terminal);
  terminal = -1;
}

bool ls_ranks_has_terminal(void) { return terminal >= 0; }

bool ls_ranks_sees_terminal(void) {
  const int fd = nothing_to_read() ? -1 : open("/dev/tty", O_RDWR | O_CLOEXEC);
  if (fd >= 0) close(fd);
  return fd >= 0;
}
