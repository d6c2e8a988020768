/* The prompt: Readline through its callback interface, the signal handlers, and the event loop.
 *
 * While something runs, Readline is detached from the terminal: keys typed then wait in the terminal's input
 * queue, a script may read its standard input, and Ctrl-C is a signal. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <readline/readline.h>

#include "core/child.h"
#include "core/atomic_file.h"
#include "core/wait.h"
#include "core/words.h"
#include "ranks/terminal.h"
#include "repl/line/pieces.h"
#include "repl/commands/command.h"
#include "repl/lesson/lesson.h"
#include "repl/repl.h"
#include "repl/watchdog.h"

static volatile sig_atomic_t at_prompt, ended_by;
static volatile sig_atomic_t got_interrupt, got_resize, got_stop, got_back;
static bool interactive_session;
static pthread_t main_thread;
static const ls_front *front;  /* NULL: none */
static int wake[2] = {-1, -1}; /* a pipe: handlers write to it, poll waits for it */

void ls_prompt_front(const ls_front *f) { front = f; }
bool ls_prompt_interactive(void) { return interactive_session; }
bool ls_prompt_waits(void) { return at_prompt; }
static bool fronted(void) { return front && front->active(); }
void ls_prompt_front_names(void (*each)(void *, const char *), void *ctx) {
  if (front) front->names(each, ctx);
}
bool ls_prompt_fronted(void) { return fronted(); }
void ls_prompt_read(const char *text) {
  if (fronted()) front->read(text);
}

int ls_prompt_aside(int (*run_it)(const char *command), const char *command) {
  bool away = fronted();
  if (away) front->leave();
  int status = run_it(command);
  if (away) front->resume();
  return status;
}

static bool quitting;
static int quit_code;

void ls_quit(int code) {
  quitting = true;
  quit_code = code;
}

bool ls_quitting(int *code) {
  if (!quitting && !ended_by) return false;
  *code = ended_by ? 128 + ended_by : quit_code;
  return true;
}

/* --- signals ----------------------------------------------------------------------------------------- */

void ls_prompt_wake(void) {
  int saved = errno;
  if (wake[1] >= 0 && write(wake[1], "", 1) < 0) errno = saved; /* a full pipe wakes poll, too */
  errno = saved;
}

static void drain(void) {
  char bytes[64];
  while (wake[0] >= 0 && read(wake[0], bytes, sizeof bytes) > 0) {}
}

static void interrupt(void) {
  ls_interrupt();
  ls_session_interrupt();
}

static void leave_front(void) {
  if (fronted()) front->leave();
}

static void on_interrupt(int signal_number) {
  (void)signal_number;
  if (at_prompt) {
    got_interrupt = 1;
    ls_prompt_wake();
    return;
  }
  unheard_interrupt();
  interrupt();
}

/* Handles SIGTERM, SIGHUP, and a terminal that has gone. */
static void on_end(int signal_number) {
  static double asked;
  if (ended_by && ls_now() - asked < 0.3) return; /* both the terminal and our parent sent one */
  if (ended_by) unheard_end(signal_number);
  ended_by = signal_number;
  asked = ls_now();
  unheard_doom(signal_number);
  ls_prompt_wake();
  if (at_prompt) return;
  ls_interrupt();
  ls_session_interrupt();
  ls_session_interrupt(); /* the second call interrupts now, not at the next primitive */
}

/* In a batch run, a signal has its default effect, after children are ended and partly written files
 * removed. */
static void on_batch_end(int signal_number) {
  ls_children_end();
  ls_atomic_file_abandon();
  raise(signal_number); /* SA_RESETHAND has restored the default action */
}

static void on_large(int signal_number) { (void)signal_number; } /* SIGXFSZ: write() reports it, too */

static void on_resize(int signal_number) {
  (void)signal_number;
  got_resize = 1;
  ls_prompt_wake();
}

static void on_stop(int signal_number) {
  (void)signal_number;
  if (!at_prompt) {
    bool away = fronted();
    if (away) front->leave();
    raise(SIGSTOP);
    if (away) got_back = 1;
    return;
  }
  got_stop = 1;
  ls_prompt_wake();
}

/* Checks at every fourth tick whether the terminal has gone, which may happen without a signal (if the
 * session leader died first). */
static void watch_terminal(void) {
  static int turn;
  struct pollfd p = {.fd = STDIN_FILENO, .events = 0};
  if (ended_by || ++turn % 4 || poll(&p, 1, 0) <= 0) return;
  if (p.revents & (POLLHUP | POLLERR | POLLNVAL)) on_end(SIGHUP);
}

