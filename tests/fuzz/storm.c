/* Storms: the program runs in its own terminal and gets random bytes, escape sequences, pastes, resizes and
 * signals, at random sizes down to 1 x 1.
 *
 *   storm [-v] [-n COUNT] [-s SEED] PROGRAM
 *
 * First come the storms that once caused a failure, then COUNT random ones, numbered from SEED on: `storm -n
 * 1 -s N` repeats number N with the same bytes. -v prints each event. Each storm ends with a signal, `quit`,
 * or the closing of its terminal. None may crash the program, make it ignore Ctrl-C, keep it from ending, or
 * leave a process behind. In a build with sanitizers, a report counts as a crash. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KEPT = 1 << 14, REPORT = 99, PATIENCE = 20 };

static bool verbose;
static char folder[] = "/tmp/lockstep-storm-XXXXXX";

/* --- the program on its terminal --------------------------------------------------------------------------
 */

static int fd = -1;
static pid_t child;
static bool ended;
static int status;
static char kept[KEPT]; /* the end of the program's output */
static size_t nkept;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void keep(const char *s, size_t n) {
  if (n > KEPT) s += n - KEPT, n = KEPT;
  size_t drop = nkept + n > KEPT ? nkept + n - KEPT : 0;
  memmove(kept, kept + drop, nkept - drop);
  nkept -= drop;
  memcpy(kept + nkept, s, n);
  nkept += n;
}

static bool has_said(const char *text) { return memmem(kept, nkept, text, strlen(text)) != NULL; }

/* Reads the program's output for `seconds`, or until it has ended. */
static void listen_for(double seconds) {
  for (double until = now() + seconds; !ended;) {
    char bytes[1 << 14];
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (poll(&p, 1, 5) > 0) {
      ssize_t n = read(fd, bytes, sizeof bytes);
      if (n > 0) keep(bytes, (size_t)n);
      if (n <= 0) usleep(1000);
    }
    ended = waitpid(child, &status, WNOHANG) == child;
    if (now() >= until) return;
  }
}

/* Input that does not fit because the program does not read is dropped, as by a terminal. */
static void type(const char *s, size_t n) {
  for (int turn = 0; n > 0 && turn < 50 && !ended && fd >= 0; turn++) {
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    if (poll(&p, 1, 0) > 0 && (p.revents & POLLOUT)) {
      ssize_t done = write(fd, s, n > 256 ? 256 : n);
      if (done > 0) s += done, n -= (size_t)done;
    }
    listen_for(0.002);
  }
}

static void type_text(const char *s) { type(s, strlen(s)); }

static void resize(int rows, int cols) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
  ioctl(fd, TIOCSWINSZ, &size);
}

static void begin(const char *program, const char *term, const char *inputrc, int rows, int cols) {
  struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
  nkept = 0;
  ended = false;
  child = forkpty(&fd, NULL, NULL, &size);
  if (child < 0) {
    perror("a terminal");
    exit(1);
  }
  if (child == 0) {
    setenv("HOME", folder, 1);
    setenv("TERM", term, 1);
    setenv("LANG", "C.UTF-8", 1);
    setenv("INPUTRC", inputrc, 1);
    setenv("VISUAL", "true", 1);
    /* its terminal may be closed, so the report goes to a file */
    setenv("ASAN_OPTIONS", "exitcode=99:detect_leaks=0:log_path=report:suppressions=suppressions", 1);
    setenv("UBSAN_OPTIONS", "exitcode=99:print_stacktrace=1:log_path=report", 1);
    unsetenv("LC_ALL");
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_DATA_HOME");
    unsetenv("XDG_CACHE_HOME");
    if (chdir(folder) != 0) _exit(126);
    execl(program, program, (char *)NULL);
    _exit(127);
  }
  for (double until = now() + PATIENCE; now() < until && !ended && !has_said("Ctrl-D");) listen_for(0.02);
  listen_for(0.05);
}

