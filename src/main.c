/* Options, the choice between prompt, script and filter, and exit codes. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <langinfo.h>

#include "compile/kernel.h"
#include "core/folder.h"
#include "core/mem.h"
#include "core/output.h"
#include "core/escape.h"
#include "core/wait.h"
#include "lua/open.h"
#include "panel/keys/prompt_hooks.h"
#include "panel/views/lesson_reader.h"
#include "panel/canvas/output_capture.h"
#include "panel/panel.h"
#include "panel/canvas/pictures.h"
#include "ranks/shared_prompt.h"
#include "ranks/ranks.h"
#include "ranks/terminal.h"
#include "repl/commands/command.h"
#include "repl/repl.h"
#include "run/devices/device.h"
#include "run/record/journal.h"
#include "version.h"

#ifndef LOCKSTEP_NVCC
#define LOCKSTEP_NVCC "none"
#endif

#define LOCKSTEP_SPINS "1000" /* about ten microseconds */

enum { USAGE = 2, MOST_CHUNKS = 64 };

typedef struct options {
  const char *chunks[MOST_CHUNKS];
  int nchunks;
  const char *backend, *color, *symbols;
  bool prompt, bounds, races;
  int ranks; /* processes to start; 0: none */
  double patience;
  u64 memory; /* bytes; 0: no limit */
  int script; /* its index in argv; 0: none */
} options;

static const char usage[] =
    "usage: lockstep [options] [script.lua [args...]]\n"
    "       lockstep judge KIND [options] -- PROGRAM {graph.gr} {out}     (lockstep -e 'help judging')\n"
    "\n"
    "Runs data-parallel graph algorithms in lockstep with you: a Lua prompt, or a script (- is standard input).\n"
    "\n"
    "  -e CHUNK          run this text (Lua or a prompt command) first; may be given several times\n"
    "  -i                prompt after -e or the script\n"
    "  --backend NAME    auto, cpu, cpu:1 (one thread, in order), cuda or cuda:K; auto is the default\n"
    "  --ranks N         N processes run the script together (lockstep -e 'help ranks')\n"
    "  --patience S      a rank that gives no sign of life for S seconds counts as lost (60; 0: never)\n"
    "  --memory SIZE     limits the buffers of each process on its device: 64MiB, 2GiB; temporary memory of\n"
    "                    primitives comes on top (lockstep -e 'help parts')\n"
    "  --bounds          accesses outside of arrays are errors, in all kernels (lockstep -e 'help bounds')\n"
    "  --races           races between threads are errors, in all kernels (lockstep -e 'help races')\n"
    "  --json            values and answers as JSON lines (lockstep -e 'help json')\n"
    "  --csv             values and answers as comma-separated values\n"
    "  --color WHEN      auto, always or never; NO_COLOR in the environment means never\n"
    "  --symbols SET     braille, block or ascii: the characters that draw plots\n"
    "  --version         version, commit, compiler, CUDA and Lua\n"
    "  --help            this text\n"
    "\n"
    "Without a script: a prompt on a terminal, else lines are read from standard input (help input).\n"
    "Data goes to standard output, messages to standard error.\n"
    "Exit codes: 0 fine, 1 script error or failed check, 2 usage, 3 unreadable input, 4 device, 130 interrupted.\n";

static int wrong_usage(const char *what, const char *value) {
  char shown[256];
  fprintf(stderr, "lockstep: %s%s\n(lockstep --help lists the options)\n", what,
          ls_escaped(value, 0, shown, sizeof shown));
  return USAGE;
}

/* --name VALUE and --name=VALUE. */
static bool takes(const char *name, int argc, char **argv, int *i, const char **value) {
  size_t len = strlen(name);
  if (strncmp(argv[*i], name, len) != 0) return false;
  if (argv[*i][len] == '=') {
    *value = argv[*i] + len + 1;
    return true;
  }
  if (argv[*i][len]) return false;
  *value = *i + 1 < argc ? argv[++*i] : NULL;
  return true;
}

/* "64MiB", "2 GiB", in bytes; 0: it is not a size. */
static u64 size_of(const char *text) {
  static const char *const units[] = {"KiB", "MiB", "GiB"};
  char *end;
  const u64 n = *text >= '1' && *text <= '9' ? strtoull(text, &end, 10) : 0;
  for (int i = 0; n && i < 3; i++)
    if (strcmp(end + (*end == ' '), units[i]) == 0 && n < (u64)1 << (53 - 10 * (i + 1)))
      return n << 10 * (i + 1);
  return 0;
}

