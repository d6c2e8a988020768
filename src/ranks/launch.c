/* Implements `lockstep --ranks N`: starts the ranks, forwards their messages, and waits for them.
 *
 * SIGTERM and SIGHUP are forwarded to the ranks, which restore the terminal and remove their temporary files;
 * a rank that still runs after PATIENCE is killed. If rank 0 of a prompt was ended by a signal, the other
 * ranks are ended, too. If this process itself is killed, the kernel sends SIGTERM to its ranks, and shared.c
 * regards all ranks as ended. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/wait.h"
#include "ranks/messages.h"
#include "ranks/ranks.h"
#include "ranks/shared.h"

typedef struct child {
  pid_t pid;
  int from; /* the pipe of its standard error; -1: closed */
  int status;
} child;

static child children[LS_MOST_RANKS];

#define PATIENCE 2.                    /* seconds that ranks have to end by themselves after a signal */
static volatile sig_atomic_t ended_by; /* the signal that this process received; 0: none */
static bool first_ended;               /* a signal has ended rank 0, which had the prompt */

/* Sets OMP_NUM_THREADS to the number of cores per rank, unless it is set already. */
static void share_cores(int count) {
  char text[32];
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  snprintf(text, sizeof text, "%ld", cores > count ? cores / count : 1);
  setenv("OMP_NUM_THREADS", text, 0);
}

/* Pipes of a prompt: rank 0 writes the lines of rank r to lines[r][1], and reads the standard error of rank r
 * from errors[r][0]. */
static int lines[LS_MOST_RANKS][2], errors[LS_MOST_RANKS][2];

static bool open_lines(int count) {
  for (int r = 1; r < count; r++)
    if (pipe2(lines[r], O_CLOEXEC) || pipe2(errors[r], O_CLOEXEC)) return false;
  return true;
}

static void inherit(int fd) { fcntl(fd, F_SETFD, 0); }

/* Turns a new process into a rank. `to`: a pipe for its standard error; -1: it keeps ours. */
static void become(int rank, int count, int memory, int to, char **argv, bool prompt, pid_t launcher) {
  static char text[LS_MOST_RANKS * 24];
  int n = snprintf(text, sizeof text, "%d %d %d", rank, count, memory);
  for (int r = 1; r < count && prompt && rank == 0; r++) {
    n += snprintf(text + n, sizeof text - (size_t)n, " %d %d", lines[r][1], errors[r][0]);
    inherit(lines[r][1]);
    inherit(errors[r][0]);
  }
  if (prompt && rank > 0) {
    snprintf(text + n, sizeof text - (size_t)n, " %d", lines[rank][0]);
    inherit(lines[rank][0]);
    to = errors[rank][1];
    setpgid(0, 0); /* Ctrl-C must reach only rank 0 */
  }
  setenv(LS_SHARED_VARIABLE, text, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != launcher) _exit(1); /* the launcher has ended already */
  signal(SIGINT, SIG_DFL);
  if (rank > 0) {
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
  }
  if (to >= 0) dup2(to, STDERR_FILENO);
  execv("/proc/self/exe", argv);
  fprintf(stderr, "lockstep: cannot be started again: %s\n", strerror(errno));
  _exit(1);
}

/* Reads what a rank wrote to standard error. False at the end. */
static bool hear(int rank, child *c) {
  char text[4096];
  const ssize_t n = read(c->from, text, sizeof text);
  if (n < 0 && errno == EINTR) return true;
  if (n > 0) {
    ls_messages_hear(rank, text, (size_t)n);
    return true;
  }
  close(c->from);
  c->from = -1;
  return false;
}

/* Records the ranks that have ended; returns how many still run. */
static int reap(ls_shared *shared, int count) {
  int left = 0;
  for (int r = 0; r < count; r++) {
    child *c = &children[r];
    if (c->pid > 0 && waitpid(c->pid, &c->status, WNOHANG) == c->pid) {
      c->pid = 0;
      const bool killed = WIFSIGNALED(c->status);
      if (killed) {
        shared->rank[r].signal = WTERMSIG(c->status);
        if (!ended_by && !first_ended)
          fprintf(stderr, "lockstep: rank %d was ended by signal %d (%s)\n", r, WTERMSIG(c->status),
                  strsignal(WTERMSIG(c->status)));
      }
      atomic_store(&shared->rank[r].state, killed ? LS_RANK_KILLED : LS_RANK_ENDED);
      ls_shared_ring(shared);
    }
    left += c->pid > 0;
  }
  return left;
}

/* Returns the exit code of the first rank that a signal ended, else of the first rank that failed: others may
 * have failed only because the first one was missing. */
static int exit_code(int count) {
  int first = 0;
  for (int r = 0; r < count; r++) {
    const int status = children[r].status;
    if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
    if (!first) first = WEXITSTATUS(status);
  }
  return first;
}

/* Kills the remaining ranks if some rank has ended and none of the others has had a heartbeat for `patience`
 * seconds. For a rank that others have already found silent, two seconds suffice. */