/* --- the state of the program --------------------------------------------------------------------------- */

/* The number of processes left in the program's session. */
static int left_over(void) {
  int count = 0;
  DIR *d = opendir("/proc");
  for (struct dirent *e; d && (e = readdir(d));) {
    char path[300], line[512];
    if (!isdigit((unsigned char)*e->d_name)) continue;
    snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
    FILE *f = fopen(path, "r");
    if (!f) continue;
    char *name = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    char state = 0;
    int session = 0;
    if (name && sscanf(name, ") %c %*d %*d %d", &state, &session) == 2 && session == child && state != 'Z')
      count++;
    fclose(f);
  }
  if (d) closedir(d);
  return count;
}

static const char *verdict(void) {
  static char text[80];
  if (!ended) return "it does not end";
  if (WIFSIGNALED(status)) {
    snprintf(text, sizeof text, "it was killed by signal %d", WTERMSIG(status));
    return text;
  }
  const int code = WEXITSTATUS(status);
  if (code == REPORT) return "the sanitizer reports an error";
  const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGKILL};
  for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
    if (code == 128 + fatal[i] || code == 126 || code == 127) {
      snprintf(text, sizeof text, "exit code %d", code);
      return text;
    }
  for (int i = 0; i < 100 && left_over() > 0; i++) usleep(20000);
  return left_over() > 0 ? "a process is left over" : NULL;
}

/* Whether the program reacts to Ctrl-C and then to a command. */
static bool listens(void) {
  char path[sizeof folder + 16];
  snprintf(path, sizeof path, "%s/alive", folder);
  unlink(path);
  resize(24, 80);
  for (double until = now() + PATIENCE; now() < until && !ended;) {
    kill(child, SIGCONT);
    type_text("\033"); /* two Escapes leave a view and a question; */
    listen_for(0.7);   /* after the pause, Escape is no start of a key sequence */
    type_text("\033");
    listen_for(0.7);
    type_text("\003");
    listen_for(0.2);
    type_text("\003");
    listen_for(0.3);
    type_text(":panel off\r");
    listen_for(0.2);
    type_text("io.open('alive', 'w'):close()\r");
    for (int i = 0; i < 40 && !ended; i++) {
      listen_for(0.05);
      if (access(path, F_OK) == 0) return true;
    }
  }
  return ended; /* if it has ended, the exit status decides */
}

static void end(int how) {
  kill(child, SIGCONT);
  if (verbose) printf("  end %d\n", how);
  if (how == 0) {
    kill(child, SIGTERM);
  } else if (how == 1) {
    kill(child, SIGHUP);
  } else if (how == 2) {
    close(fd);
    fd = -1;
  } else if (how == 5) {
    sleep(1); /* the program fills its buffers meanwhile */
    kill(child, SIGTERM);
  } else {
    type_text("\033");
    listen_for(0.7);
    type_text("\003\003");
    listen_for(0.3);
    type_text("quit\r");
    listen_for(3);
    if (!ended) kill(child, SIGTERM);
  }
  for (double until = now() + PATIENCE; now() < until && !ended;) {
    kill(child, SIGCONT);
    if (fd >= 0 && how != 5)
      listen_for(0.05);
    else
      usleep(5000), ended = waitpid(child, &status, WNOHANG) == child;
  }
}

/* Prints the sanitizer's report, if there is one, and removes it. */
static void print_report(void) {
  char path[sizeof folder + 32];
  int c;
  snprintf(path, sizeof path, "%s/report.%d", folder, (int)child);
  FILE *f = fopen(path, "r");
  if (!f) return;
  while ((c = fgetc(f)) != EOF) putchar(c);
  fclose(f);
  unlink(path);
}

static bool failed(const char *name, const char *why) {
  if (fd >= 0) close(fd);
  fd = -1;
  if (!ended) kill(child, SIGKILL), waitpid(child, &status, 0);
  if (!why) return false;
  printf("%s: %s; the end of what it sent:\n", name, why);
  fwrite(kept, 1, nkept, stdout);
  printf("\n\033[m");
  print_report();
  fflush(stdout);
  return true;
}