/* Returns -1 to go on, else the exit code. */
static int parse(int argc, char **argv, options *o) {
  *o = (options){.color = "auto", .patience = 60};
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i], *value = "";
    if (a[0] != '-' || !a[1]) {
      o->script = i;
      break;
    } else if (strcmp(a, "--") == 0) {
      if (i + 1 < argc) o->script = i + 1;
      break;
    } else if (strcmp(a, "--help") == 0 || strcmp(a, "-h") == 0) {
      fputs(usage, stdout);
      return 0;
    } else if (strcmp(a, "--version") == 0 || strcmp(a, "-v") == 0) {
      printf("lockstep %s (commit %s)\ncompiler %s\nCUDA %s\n%s\n", LOCKSTEP_VERSION, LOCKSTEP_COMMIT,
             LOCKSTEP_COMPILER, LOCKSTEP_NVCC, LUA_RELEASE);
      return 0;
    } else if (strcmp(a, "-i") == 0) {
      o->prompt = true;
    } else if (strcmp(a, "--bounds") == 0) {
      o->bounds = true;
    } else if (strcmp(a, "--races") == 0) {
      o->races = true;
    } else if (strcmp(a, "--json") == 0) {
      ls_out.form = LS_JSON;
    } else if (strcmp(a, "--csv") == 0) {
      ls_out.form = LS_CSV;
    } else if (takes("-e", argc, argv, &i, &value)) {
      if (!value) return wrong_usage("-e needs a text", "");
      if (o->nchunks == MOST_CHUNKS) return wrong_usage("too many -e", "");
      o->chunks[o->nchunks++] = value;
    } else if (takes("--backend", argc, argv, &i, &o->backend)) {
      if (!o->backend) return wrong_usage("--backend needs a device: auto, cpu, cpu:1, cuda or cuda:K", "");
    } else if (takes("--ranks", argc, argv, &i, &value)) {
      o->ranks = value && strspn(value, "0123456789") == strlen(value) ? atoi(value) : 0;
      if (o->ranks < 1 || o->ranks > LS_MOST_RANKS)
        return wrong_usage("--ranks needs a number of processes, from 1 to 256", "");
    } else if (takes("--patience", argc, argv, &i, &value)) {
      char *end = "";
      o->patience = value ? strtod(value, &end) : -1;
      if (!value || end == value || *end || !(o->patience >= 0 && o->patience <= 1e9))
        return wrong_usage("--patience needs seconds, 0 or more", "");
    } else if (takes("--memory", argc, argv, &i, &value)) {
      if (!value || !(o->memory = size_of(value)))
        return wrong_usage("--memory needs a size, as 64MiB or 2GiB", "");
    } else if (takes("--color", argc, argv, &i, &o->color)) {
      if (!o->color || (strcmp(o->color, "auto") && strcmp(o->color, "always") && strcmp(o->color, "never")))
        return wrong_usage("--color needs auto, always or never", "");
    } else if (takes("--symbols", argc, argv, &i, &o->symbols)) {
      if (!o->symbols ||
          (strcmp(o->symbols, "braille") && strcmp(o->symbols, "block") && strcmp(o->symbols, "ascii")))
        return wrong_usage("--symbols needs braille, block or ascii", "");
    } else {
      return wrong_usage("unknown option ", a);
    }
  }
  return -1;
}

