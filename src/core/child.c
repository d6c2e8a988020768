/* vfork and exec, as posix_spawn does it, with two things that posix_spawn can't set: PR_SET_PDEATHSIG and
 * limits. The memory of this process may be huge, so it is not copied (fork). The list of children is read by
 * handlers of signals. */
#include "core/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST = 16, PATH_BYTES = 4096 };
static atomic_int groups[MOST]; /* of the children that run, 0: free */
static char folder[PATH_BYTES];
static atomic_bool has_folder;

static void note(pid_t pid) {
  for (int i = 0, none = 0; i < MOST; i++, none = 0)
    if (atomic_compare_exchange_strong(&groups[i], &none, pid)) return;
}

static void forget(pid_t pid) {
  for (int i = 0, own = pid; i < MOST; i++, own = pid)
    if (atomic_compare_exchange_strong(&groups[i], &own, 0)) return;
}

static void limit(int which, u64 most) {
  const struct rlimit limits = {most, most};
  if (most) setrlimit(which, &limits); /* a lower limit of our own stays */
}

static void point(int from, int to) {
  if (from == to)
    fcntl(to, F_SETFD, 0);
  else if (from >= 0 && dup2(from, to) < 0)
    _exit(127);
}

/* In the child, which shares our memory until it has become the program: it writes nothing but *error. */
static void become(const ls_child *c, pid_t parent, const char *program, volatile int *error) {
  static const int usual[] = {SIGINT,  SIGQUIT, SIGPIPE, SIGTERM,  SIGHUP,
                              SIGTSTP, SIGXFSZ, SIGALRM, SIGWINCH, SIGCHLD};
  sigset_t none;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  if (!c->foreground) setpgid(0, 0); /* a Ctrl-C at the terminal is ours */
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) signal(usual[i], SIG_DFL);
  limit(RLIMIT_AS, c->memory);
  limit(RLIMIT_CPU, c->seconds);
  point(c->in, STDIN_FILENO);
  point(c->out, STDOUT_FILENO);
  point(c->err, STDERR_FILENO);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(program, c->words, c->environment ? c->environment : environ);
  *error = errno;
  _exit(127);
}

bool ls_program_find(const char *name, char *out, size_t bytes) {
  if (strchr(name, '/')) return (size_t)snprintf(out, bytes, "%s", name) < bytes && access(out, X_OK) == 0;
  const char *path = getenv("PATH");
  for (const char *at = path ? path : "/usr/local/bin:/usr/bin:/bin"; *at;) {
    const int len = (int)strcspn(at, ":");
    struct stat st;
    if (len && (size_t)snprintf(out, bytes, "%.*s/%s", len, at, name) < bytes && access(out, X_OK) == 0 &&
        stat(out, &st) == 0 && S_ISREG(st.st_mode))
      return true;
    at += len + (at[len] == ':');
  }
  return false;
}

int ls_child_start(const ls_child *c, pid_t *pid) {
  char program[PATH_BYTES];
  if (!ls_program_find(c->words[0], program, sizeof program)) return ENOENT;
  const int nothing = c->in < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
  ls_child own = *c;
  if (!c->foreground && c->in < 0) own.in = nothing;
  volatile int error = 0;
  const pid_t parent = getpid();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* none of our handlers runs in the child */
  const pid_t child = vfork();
  if (child == 0) become(&own, parent, program, &error);
  const int failed = child < 0 ? errno : error;
  if (child > 0 && !failed && !c->foreground) note(child);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (nothing >= 0) close(nothing);
  if (child > 0 && failed)
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
  if (!failed) *pid = child;
  return failed;
}

int ls_child_wait(pid_t pid, int *status) {
  pid_t ended;
  while ((ended = waitpid(pid, status, 0)) < 0 && errno == EINTR) {}
  const int why = ended == pid ? 0 : errno;
  forget(pid);
  return why;
}

int ls_child_ended(pid_t pid, int *status) {
  const pid_t ended = waitpid(pid, status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return 0;
  forget(pid);
  return ended == pid ? 1 : -1;
}

void ls_child_kill(pid_t pid, int *status) {
  if (kill(-pid, SIGKILL)) kill(pid, SIGKILL);
  ls_child_wait(pid, status);
}

void ls_child_folder(const char *path) {
  atomic_store(&has_folder, false);
  if (path && (size_t)snprintf(folder, sizeof folder, "%s", path) < sizeof folder)
    atomic_store(&has_folder, true);
}

void ls_children_end(void) {
  for (int i = 0; i < MOST; i++) {
    const pid_t pid = atomic_exchange(&groups[i], 0);
    if (pid <= 0) continue;
    kill(-pid, SIGKILL);
    waitpid(pid, NULL, 0);
  }
  if (!atomic_exchange(&has_folder, false)) return;
  const pid_t child = vfork();
  if (child == 0) {
    char *const words[] = {"rm", "-rf", "--", folder, NULL};
    execve("/bin/rm", words, environ);
    _exit(127);
  }
  if (child > 0) waitpid(child, NULL, 0);
}