/* --- storms that once caused a failure ------------------------------------------------------------------ */

typedef struct known {
  const char *name, *keys[8]; /* each is typed separately, followed by a pause */
  int rows, cols;
  const char *term;
  int how;
  bool vi; /* Readline with the keys of vi */
} known;

static const known past[] = {
    {"a snapshot of a panel that was closed", {"\030a", "\030a", "x = {\r", "}\r", "snapshot f.txt\r"}},
    {"a search, then ^X and a digit", {"\022", "\0301", "x", "y"}, 0, 0, NULL, 3},
    {"a search, then ^X o", {"\022", "\030o", "x", "\r"}},
    {"a search, then an arrow", {"\022", "a", "\033[A", "x"}},
    {"a search in the panel, then its keys", {"\030a", "\022", "\033OS", "\030o", "\033[19~", "x", "\r"}},
    {"a search in the panel, then F6", {"\030a", "\022", "a", "\033[17~", "x", "\r"}},
    {"a search, then an unknown sequence", {"\022", "x", "\033[<0;5;5M"}, 0, 0, NULL, 4},
    {"a search in the panel, then an unknown sequence", {"\030a", "\022", "x\033[<0;5;5M"}, 0, 0, NULL, 4},
    {"a macro that ends in an unknown sequence", {"\030q"}, 0, 0, NULL, 4},
    {"the same in the panel", {"\030a", "\030q"}, 0, 0, NULL, 4},
    {"a macro that drops its argument", {"\030g"}, 0, 0, NULL, 4},
    {"a macro with a search and an unknown sequence", {"\030s"}, 0, 0, NULL, 4},
    {"a macro that calls itself", {"\030r"}, 0, 0, NULL, 4},
    {"the same in the panel", {"\030a", "\030r"}, 0, 0, NULL, 4},
    {"a paste without an end, and SIGTERM", {"\033[200~abc"}},
    {"a paste without an end in the panel, and SIGTERM", {"\030a", "\033[200~abc"}},
    {"a paste without an end, and Ctrl-C", {"\033[200~abc"}, 0, 0, NULL, 4},
    {"a paste without an end in the panel, and Ctrl-C", {"\030a", "\033[200~abc"}, 0, 0, NULL, 4},
    {"a paste without an end, and its terminal closed", {"\033[200~abc"}, 0, 0, NULL, 2},
    {"the same in the panel", {"\030a", "\033[200~abc"}, 0, 0, NULL, 2},
    {"Ctrl-S while something runs, and SIGHUP", {"while true do print(1) end\r", "\023"}, 0, 0, "dumb", 1},
    {"a terminal that reads nothing", {"while true do print(1) end\r"}, 0, 0, "dumb", 5},
    {"a terminal that reads nothing, with a panel", {"\030a", "while true do print(1) end\r"}, 0, 0, NULL, 5},
    {"half a character, and SIGTERM", {"\342"}},
    {"half a character, and Ctrl-C", {"\342"}, 0, 0, NULL, 4},
    {"half a character in a line of vi",
     {"\342\226", "\022ZMI\026\364r\254\352\032\357\253*", "\033x", "0e"},
     0,
     0,
     NULL,
     4,
     true},
    {"a character without a width in a line of vi", {"a 5^\302\233", "\033", "0w", "E"}, 0, 0, NULL, 4, true},
    {"the same, and completion", {"a e\314\201", "\033", "0w", "="}, 0, 0, NULL, 4, true},
    {"1 x 2", {"abcd", "\033[A", "gen.\t\t", "\r"}, 1, 2},
    {"2 x 2, no automatic wrap", {"abcd", "\033[A", "gen.\t\t", "\r"}, 2, 2, "dumb"},
    {"1 x 2 later on", {"abcd"}, 1, 2, NULL, 4},
    {"2 x 1", {"abcd", "\033[A", "gen.\t\t", "\r"}, 2, 1},
    {"2 x 1, no automatic wrap", {"abcd", "\033[A", "gen.\t\t", "\r"}, 2, 1, "ansi"},
    {"1 x 1 with a panel", {"\030a", "abcd", "\r", "\030a", "1\r"}, 1, 1, "dumb"},
    {"1 x 1, vt220", {"abcd", "\033[A", "gen.\t\t", "\r"}, 1, 1, "vt220"},
};