/* The signal may be delivered to any thread, but only the main one may set Lua's hooks: forwards it. */
static void on_tick(int signal_number) {
  if (!pthread_equal(pthread_self(), main_thread)) {
    pthread_kill(main_thread, signal_number);
    return;
  }
  const int saved = errno;
  watch_terminal();
  unheard_judge();
  ls_session_tick();
  errno = saved;
}

void ls_prompt_ticks(bool on) {
  if (interactive_session) unheard_begin(on);
}

static void install(int signal_number, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, NULL);
}

static void idle(void);

/* Unblocks signals that our parent may have blocked: a blocked signal never arrives. */
static void unblock(const int *signals, size_t count) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < count; i++) sigaddset(&set, signals[i]);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void ls_signals_install(bool interactive) {
  interactive_session = interactive;
  main_thread = pthread_self();
  unheard_open(interactive, leave_front);
  install(SIGINT, on_interrupt, 0); /* no SA_RESTART: Ctrl-C ends io.read in a script */
  install(SIGXFSZ, on_large, SA_RESTART);
  const int ends[] = {SIGHUP, SIGTERM, SIGPIPE, SIGQUIT};
  unblock(ends, sizeof ends / sizeof *ends);
  for (size_t i = 0; i < sizeof ends / sizeof *ends && !interactive; i++) {
    struct sigaction before; /* an ignored signal (nohup) stays ignored */
    if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
      install(ends[i], on_batch_end, SA_RESETHAND);
  }
  if (!interactive) return;
  if (wake[0] < 0 && pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) wake[0] = wake[1] = -1;
  install(SIGHUP, on_end, 0);
  install(SIGTERM, on_end, 0);
  install(SIGPIPE, SIG_IGN, 0);
  install(SIGWINCH, on_resize, SA_RESTART);
  install(SIGTSTP, on_stop, SA_RESTART);
  install(SIGALRM, on_tick, SA_RESTART);
  ls_idle_hook(idle);
}

/* The first Ctrl-C stops the run at the next primitive. If none is reached within 0.1 s, tells the user. */
static void tell_of_interrupt(void) {
  static double since;
  static bool told;
  if (!ls_session_stopping()) {
    since = 0;
    told = false;
    return;
  }
  const double now = ls_now();
  if (since == 0) since = now;
  if (told || now - since < 0.1) return;
  told = true;
  ls_note("(stops at the next primitive; Ctrl-C again interrupts)\n");
}

bool ls_prompt_called(void) { return got_interrupt || ended_by; }

bool ls_prompt_await(void) {
  struct pollfd p[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = wake[0], .events = POLLIN}};
  while (!ls_prompt_called()) {
    int n = poll(p, 2, -1);
    if (n > 0 && p[0].revents) return true;
    if (n > 0) drain();
    if (n < 0 && errno != EINTR) return false;
  }
  ls_prompt_wake(); /* so that serve() handles it */
  return false;
}

void ls_prompt_size(int rows, int cols) {
  enum { LEAST = 4 }; /* columns: Readline divides by the width of the screen minus that of its prompt */
  if (!RL_ISSTATE(RL_STATE_INITIALIZED)) return;
  if (rows < 1 || cols < 1) {
    rl_reset_screen_size();
    rl_get_screen_size(&rows, &cols);
    if (cols >= LEAST) return;
  }
  /* LEAST + 1, because Readline uses one column less on a terminal that does not wrap. */
  rl_set_screen_size(rows, cols > LEAST ? cols : LEAST + 1);
}

/* Passes a new size of the terminal to Readline, when no panel is active. */
static void resized(void) {
  struct winsize size;
  if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 4)
    rl_resize_terminal();
  else
    ls_prompt_size(0, 0);
}

/* The idle hook: serves the terminal while something runs. */
static void idle(void) {
  unheard_beat();
  tell_of_interrupt();
  if (!front) return;
  if (got_back) {
    got_back = 0;
    front->resume();
  }
  if (got_resize && fronted()) {
    got_resize = 0;
    front->resized();
  }
  front->idle();
}

/* --- lines ------------------------------------------------------------------------------------------- */

static ls_text pending; /* the lines typed so far of an unfinished piece */
static char *typed;     /* the line that Readline passed to take(); owned */
static bool taken, at_end;
static ls_text repeat;  /* the last command, if Enter repeats it */
static ls_text doubted; /* the command that waits for its confirmation (y) */

static const char *prompt(void) { return doubted.len ? "y/n> " : pending.len ? ">> " : "> "; }

static void take(char *text) {
  if (text && front) front->accepted(prompt(), text);
  rl_callback_handler_remove(); /* restores the modes of the terminal before anything runs */
  at_prompt = 0;
  typed = text;
  taken = true;
  at_end = !text;
}

static void show_prompt(void) {
  fflush(stdout);
  got_interrupt = 0;
  at_prompt = 1;
  rl_callback_handler_install(prompt(), take);
}

