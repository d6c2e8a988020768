/* Starts programs by vfork and exec as posix_spawn does, but also sets what posix_spawn cannot:
 * PR_SET_PDEATHSIG and resource limits. Not fork, because this process may be huge and fork would copy its
 * page tables. Signal handlers read the list of children.
 *
 * Children in the foreground share our process group, so a signal to the group would also end us and the
 * process that started us. Instead, they and all their descendants are found in /proc/P/task/T/children. */
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
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/temporary.h"

extern char **environ;

enum { MOST = 16, PATH_BYTES = 4096 };
static atomic_int groups[MOST]; /* process groups of the running background children; 0: free slot */

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
  if (most) setrlimit(which, &limits); /* if our own limit is lower, this fails and it stays */
}

static void point(int from, int to) {
  if (from == to)
    fcntl(to, F_SETFD, 0);
  else if (from >= 0 && dup2(from, to) < 0)
    _exit(127);
}

/* Runs in the child, which shares our memory until exec: it must write nothing but *error. */
static void become(const ls_child *c, pid_t parent, const char *program, volatile int *error) {
  static const int usual[] = {SIGINT,  SIGQUIT, SIGPIPE, SIGTERM,  SIGHUP,
                              SIGTSTP, SIGXFSZ, SIGALRM, SIGWINCH, SIGCHLD};
  sigset_t none;
  prctl(PR_SET_PDEATHSIG, c->guarded ? SIGTERM : SIGKILL);
  if (getppid() != parent) _exit(127);
  if (!c->foreground) setpgid(0, 0); /* so that Ctrl-C at the terminal reaches only us */
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) signal(usual[i], SIG_DFL);
  limit(RLIMIT_AS, c->memory);
  limit(RLIMIT_CPU, c->seconds);
  limit(RLIMIT_FSIZE, c->file_bytes);
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

/* If we are killed, the kernel signals only our child. A program that starts processes of its own, as a
 * compiler's driver does, is therefore run by a shell that gets SIGTERM and kills its process group, itself
 * included. The shell's exit status is the program's, or 128 + the number of the signal that ended it. A
 * shell gives /dev/null as standard input to what it runs in the background: hence descriptor 3. */
static char guard[] = "trap 'kill -9 0' TERM; exec 3<&0; \"$@\" <&3 3<&- & exec <&- 3<&-; wait $!";

enum { MOST_GUARDED = 128 }; /* words of a guarded program */

/* Sets `words` to the command that runs c's program under the guard; false: c has too many words. */
static bool set_guarded(const ls_child *c, char *words[MOST_GUARDED + 5]) {
  static char shell[] = "/bin/sh", option[] = "-c";
  size_t n = 0;
  while (c->words[n])
    if (++n > MOST_GUARDED) return false;
  words[0] = words[3] = shell;
  words[1] = option;
  words[2] = guard;
  memcpy(words + 4, c->words, (n + 1) * sizeof *words);
  return true;
}

int ls_child_start(const ls_child *c, pid_t *pid) {
  char program[PATH_BYTES];
  if (!ls_program_find(c->words[0], program, sizeof program)) return ENOENT;
  ls_child own = *c;
  char *words[MOST_GUARDED + 5];
  if (c->guarded) {
    if (!set_guarded(c, words)) return E2BIG;
    own.words = words;
    snprintf(program, sizeof program, "%s", words[0]);
  }
  const int nothing = c->in < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
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

int ls_child_spent(pid_t pid, int *status, u64 *peak) {
  struct rusage spent = {0};
  const pid_t ended = wait4(pid, status, WNOHANG, &spent);
  *peak = (u64)spent.ru_maxrss << 10;
  if (ended == 0 || (ended < 0 && errno == EINTR)) return 0;
  forget(pid);
  return ended == pid ? 1 : -1;
}

int ls_child_ended(pid_t pid, int *status) {
  u64 peak;
  return ls_child_spent(pid, status, &peak);
}

bool ls_child_stopped(pid_t pid) {
  siginfo_t what = {0};
  return waitid(P_PID, (id_t)pid, &what, WSTOPPED | WNOHANG) == 0 && what.si_pid == pid;
}

/* --- a process and all its descendants; async-signal-safe -------------------------------------------- */

enum { DEEPEST = 64, NAME = 128 };

static char *put_text(char *to, const char *text) {
  const size_t n = strlen(text);
  memcpy(to, text, n + 1);
  return to + n;
}

static char *put_pid(char *to, pid_t pid) {
  char digits[16];
  int n = 0;
  for (; n == 0 || pid; pid /= 10) digits[n++] = (char)('0' + pid % 10);
  while (n) *to++ = digits[--n];
  *to = 0;
  return to;
}

static void signal_below(pid_t pid, int signal_number, int depth);

/* A process is stopped before its children are listed, so that it starts no more: a child that was started in
 * between would outlive it, and could still change the terminal. */
static void signal_tree(pid_t pid, int signal_number, int depth) {
  kill(pid, SIGSTOP);
  signal_below(pid, signal_number, depth + 1);
  kill(pid, signal_number);
  kill(pid, SIGCONT);
}

/* Signals the children of one thread, listed in the file at path: "123 124 ". */
static void signal_children(const char *path, int signal_number, int depth) {
  char text[512];
  pid_t pid = 0;
  ssize_t n;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  while ((n = read(fd, text, sizeof text)) > 0)
    for (ssize_t i = 0; i < n; i++) {
      if (text[i] >= '0' && text[i] <= '9') {
        pid = pid * 10 + (text[i] - '0');
      } else if (pid) {
        signal_tree(pid, signal_number, depth);
        pid = 0;
      }
    }
  close(fd);
}

/* Signals all descendants of pid, whichever of its threads started them. */
static void signal_below(pid_t pid, int signal_number, int depth) {
  struct entry { /* linux_dirent64 */
    u64 inode;
    i64 next;
    u16 bytes;
    u8 type;
    char name[];
  };
  char path[NAME];
  _Alignas(struct entry) char some[1024];
  long n;
  if (depth > DEEPEST) return;
  char *end = put_text(put_pid(put_text(path, "/proc/"), pid), "/task/");
  const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  while ((n = syscall(SYS_getdents64, fd, some, sizeof some)) > 0) /* readdir would allocate memory */
    for (long at = 0; at < n;) {
      const struct entry *e = (const struct entry *)(some + at);
      at += e->bytes;
      if (e->name[0] == '.' || strlen(e->name) > 16) continue;
      put_text(put_text(end, e->name), "/children");
      signal_children(path, signal_number, depth);
    }
  close(fd);
}

void ls_child_kill(pid_t pid, int *status) {
  signal_tree(pid, SIGKILL, 0);
  /* Descendants whose parents have ended are no longer below pid, but may be in its group. */
  kill(-pid, SIGKILL);
  ls_child_wait(pid, status);
}

void ls_child_ask(pid_t pid) { signal_tree(pid, SIGHUP, 0); }

/* --- end of this process ----------------------------------------------------------------------------- */

void ls_children_end(void) {
  for (int i = 0; i < MOST; i++) {
    const pid_t pid = atomic_exchange(&groups[i], 0);
    if (pid <= 0) continue;
    signal_tree(pid, SIGKILL, 0);
    kill(-pid, SIGKILL);
    waitpid(pid, NULL, 0);
  }
  signal_below(getpid(), SIGKILL, 0);
  ls_temporary_end();
}