/* Readline's settings: macros, with the keys of emacs and of vi. */
static char emacs[sizeof folder + 8], vi[sizeof folder + 8];
static const char macros[] = "\"\\C-xq\": \"\\e[<0\"\n"
                             "\"\\C-xg\": \"\\e5\\C-g\"\n"
                             "\"\\C-xs\": \"a\\C-r1\\e[<z\"\n"
                             "\"\\C-xl\": \"1 + 1\\n2 + 40\\n\"\n"
                             "\"\\C-xr\": \"b\\C-xr\"\n";

static void write_settings(char *path, size_t room, const char *name, const char *mode) {
  snprintf(path, room, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  if (f) fprintf(f, "set editing-mode %s\n%s", mode, macros), fclose(f);
}

/* On a terminal without auto-wrap and with a long line, Readline 8.2 lets memcmp read beyond the end of its
 * buffer. */
static void write_suppressions(void) {
  char path[sizeof folder + 16];
  snprintf(path, sizeof path, "%s/suppressions", folder);
  FILE *f = fopen(path, "w");
  if (f) fputs("interceptor_via_fun:rl_redisplay\n", f), fclose(f);
}

static bool storm_known(const char *program, const known *k) {
  begin(program, k->term ? k->term : "xterm-256color", k->vi ? vi : emacs, k->rows ? k->rows : 24,
        k->cols ? k->cols : 80);
  for (int i = 0; i < 8 && k->keys[i]; i++) {
    type_text(k->keys[i]);
    listen_for(0.25);
  }
  const char *why = k->how != 4 || listens() ? NULL : "it is deaf";
  end(k->how == 4 ? 0 : k->how);
  return failed(k->name, why ? why : verdict());
}

/* --- random storms -------------------------------------------------------------------------------------- */

static uint64_t state;

static uint32_t any(uint32_t below) { /* splitmix64 */
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ (z >> 31)) % below);
}

/* Key sequences, separated by blanks. */
static const char keys[] =
    "\001 \002 \005 \006 \007 \b \t \t\t \n \v \f \r \016 \017 \020 \021 \022 \022a \023 \024 "
    "\025 \026 \027 \031 \032 \035x \036 \037 \033 \177 \0301 \0302 \0303 \0304 \0305 \0306 "
    "\0307 \0308 \0309 \030a \030a \030o \030z \030b \030f \030q \030g \030s \030l \030r \030\030 \030( \030)e \030\025 \030 "
    "\033x \0335 \033-3 \033[A \033[B \033[C \033[D \033[H \033[F \033[5~ \033[6~ \033[2~ "
    "\033[3~ \033[Z \033OP \033OQ \033OR \033OS \033[15~ \033[17~ \033[18~ \033[19~ \033[20~ "
    "\033[21~ \033[24~ \033[1;5A \033[200~ \033[201~ \033[200~a\nb\033[201~ \033[ \033O \033]0;x "
    "\033[<0;5;5M \033p \033n \033b \033f \033. \033? \033* \033y \033\020 \033\035a \033t \033u "
    "\026 \035 d d2 df f 3 \033p / n N s r b j k \342\226 \360\237 \303\251 \xff \302\233 \342\200\256 \003 \003\003";
enum { NKEYS = 124 };

