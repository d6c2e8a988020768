/* Sends signals during work: the program runs on its own terminal and gets SIGINT, SIGTERM, SIGHUP or SIGKILL
 * at a random time during each kind of work.
 *
 *   signals [-v] [-n COUNT] [-s SEED] [-k KIND] PROGRAM
 *
 * COUNT signals for each kind (100 for a long trial); -k: only the kinds whose name begins with KIND. After
 * Ctrl-C the session must answer; SIGTERM and SIGHUP must end it within 5 s. Then no process, no temporary
 * file and no partial file may be left, and the terminal must have its original modes. After SIGKILL no
 * process may be left; a folder of temporary files may remain, which the next session removes. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

#define ODE "v = model.from_text[[x' = y\ry' = 100*(1 - x^2)*y - x\rx(0) = 2\ry(0) = 0]]\r"

typedef struct kind {
  const char *name, *before, *work;
  int ranks;
} kind;

static const kind kinds[] = {
    {"load", NULL, "for i = 1, 1000 do graph.load '../big.gr' end", 0},
    {"mdve", NULL, "model.load '../slow.mdve'", 0},
    {"compile", NULL, "dve.compile(model.load(model.sample 'philosophers.dve'))", 0},
    {"explore", "m = model.load '../many.dve'\r", "explore(m)", 0},
    {"cvode", ODE, "simulate(v, {stop = 1e6, dt = 0.001, every = 1, method = 'cvode'})", 0},
    {"ensemble", ODE, "simulate(v, {stop = 1e4, steps = 10, method = 'dopri5', instances = 1000})", 0},
    {"sssp", "g = gen.rmat{scale = 14}\r", "for i = 1, 1e6 do sssp(g, 1) end", 0},
    {"scc", "g = gen.rmat{scale = 14}\r", "for i = 1, 1e6 do scc(g) end", 0},
    {"ocm", "g = gen.rmat{scale = 12}\r", "for i = 1, 1e6 do ocm(g) end", 0},
    {"apsp", "g = gen.uniform{n = 700, m = 5000}\r", "for i = 1, 1e6 do apsp(g) end", 0},
    {"checkpoint", "g = gen.rmat{scale = 14}\r", "checkpoint('c.ckpt', 1) for i = 1, 1e6 do scc(g) end", 0},
    {"stream", ODE, "simulate(v, {stop = 1e6, dt = 0.001, every = 0.01, method = 'rk4', stream = 'r.csv'})",
     0},
    {"save", "g = gen.rmat{scale = 16}\r", "for i = 1, 1e6 do g:save 'out.gr' end", 0},
    {"plot", NULL, "for i = 1, 1e6 do plot{{1, 2, 3}, file = 'p.svg'} end", 0},
    {"editor", NULL, "edit f.lua", 0},
    {"sleep", NULL, "!(sleep 30; true); true", 0},
    {"lesson", "lesson 1\r", "!!stty -echo -icanon; sleep 30; true", 0},
    {"panel", "g = gen.rmat{scale = 12}\rpanel\r", "for i = 1, 1e6 do scc(g) end", 0},
    {"deaf", NULL, "(('a'):rep(60)):find(('a-'):rep(30) .. 'b')", 0},
    {"ranks", "x = buffer.new('u32', 1000)\r", "for i = 1, 1e6 do all_reduce(x, 0) end", 3},
    {"ranks deaf", NULL, "(('a'):rep(60)):find(('a-'):rep(30) .. 'b')", 3},
};

static bool verbose;
static char root[] = "/tmp/signals-trial-XXXXXX", mark[64], said[1 << 16];
static size_t nsaid;
static int master = -1, slave = -1, ends = -1;
static pid_t shell, session;
static bool ended;
static struct termios modes;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads for `seconds`, or until `text` appears or the session has ended. */
static bool listen_for(double seconds, const char *text) {
  for (double until = now() + seconds; !ended;) {
    char bytes[4096];
    struct pollfd p[2] = {{master, POLLIN, 0}, {ends, POLLIN, 0}};
    if (poll(p, 2, 10) > 0) {
      const ssize_t n = p[0].revents & POLLIN ? read(master, bytes, sizeof bytes) : 0;
      if (n > 0) {
        if (nsaid + (size_t)n >= sizeof said) nsaid = 0;
        memcpy(said + nsaid, bytes, (size_t)n);
        said[nsaid += (size_t)n] = 0;
      }
      int status;
      if (n <= 0 && p[1].revents) ended = read(ends, &status, sizeof status) >= 0;
    }
    if (text && memmem(said, nsaid, text, strlen(text))) return true;
    if (now() >= until) return false;
  }
  return false;
}