static void end_silent(ls_shared *shared, int count, f64 patience) {
  static ls_signs seen;
  int left = 0, dead = 0;
  for (int r = 0; r < count; r++) {
    const f64 most = atomic_load(&shared->rank[r].silent) && patience > 2 ? 2 : patience;
    if (children[r].pid <= 0) continue;
    left++;
    dead += ls_shared_silent(shared, &seen, r, most);
  }
  if (dead < left || left == count) return;
  for (int r = 0; r < count; r++) {
    child *c = &children[r];
    if (c->pid <= 0) continue;
    fprintf(stderr, "lockstep: rank %d gives no sign of life and is ended\n", r);
    kill(c->pid, SIGKILL);
    waitpid(c->pid, NULL, 0);
    c->pid = 0;
    c->status = 1 << 8; /* exit code 1 */
  }
}

static void on_end(int signal_number) { ended_by = signal_number; }

/* Handles SIGTERM and SIGHUP. Called after the ranks have been started, so that they do not inherit this. */
static void listen_for_end(void) {
  static const int ends[] = {SIGTERM, SIGHUP};
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    const struct sigaction action = {.sa_handler = on_end};
    struct sigaction before;
    sigaddset(&set, ends[i]);
    sigaction(ends[i], NULL, &before);
    if (before.sa_handler == SIG_DFL) sigaction(ends[i], &action, NULL); /* nohup ignores SIGHUP */
  }
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void signal_all(int count, int signal_number) {
  for (int r = 0; r < count; r++)
    if (children[r].pid > 0) kill(children[r].pid, signal_number);
}

/* Rank 0 of a prompt has ended. True if a signal ended it: then the others are ended, too. Otherwise they run
 * their last line to its end, or until Ctrl-C, which only this process receives now. */
static bool ended_first(void) {
  const struct sigaction action = {.sa_handler = on_end};
  const int status = children[0].status;
  sigaction(SIGINT, &action, NULL);
  return WIFSIGNALED(status) || WEXITSTATUS(status) > 128;
}

/* Called repeatedly once all ranks must end: signals them, and kills them after PATIENCE. */
static void end_all(int count) {
  static f64 asked;
  if (asked == 0) {
    asked = ls_now();
    signal_all(count, ended_by ? ended_by : SIGTERM);
  } else if (ls_now() - asked > PATIENCE) {
    signal_all(count, SIGKILL);
  }
}

int ls_ranks_launch(int count, char **argv, bool prompt, f64 patience) {
  const int memory = memfd_create("lockstep ranks", 0); /* the ranks inherit it */
  void *at = MAP_FAILED;
  if (memory >= 0 && ftruncate(memory, (off_t)ls_shared_bytes(count)) == 0)
    at = mmap(NULL, ls_shared_bytes(count), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  if (at == MAP_FAILED || (prompt && !open_lines(count))) {
    fprintf(stderr, "lockstep: the shared memory or the pipes of %d ranks cannot be created: %s\n", count,
            strerror(errno));
    return 1;
  }
  ls_shared *shared = at;
  shared->count = count;
  shared->launcher = getpid();
  atomic_store(&shared->epoch, 1);
  share_cores(count);
  signal(SIGINT, SIG_IGN); /* the ranks receive Ctrl-C, too, and handle it */
  for (int r = 0; r < count; r++) {
    child *c = &children[r];
    int ends[2] = {-1, -1};
    c->pid = !prompt && pipe2(ends, O_CLOEXEC) != 0 ? -1 : fork();
    c->from = ends[0];
    if (c->pid == 0) become(r, count, memory, ends[1], argv, prompt, shared->launcher);
    if (ends[1] >= 0) close(ends[1]);
    if (c->pid > 0) continue;
    fprintf(stderr, "lockstep: rank %d cannot be started: %s\n", r, strerror(errno));
    for (int q = 0; q < r; q++) kill(children[q].pid, SIGTERM);
    return 1;
  }
  listen_for_end();
  bool first_gone = false;
  for (int r = 1; r < count && prompt; r++) /* so that the ranks see end of file when rank 0 ends */
    for (int e = 0; e < 2; e++) close(lines[r][e]), close(errors[r][e]);
  for (int left = count; left > 0; left = reap(shared, count)) {
    struct pollfd ears[LS_MOST_RANKS];
    int who[LS_MOST_RANKS], n = 0;
    for (int r = 0; r < count; r++)
      if (children[r].from >= 0) who[n] = r, ears[n++] = (struct pollfd){children[r].from, POLLIN, 0};
    poll(ears, (nfds_t)n, 20);
    for (int i = 0; i < n; i++)
      if (ears[i].revents) hear(who[i], &children[who[i]]);
    ls_messages_pass(false);
    if (prompt && children[0].pid == 0 && !first_gone) first_gone = true, first_ended = ended_first();
    if (ended_by || first_ended) end_all(count);
    if (patience > 0 && left < count) end_silent(shared, count, patience);
  }
  /* Reads the remaining messages, but not after a signal: programs that a rank has started may still hold the
   * pipe. */
  for (int r = 0; r < count && !ended_by; r++)
    while (children[r].from >= 0 && hear(r, &children[r])) continue;
  ls_messages_pass(true);
  if (ended_by) { /* end by the same signal, as its sender expects */
    signal(ended_by, SIG_DFL);
    raise(ended_by);
  }
  return exit_code(first_ended ? 1 : count);
}