/* Ctrl-C at the prompt: discards what was typed, whatever state Readline is in. */
static void clear_line(void) {
  rl_free_line_state();
  rl_callback_sigcleanup();
  rl_callback_sigcleanup(); /* each call ends one state; vi mode may be in two: an argument within a motion */
  if (front) front->dropped(prompt(), rl_line_buffer);
  if (!fronted()) fputs("^C\n", rl_outstream); /* before Readline moves to the line's start */
  rl_callback_handler_remove();
  ls_text_cut(&pending, 0);
  ls_text_cut(&repeat, 0);
  ls_text_cut(&doubted, 0);
  ls_interrupt_clear();
  show_prompt();
}

static void suspend(void) {
  if (ls_ranks_has_terminal()) {
    ls_note("(Ctrl-Z has no effect: this process was started by mpirun, and no shell could resume it)\n");
    return;
  }
  bool away = fronted();
  if (away)
    front->leave();
  else
    rl_callback_handler_remove();
  install(SIGTSTP, SIG_DFL, 0);
  raise(SIGTSTP);
  install(SIGTSTP, on_stop, SA_RESTART);
  if (away)
    front->resume();
  else
    show_prompt();
}

static bool blank(const char *s) { return !*ls_skip_space(s); }

static void note_local(const char *text) {
  static bool told;
  text = ls_skip_space(text);
  if (told || strncmp(text, "local", 5) != 0 || !isspace((unsigned char)text[5])) return;
  told = true;
  ls_note("(a local variable is known only to the lines entered with it; without `local` it is kept)\n");
}

/* `q` also ends the paging of a long text, and is easily typed once too often. */
static bool q_by_mistake(const char *text, const ls_command *c, char *question, size_t bytes) {
  if (strcmp(c->name, "quit") != 0 || strcmp(text, "q") != 0 || !ls_trace_last()) return false;
  snprintf(question, bytes, "q leaves lockstep, and what is not saved is lost. Quit?");
  return true;
}

/* If the command needs a confirmation, asks for it and stores the command: the next line is the answer. */
static bool doubt(const char *text, const ls_command *c, const char *rest) {
  char question[200];
  if (!c || !(ls_command_question(c, rest, question, sizeof question) ||
              q_by_mistake(text, c, question, sizeof question)))
    return false;
  ls_text_puts(&doubted, text);
  if (doubted.failed) {
    ls_text_free(&doubted);
    return false;
  }
  ls_note("%s\n", question);
  return true;
}

/* Does the line repeat, under any name, the `quit` that waits for its confirmation? */
static bool says_again(const char *line) {
  const char *rest;
  const ls_command *asked = ls_line_command(doubted.s, &rest), *again = ls_line_command(line, &rest);
  return again && again == asked && !*rest && strcmp(again->name, "quit") == 0;
}

/* Handles the line after a question. Runs the command in question if the line is yes or a repeated `quit`;
 * drops it otherwise. Returns false if the line is neither yes nor no, and so remains to be run. */
static bool answered(const char *line, void (*act)(const char *text, bool many)) {
  line = ls_skip_space(line);
  const size_t n = ls_trimmed(line);
  const bool yes =
      says_again(line) || (n == 1 && strchr("yY", *line)) || (n == 3 && strncasecmp(line, "yes", 3) == 0);
  const bool no = n == 0 || (n == 1 && strchr("nN", *line)) || (n == 2 && strncasecmp(line, "no", 2) == 0);
  ls_text command = doubted;
  doubted = (ls_text){0};
  if (yes)
    act(command.s, false);
  else
    ls_note("(not done: %s)\n", command.s);
  ls_text_free(&command);
  return yes || no;
}

static void run(const char *text, bool many) {
  const char *rest;
  const ls_command *c = many ? NULL : ls_line_command(text, &rest);
  ls_text_cut(&repeat, 0);
  if (c && c->repeats) ls_text_puts(&repeat, text);
  if (repeat.failed) ls_text_free(&repeat);
  ls_prompt_ticks(true);
  ls_lead(text, many, 0);
  ls_prompt_ticks(false);
}

void ls_prompt_run(const char *command) {
  if (!at_prompt) return;
  at_prompt = 0;
  run(command, false);
  got_interrupt = 0;
  at_prompt = 1;
}

/* Is the text only a method's name, such as `m:show`, which to Lua is an unfinished call? */
static bool is_bare_method(const char *s) {
  const size_t object = ls_name_length(s), method = s[object] == ':' ? ls_name_length(s + object + 1) : 0;
  return object > 0 && method > 0 && !s[object + 1 + method];
}