static void type(const char *s) {
  if (write(master, s, strlen(s)) < 0) perror("the terminal");
}

/* Runs the program as a shell would: as a job of a process that leads the terminal's session and outlives
 * the program. */
static void run_job(const char *program, const kind *k, int to) {
  int status;
  char count[8];
  snprintf(count, sizeof count, "%d", k->ranks);
  signal(SIGTTOU, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  const pid_t job = fork();
  if (job == 0) {
    setpgid(0, 0);
    tcsetpgrp(0, getpid());
    signal(SIGTTOU, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    setenv("SIGNALS_MARK", mark, 1);
    char path[128];
    if (chdir(root) || chdir("trial")) _exit(126);
    snprintf(path, sizeof path, "%s/trial/tmp", root);
    setenv("TMPDIR", path, 1);
    snprintf(path, sizeof path, "%s/trial", root);
    setenv("HOME", path, 1);
    setenv("VISUAL", "sh -c 'stty -echo -icanon; sleep 30; true'", 1);
    setenv("TERM", "xterm-256color", 1);
    setenv("OMP_NUM_THREADS", "2", 1);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_DATA_HOME");
    if (k->ranks)
      execl(program, program, "--ranks", count, (char *)NULL);
    else
      execl(program, program, (char *)NULL);
    _exit(127);
  }
  if (write(to, &job, sizeof job) < 0) _exit(1);
  while (waitpid(job, &status, 0) < 0 && errno == EINTR) {}
  if (write(to, &status, sizeof status) < 0) _exit(1);
  for (;;) pause();
}

/* The number of processes whose environment has this trial's `mark`. */
static int left(void) {
  int count = 0;
  DIR *d = opendir("/proc");
  for (struct dirent *e; d && (e = readdir(d));) {
    static char path[300], text[1 << 16];
    if (!isdigit((unsigned char)*e->d_name)) continue;
    snprintf(path, sizeof path, "/proc/%s/environ", e->d_name);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text);
    if (fd >= 0) close(fd);
    if (n > 0 && memmem(text, (size_t)n, mark, strlen(mark))) count++;
  }
  if (d) closedir(d);
  return count;
}

static char found[256];
static bool killed;

static int remove_one(const char *path, const struct stat *s, int flag, struct FTW *w) {
  (void)s, (void)flag, (void)w;
  return remove(path);
}

/* Finds temporary files and partial files, NAME.PID.NUMBER. */
static int look(const char *path, const struct stat *s, int flag, struct FTW *w) {
  (void)s, (void)flag;
  const char *in = strstr(path, "/tmp/lockstep-work-"), *last = strrchr(path, '.');
  if (strstr(path, "/trial/tmp/")) {
    if (!killed || !in) snprintf(found, sizeof found, "%s", path);
  } else if (w->level > 0 && last && !killed && last[1] &&
             strspn(last + 1, "0123456789") == strlen(last + 1)) {
    snprintf(found, sizeof found, "%s", path);
  }
  return 0;
}

/* Reads the output that ranks still write after their launcher has ended. */
static void drain(void) {
  char bytes[4096];
  struct pollfd p = {master, POLLIN, 0};
  if (poll(&p, 1, 50) > 0 && read(master, bytes, sizeof bytes) < 0) usleep(50000);
}

static const char *wait_end(double seconds) {
  listen_for(seconds, NULL);
  return ended ? NULL : "the session has not ended after 5 s";
}

static const char third[] = "ended by the third Ctrl-C";

static const char *trial(const char *program, const kind *k, int sent, double moment) {
  char path[128];
  int to[2];
  const char *why = NULL;
  struct winsize size = {.ws_row = 24, .ws_col = 80};
  snprintf(path, sizeof path, "%s/trial", root);
  nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  mkdir(path, 0700);
  snprintf(path, sizeof path, "%s/trial/tmp", root);
  mkdir(path, 0700);
  snprintf(path, sizeof path, "%s/trial/f.lua", root);
  fclose(fopen(path, "w"));
  if (openpty(&master, &slave, NULL, NULL, &size) || pipe2(to, O_CLOEXEC)) return "no terminal";
  tcgetattr(slave, &modes);
  nsaid = 0;
  ended = false;
  killed = sent == SIGKILL;
  shell = fork();
  if (shell == 0) {
    close(to[0]);
    close(master);
    login_tty(slave);
    run_job(program, k, to[1]);
  }
  close(to[1]);
  ends = to[0];
  if (read(ends, &session, sizeof session) != sizeof session) why = "it is not started";
  if (!why && !listen_for(20, "Ctrl-D")) why = "no prompt";
  listen_for(0.1, NULL);
  if (!why && k->before) type(k->before), listen_for(0.5, NULL);
  if (!why) {
    type(k->work);
    type("\r");
    listen_for(moment, NULL);
    if (sent != SIGINT) {
      kill(session, sent);
    } else {
      bool answers = false;
      for (double until = now() + 12; !answers && !ended && now() < until;) {
        type("\003");
        listen_for(0.2, NULL);
        type("print(('ans'):upper() .. 6 * 7)\r");
        answers =
            listen_for(2, "ANS42") ||
            memmem(said, nsaid, third,
                   strlen(third)); /* a program that does not react to Ctrl-C is ended by the third one */
      }
      if (!answers) why = "it does not answer after Ctrl-C";
      kill(session, SIGTERM);
    }
    const char *late = wait_end(5);
    if (!why) why = late;
  }
  for (double until = now() + 3; left() > 0 && now() < until;) drain();
  const bool below = killed && (k->work[0] == '!' || strncmp(k->work, "edit", 4) == 0);
  if (!why && !below && left() > 0) why = "a process is left";
  struct termios after;
  if (!why && !killed && tcgetattr(slave, &after) == 0 &&
      ((after.c_lflag ^ modes.c_lflag) & (ECHO | ICANON | ISIG)))
    why = "the terminal's modes are not as before";
  found[0] = 0;
  snprintf(path, sizeof path, "%s/trial", root);
  nftw(path, look, 16, FTW_PHYS);
  if (!why && found[0]) why = found;
  if (!ended) kill(session, SIGKILL);
  kill(shell, SIGKILL);
  waitpid(shell, NULL, 0);
  close(master), close(slave), close(ends);
  return why;
}

static void write_file(const char *name, const char *text) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", root, name);
  FILE *f = fopen(path, "w");
  if (f) fputs(text, f), fclose(f);
}