static void settle_output(const options *o) {
  const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
  bool dumb = !term || strcmp(term, "dumb") == 0;
  if (strcmp(o->color, "auto") == 0)
    ls_out.color = isatty(STDOUT_FILENO) && isatty(STDERR_FILENO) && !dumb && !(no_color && *no_color);
  else
    ls_out.color = strcmp(o->color, "always") == 0;
  if (o->symbols)
    ls_out.symbols = strcmp(o->symbols, "braille") == 0 ? LS_BRAILLE
                     : strcmp(o->symbols, "block") == 0 ? LS_HALF_BLOCK
                                                        : LS_ASCII;
  else if (!dumb && strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
    ls_out.symbols =
        strcmp(term, "linux") == 0 ? LS_HALF_BLOCK : LS_BRAILLE; /* the console's font has no braille */
  ls_progress_enable(isatty(STDERR_FILENO));
}

/* Runs the script, unless its name is that of a graph's or a model's file. */
static ls_status run_script(int argc, char **argv) {
  ls_interrupt_clear();
  ls_clear_status();
  if (ls_is_tool(argv[0]) && access(argv[0], F_OK) != 0) return ls_run_tool(argc, argv);
  ls_status st = ls_refuse_data(argv[0]);
  if (st) {
    fprintf(stderr, "lockstep: %s\n", ls_error());
    return st;
  }
  st = ls_run_script(argv[0], argc - 1, argv + 1);
  ls_interrupt_clear();
  return st;
}

static ls_status run_all(const options *o, int argc, char **argv, bool prompt, bool filter) {
  ls_status st = LS_OK, first = LS_OK;
  int code;
  for (int i = 0; i < o->nchunks && !ls_quitting(&code); i++) {
    ls_prompt_ticks(prompt);
    st = ls_input_block(o->chunks[i], "-e");
    ls_prompt_ticks(false);
    if (st && !first) first = st;
    if (st && !prompt) return st;
  }
  if (o->script && !ls_quitting(&code)) {
    ls_prompt_ticks(prompt);
    st = run_script(argc - o->script, argv + o->script);
    ls_prompt_ticks(false);
    if (st && !first) first = st;
  }
  if (ls_ranks_following()) {
    ls_follow();
    return LS_OK;
  }
  if (filter && !ls_quitting(&code)) return ls_input_stream(stdin, "stdin", false);
  if (prompt && !ls_quitting(&code)) {
    if (!o->nchunks && !o->script)
      ls_note("lockstep %s on %s. New here? `lesson 1`. `help` for more; Ctrl-D ends.\n", LOCKSTEP_VERSION,
              ls_device_current()->name);
    ls_prompt();
    return LS_OK;
  }
  return first;
}

static int session(int argc, char **argv, options o) {
  settle_output(&o);

  bool given = o.nchunks > 0 || o.script > 0;
  bool prompt = (o.prompt || !given) && isatty(STDIN_FILENO);
  bool filter = !given && !prompt;
  if (o.prompt && !prompt && given) filter = true; /* -i without a terminal: statements follow on stdin */
  if (prompt) ls_output_capture_copy();
  if (filter) setvbuf(stdin, NULL, _IONBF, 0); /* io.read must not consume the lines that follow */
  ls_signals_install(prompt);

  if (o.backend) {
    ls_device *d = ls_device_find(o.backend);
    if (!d) {
      fprintf(stderr, "lockstep: %s\n", ls_error());
      return ls_exit_code(LS_EDEVICE);
    }
    ls_device_use(d);
  }
  if (o.memory) ls_device_bound(o.memory);
  /* 256 MiB, the default of LS_JOURNAL_MIB, hold only seven steps of an algorithm on 16 M vertices. */
  const u64 eighth = ls_mem_available() / 8;
  if (eighth > (u64)LS_JOURNAL_MIB << 20) ls_journal_budget(eighth);
  if (o.bounds) ls_kernels_check(LS_BOUNDS_ON);
  if (o.races) ls_kernels_race(true);
  if (!ls_session_open() || ls_panel_open()) {
    fprintf(stderr, "lockstep: %s\n", ls_error());
    ls_session_close();
    return ls_exit_code(LS_EMEM);
  }
  ls_pictures_open();
  ls_help_open(ls_session_lua());
  ls_answers_open(ls_session_lua());
  ls_lesson_read_by(&ls_panel_reader);
  ls_session_on_stop(ls_panel_stop);
  ls_session_on_text(ls_print_push);
  ls_session_may_pause(prompt || filter || ls_ranks_following());
  int code = ls_exit_code(run_all(&o, argc, argv, prompt, filter));
  ls_quitting(&code);
  ls_prompt_ticks(true); /* because finalizers may run for ever */
  ls_session_close();
  ls_panel_close();
  if ((fflush(stdout) != 0 || ferror(stdout)) && !prompt) {
    fprintf(stderr, "lockstep: standard output cannot be written\n");
    if (code == 0) code = 1;
  }
  return code;
}

/* OpenMP's threads spin for milliseconds at each barrier. On a machine with other work they then occupy the
 * processors that are needed by the threads for which they wait. The OpenMP library reads how long to spin
 * from the environment, when it is loaded: so the program sets GOMP_SPINCOUNT and executes itself again. It
 * does not do so if a tool was loaded by LD_PRELOAD (valgrind, compute-sanitizer), because the tool might not
 * follow the execv. */
static void spin_briefly(char **argv) {
  if (getenv("GOMP_SPINCOUNT") || getenv("OMP_WAIT_POLICY") || getenv("LD_PRELOAD")) return;
  char path[4096]; /* if the link /proc/self/exe were executed, the process would be called "exe" */
  if (!ls_program_path(path, sizeof path) || setenv("GOMP_SPINCOUNT", LOCKSTEP_SPINS, 0) != 0) return;
  execv(path, argv);
}

int main(int argc, char **argv) {
  options o;
  setlocale(LC_CTYPE, ""); /* only this category: numbers keep their decimal point */
  int code = parse(argc, argv, &o);
  if (code >= 0) return code;
  spin_briefly(argv);
  const bool batch = (o.nchunks > 0 || o.script > 0) && !o.prompt;
  if (o.ranks > 1 && !ls_ranks_started()) {
    if (!batch && !isatty(STDIN_FILENO))
      return wrong_usage("--ranks is for a script, -e or a prompt on a terminal", "");
    return ls_ranks_launch(o.ranks, argv, !batch, o.patience);
  }
  if (ls_ranks_open(!batch, o.patience) != LS_OK) {
    fprintf(stderr, "lockstep: %s\n", ls_error());
    return USAGE;
  }
  const bool mpi = ls_ranks_leading() && strcmp(ls_ranks_transport(), "MPI") == 0;
  if (mpi) ls_ranks_take_terminal();
  if (mpi && o.prompt && !isatty(STDIN_FILENO) && ls_ranks_sees_terminal())
    fputs(
        "(no prompt, because mpirun passes the lines on: `mpirun --stdin none` gives one, see help hosts)\n",
        stderr);
  code = session(argc, argv, o);
  ls_ranks_leave_terminal();
  ls_ranks_close(code);
  return code;
}