static void accept(const char *line) {
  if (doubted.len && answered(line, run)) return;
  if (pending.len == 0 && blank(line)) {
    const char *lesson = ls_lesson_on_enter();
    if (lesson) {
      if (*lesson) run(lesson, false);
    } else if (repeat.len) {
      char *again = strdup(repeat.s);
      if (again) run(again, false);
      free(again);
    }
    return;
  }
  if (pending.len) ls_text_putc(&pending, '\n');
  ls_text_puts(&pending, line);
  if (pending.failed) {
    ls_note("%s\n", ls_error());
    ls_text_free(&pending);
    return;
  }
  const char *rest, *s = ls_skip_space(pending.s);
  if (ls_pieces_open(s)) {
    if (is_bare_method(s)) {
      ls_note("(%s is a function, which is called with parentheses: %s())\n", s, s);
      ls_text_cut(&pending, 0);
    }
    return;
  }
  ls_text_cut(&pending, ls_trimmed(pending.s));
  ls_text text = pending; /* moved, because what runs may come back here */
  pending = (ls_text){0};
  ls_history_add(text.s);
  const bool many = strchr(text.s, '\n') != NULL;
  const ls_command *c = many ? NULL : ls_line_command(text.s, &rest);
  if (!doubt(text.s, c, rest)) run(text.s, many);
  if (!many) note_local(text.s);
  ls_text_free(&text);
}

/* --- the loop ---------------------------------------------------------------------------------------- */

static void start_readline(void) {
  rl_readline_name = "lockstep";
  rl_change_environment = 0;
  rl_catch_signals = 0;
  rl_catch_sigwinch = 0;
  rl_instream = stdin;
  rl_outstream = isatty(STDOUT_FILENO) ? stdout : stderr;
  ls_complete_install();
  ls_vi_install();
  ls_history_open();
}

/* Waits for a key or a signal, and serves it. */
static void serve(void) {
  struct pollfd p[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = wake[0], .events = POLLIN}};
  int patience = front ? front->wait() : -1;
  int n = poll(p, 2, patience);
  if (n < 0 && errno != EINTR) {
    at_end = true;
    return;
  }
  drain();
  if (ended_by) return;
  if (got_resize) {
    got_resize = 0;
    if (fronted())
      front->resized();
    else
      resized();
  }
  if (got_back) {
    got_back = 0;
    front->resume();
  }
  if (got_stop) {
    got_stop = 0;
    suspend();
    return;
  }
  if (got_interrupt) {
    clear_line();
    return;
  }
  if (patience == 0 || (n > 0 && (p[0].revents & POLLIN))) {
    if (front)
      front->input();
    else
      rl_callback_read_char();
  } else if (n > 0 && (p[0].revents & (POLLHUP | POLLERR | POLLNVAL))) {
    ended_by = SIGHUP;
  }
}

/* Ctrl-D asks for confirmation as `quit` does; a second Ctrl-D confirms. */
static bool asked_first(void) {
  const char *rest;
  const ls_command *c = doubted.len ? ls_line_command(doubted.s, &rest) : NULL;
  if (c && strcmp(c->name, "quit") == 0) return false;
  ls_text_cut(&doubted, 0);
  c = ls_command_find("quit", 4);
  if (!doubt(c->name, c, "")) return false;
  at_end = false;
  return true;
}

void ls_prompt(void) {
  int code;
  start_readline();
  if (front) front->begin();
  rl_initialize();
  ls_prompt_size(0, 0);
  show_prompt();
  while (!ls_quitting(&code)) {
    if (front) front->serve();
    serve();
    if (!taken) {
      if (at_end) break;
      continue;
    }
    taken = false;
    char *line = typed;
    typed = NULL;
    if (got_interrupt) { /* Ctrl-C made Readline return: this is neither a typed line nor the end of input */
      at_end = false;
      free(line);
      show_prompt();
      clear_line();
      continue;
    }
    if (at_end && !ended_by && asked_first()) {
      free(line);
      show_prompt();
      continue;
    }
    if (at_end || ended_by) {
      free(line);
      break;
    }
    accept(line);
    free(line);
    if (ferror(stdout)) break; /* standard output is closed */
    if (ls_quitting(&code)) break;
    bool dropped = pending.len && (ls_interrupted() || got_interrupt); /* Ctrl-C directly after Enter */
    show_prompt();
    if (dropped) clear_line();
  }
  if (at_prompt) rl_callback_handler_remove();
  at_prompt = 0;
  if (front) front->end();
  ls_idle_hook(NULL);
  if (at_end && !ended_by) {
    if (isatty(STDOUT_FILENO)) ls_say("\n");
    if (ls_session_paused()) ls_note("(the paused algorithm ends here)\n");
  }
  ls_text_free(&pending);
  ls_text_free(&repeat);
  ls_text_free(&doubted);
}