static void write_inputs(void) {
  char path[128];
  write_file("slow.mdve", "define(`x',`x')x\n");
  write_file(
      "many.dve",
      "int a, b, c;\nprocess P { state q; init q; trans q -> q { effect a = (a + 1) % 1000; }, "
      "q -> q { effect b = (b + 1) % 1000; }, q -> q { effect c = (c + 1) % 1000; }; }\nsystem async;\n");
  snprintf(path, sizeof path, "%s/big.gr", root);
  FILE *f = fopen(path, "w");
  if (!f) return;
  fprintf(f, "p sp 20000 300000\n");
  for (int i = 0; i < 300000; i++) fprintf(f, "a %d %d %d\n", i % 20000 + 1, i * 7 % 19997 + 1, i % 50);
  fclose(f);
}

int main(int argc, char **argv) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGKILL};
  int count = 3, option, bad = 0, total = 0;
  unsigned seed = 1;
  const char *only = "";
  while ((option = getopt(argc, argv, "vn:s:k:")) != -1) {
    if (option == 'v') verbose = true;
    if (option == 'n') count = atoi(optarg);
    if (option == 's') seed = (unsigned)strtoul(optarg, NULL, 10);
    if (option == 'k') only = optarg;
    if (option == '?') return 2;
  }
  char *program = optind + 1 == argc ? realpath(argv[optind], NULL) : NULL;
  if (!program || !mkdtemp(root)) {
    fprintf(stderr, "usage: signals [-v] [-n COUNT] [-s SEED] [-k KIND] PROGRAM\n");
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  signal(SIGPIPE, SIG_IGN);
  write_inputs();
  const size_t nkinds = sizeof kinds / sizeof *kinds;
  for (size_t i = 0; i < nkinds; i++) {
    if (strncmp(kinds[i].name, only, strlen(only)) != 0) continue;
    int failed = 0;
    for (int j = 0; j < count; j++) {
      srand(seed * 7919u + (unsigned)i * 101u + (unsigned)j);
      const int sent = signals[((size_t)j + i + seed) % 4];
      const double moment = 0.6 * rand() / RAND_MAX;
      snprintf(mark, sizeof mark, "trial-%d-%zu-%d;", (int)getpid(), i, j);
      const char *why = trial(program, &kinds[i], sent, moment);
      if (verbose || why)
        printf("%s %d, %s after %.3f s: %s\n", kinds[i].name, j, strsignal(sent), moment, why ? why : "fine");
      if (why && verbose) printf("it sent: %.3000s\n", nsaid > 3000 ? said + nsaid - 3000 : said);
      failed += why != NULL;
      total++;
    }
    printf("%s: %d signals, %d failed\n", kinds[i].name, count, failed);
    bad += failed;
  }
  printf("%d signals, %d failed\n", total, bad);
  nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  free(program);
  return bad > 0;
}
