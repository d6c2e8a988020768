/* Commands of the shell: `!cmd`, and editors. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/wait.h"
#include "repl/repl.h"

extern char **environ;

/* Within the panel, which shows what it writes: without keys, which are the panel's, and with the panel alive
 * meanwhile. The child's status as waitpid's; -1: it could not be started. */
static int run_beside(const char *command) {
  char *argv[] = {"sh", "-c", (char *)command, NULL};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  sigset_t usual;
  pid_t child;
  int status = -1;
  if (posix_spawn_file_actions_init(&files) != 0) return -1;
  if (posix_spawnattr_init(&how) != 0) goto no_attributes;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE); /* we ignore it */
  posix_spawnattr_setsigdefault(&how, &usual);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", 0, 0);
  if (posix_spawn(&child, "/bin/sh", &files, &how, argv, environ) == 0) {
    for (pid_t ended = 0; ended == 0;) {
      ended = waitpid(child, &status, WNOHANG);
      if (ended < 0 && errno == EINTR) ended = 0;
      if (ended == 0) {
        ls_idle();
        usleep(10000);
      }
    }
  }
  posix_spawnattr_destroy(&how);
no_attributes:
  posix_spawn_file_actions_destroy(&files);
  return status;
}

ls_status ls_shell(const char *command, bool whole_terminal) {
  fflush(stdout);
  bool panel = ls_prompt_fronted();
  int status = panel && !whole_terminal ? run_beside(command) : ls_prompt_aside(command);
  if (status == -1) return ls_fail(LS_EIO, "no shell can be started");
  if (WIFSIGNALED(status)) return ls_fail(LS_EARG, "the command was ended by signal %d", WTERMSIG(status));
  if (WEXITSTATUS(status) == 0) return LS_OK;
  return ls_fail(LS_EARG, "the command ended with status %d", WEXITSTATUS(status));
}