static const char *const lines[] = {"1 + 1",
                                    "1 +",
                                    "x = {",
                                    "}",
                                    "for i = 1, 3 do",
                                    "end",
                                    "end",
                                    "help",
                                    "help trim",
                                    "?scc",
                                    "??trim",
                                    "stats",
                                    "trace 5",
                                    "info",
                                    "device",
                                    "journal",
                                    "start scc.forward_backward(g)",
                                    "start scc(g)",
                                    "start ocm(g)",
                                    "step",
                                    "step 7",
                                    "next",
                                    "iter",
                                    "continue",
                                    "until moved == 0",
                                    "break trim",
                                    "tbreak iter 2",
                                    "delete",
                                    "watch g.n",
                                    "display g",
                                    "undisplay",
                                    "where",
                                    "bt",
                                    "locals",
                                    "drop",
                                    "back",
                                    "back 3",
                                    "forward",
                                    "panel",
                                    "panel off",
                                    "panel graph",
                                    "panel buffers",
                                    "panel inspector",
                                    "panel log",
                                    "panel timing",
                                    "panel nothing",
                                    "compare cpu cpu:1",
                                    "compare off",
                                    "snapshot f.svg",
                                    "snapshot f.html",
                                    "snapshot f.txt",
                                    "plot{1, 2, 3}",
                                    "plot",
                                    "lesson",
                                    "lesson 1",
                                    "lesson next",
                                    "lesson off",
                                    "!echo hello",
                                    "!seq 300",
                                    "!sleep 0.1",
                                    "!!echo aside",
                                    "checkpoint c.ckpt",
                                    "trace save t.json",
                                    "source nowhere",
                                    "load nowhere.gr",
                                    "while true do end",
                                    "while true do pcall(function() while true do end end) end",
                                    "for i = 1, 1e6 do print(i) end",
                                    "io.read()",
                                    "print('\\27[2J\\27]0;title\\7\\155')",
                                    "('x'):rep(5000)",
                                    "error({})",
                                    "g",
                                    "g:stats()",
                                    "scc(g):show()",
                                    "g = gen.rmat{scale = 8}",
                                    "g = gen.grid{20, 20}",
                                    "g = gen.uniform{n = 300, m = 900, seed = 3}",
                                    "setmetatable({}, {__tostring = function() return 'y' end})",
                                    "coroutine.wrap(function() scc(g) end)()",
                                    "gen.",
                                    "a = 'unfinished",
                                    "--[[",
                                    "]]",
                                    "= 3",
                                    ":help",
                                    "\303\244 = 1",
                                    "local z = 3"};

static void say(const char *what, const char *s, size_t n) {
  if (!verbose) return;
  printf("  %s ", what);
  for (size_t i = 0; i < n; i++)
    if (s[i] > 0x20 && s[i] < 0x7f && s[i] != '\\')
      putchar(s[i]);
    else
      printf("\\%03o", (unsigned char)s[i]);
  putchar('\n');
}

static void some_bytes(void) {
  char bytes[24];
  const int n = 1 + (int)any(sizeof bytes);
  for (int i = 0; i < n; i++) {
    bytes[i] = (char)any(any(2) ? 256 : 128);
    if (bytes[i] == 4 || bytes[i] == 0x1c)
      bytes[i] = 'x'; /* Ctrl-D would end the program, and so would Ctrl-\ */
  }
  say("bytes", bytes, (size_t)n);
  type(bytes, (size_t)n);
}

static void a_line(void) {
  const char *s = lines[any(sizeof lines / sizeof *lines)];
  const bool whole = any(8) != 0;
  const size_t n = whole ? strlen(s) : any((uint32_t)strlen(s) + 1);
  say("line", s, n);
  type(s, n);
  if (whole) type_text("\r");
}

static void a_paste(void) {
  type_text("\033[200~");
  for (int i = (int)any(6); i > 0; i--) a_line();
  if (any(10)) type_text("\033[201~\r");
}

