/* Runs a program on its own pseudoterminal and reports the amount of output: for measurements without tmux.
 *
 *   pty [-k SECONDS] [-s ROWSxCOLS] [-o FILE] PROGRAM [ARGUMENTS]
 *
 * -o writes the output to FILE. At the end it prints the number of bursts of output (redraws, separated by at
 * least 8 ms of silence) in the second half of the run, their median, 95th percentile and maximum in bytes,
 * and their rate per second. -k: ends the program (SIGTERM) after SECONDS; otherwise the program ends by
 * itself, and pty exits with its exit code. */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1 << 20 };

typedef struct burst {
  double begun;
  long bytes;
} burst;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_bytes(const void *a, const void *b) {
  long x = ((const burst *)a)->bytes, y = ((const burst *)b)->bytes;
  return x < y ? -1 : x > y;
}

static void report(burst *all, int count, double begun, double ended) {
  int first = 0;
  while (first < count && all[first].begun < (begun + ended) / 2) first++;
  int n = count - first;
  double seconds = (ended - begun) / 2;
  if (n == 0) {
    printf("redraws 0\n");
    return;
  }
  qsort(all + first, (size_t)n, sizeof *all, by_bytes);
  printf("redraws %d a-second %.1f median %ld p95 %ld max %ld\n", n, n / seconds, all[first + n / 2].bytes,
         all[first + n * 95 / 100].bytes, all[first + n - 1].bytes);
}

int main(int argc, char **argv) {
  double end_after = 0;
  FILE *kept = NULL;
  struct winsize size = {.ws_row = 24, .ws_col = 80};
  int option, status = 0;
  while ((option = getopt(argc, argv, "+k:s:o:")) != -1) {
    if (option == 'k') end_after = atof(optarg);
    if (option == 's' && sscanf(optarg, "%hux%hu", &size.ws_row, &size.ws_col) != 2) return 2;
    if (option == 'o' && !(kept = fopen(optarg, "wb"))) return perror(optarg), 1;
    if (option == '?') return 2;
  }
  if (optind == argc) return 2;
  burst *all = calloc(MOST, sizeof *all);
  if (!all) return 1;
  int fd;
  pid_t child = forkpty(&fd, NULL, NULL, &size);
  if (child < 0) return perror("pty"), 1;
  if (child == 0) {
    execvp(argv[optind], argv + optind);
    perror(argv[optind]);
    _exit(127);
  }
  double begun = now(), last = 0, ended = 0;
  int count = 0;
  for (;;) {
    static char bytes[1 << 16];
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int ready = poll(&p, 1, 20);
    double t = now();
    if (ready > 0) {
      ssize_t n = read(fd, bytes, sizeof bytes);
      if (n <= 0) break; /* EIO: the program has ended */
      if ((count == 0 || t - last > 0.008) && count < MOST) all[count++] = (burst){t, 0};
      all[count - 1].bytes += n;
      last = t;
      if (kept) fwrite(bytes, 1, (size_t)n, kept);
    }
    if (end_after > 0 && ended == 0 && t - begun > end_after) {
      ended = t;
      kill(child, SIGTERM);
    }
  }
  waitpid(child, &status, 0);
  if (ended == 0) ended = now();
  while (count > 0 && all[count - 1].begun >= ended) count--; /* the output at exit is not a redraw */
  report(all, count, begun, ended);
  free(all);
  if (kept) fclose(kept);
  return end_after > 0 ? 0 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