static void a_size(void) {
  static const int few[] = {0, 1, 2, 3, 4, 5, 10, 24, 40, 80, 132, 200, 500};
  const int rows = few[any(13)], cols = few[any(13)];
  if (verbose) printf("  size %d x %d\n", rows, cols);
  resize(rows, cols);
}

static void a_signal(void) {
  static const int some[] = {SIGINT, SIGINT, SIGWINCH, SIGTSTP, SIGCONT, SIGPIPE};
  const int sent = some[any(6)];
  if (verbose) printf("  signal %d\n", sent);
  kill(child, sent);
}

static bool storm_random(const char *program, unsigned number) {
  static const char *const terms[] = {"xterm-256color", "xterm-256color", "screen", "vt100",
                                      "linux",          "ansi",           "dumb"};
  char name[40];
  state = number;
  snprintf(name, sizeof name, "storm %u", number);
  const int rows = any(3) ? 24 : 1 + (int)any(6), cols = any(3) ? 80 : 1 + (int)any(6);
  const char *term = terms[any(7)], *inputrc = any(6) ? emacs : vi;
  if (verbose) printf("%s: %d x %d, %s, %s\n", name, rows, cols, term, inputrc);
  begin(program, term, inputrc, rows, cols);
  type_text("g = gen.uniform{n = 60, m = 200, seed = 2}\r");
  if (any(2)) type_text("\030a");
  for (int i = 20 + (int)any(60); i > 0 && !ended; i--) {
    switch (any(12)) {
    case 0: some_bytes(); break;
    case 1: a_paste(); break;
    case 2: a_size(); break;
    case 3: a_signal(); break;
    case 4:
    case 5:
    case 6: a_line(); break;
    default: {
      const char *s = keys;
      for (uint32_t skip = any(NKEYS); skip > 0; skip--) s = strchr(s, ' ') + 1;
      say("key", s, strcspn(s, " "));
      type(s, strcspn(s, " "));
    }
    }
    static const double pauses[] = {0, 0.003, 0.01, 0.06};
    listen_for(pauses[any(4)]);
    kill(child, SIGCONT); /* as a shell would */
  }
  const char *why = any(3) || listens() ? NULL : "it is deaf";
  end((int)any(4));
  return failed(name, why ? why : verdict());
}

static int remove_one(const char *path, const struct stat *s, int flag, struct FTW *w) {
  (void)s, (void)flag, (void)w;
  return remove(path);
}

int main(int argc, char **argv) {
  int count = 100, option, bad = 0;
  unsigned seed = 1;
  while ((option = getopt(argc, argv, "vn:s:")) != -1) {
    if (option == 'v') verbose = true;
    if (option == 'n') count = atoi(optarg);
    if (option == 's') seed = (unsigned)strtoul(optarg, NULL, 10);
    if (option == '?') return 2;
  }
  char *program = optind + 1 == argc ? realpath(argv[optind], NULL) : NULL;
  if (!program || !mkdtemp(folder)) {
    fprintf(stderr, "usage: storm [-v] [-n COUNT] [-s SEED] PROGRAM\n");
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  write_settings(emacs, sizeof emacs, "emacs", "emacs");
  write_settings(vi, sizeof vi, "vi", "vi");
  write_suppressions();
  const size_t nknown = seed == 1 ? sizeof past / sizeof *past : 0;
  const char *part = getenv("TEST_PART"); /* 0 to 9: only that tenth of the known and of the random storms */
  const bool tenth = part && *part;
  const size_t first = tenth ? (size_t)atoi(part) : 0, stride = tenth ? 10 : 1;
  size_t ran = 0;
  for (size_t i = first; i < nknown + (size_t)count; i += stride, ran++)
    bad += i < nknown ? storm_known(program, &past[i]) : storm_random(program, seed + (unsigned)(i - nknown));
  printf("%zu known storms, %d random ones: %zu tried, %d failed\n", nknown, count, ran, bad);
  nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  free(program);
  return bad > 0;
}
