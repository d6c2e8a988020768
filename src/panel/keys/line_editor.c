#include "panel/keys/line_editor.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/readline.h>

#include "core/mem.h"
#include "panel/canvas/term.h"
#include "repl/repl.h"
#include "core/string_builder.h"

ls_queue ls_typed;
void (*ls_edit_matches)(char **matches, int count, int longest);

/* Readline stores its output stream in several places. So the stream stays the same, and its file descriptor
 * is redirected: to the terminal, or in the panel to /dev/null. */
static FILE *line_out;
static int nowhere = -1, terminal = -1;
static bool taken;

static void lead_to(int fd) {
  if (!line_out) return;
  fflush(line_out);
  if (fd >= 0) dup2(fd, fileno(line_out));
}

/* --- the queue --------------------------------------------------------------------------------------- */

void ls_queue_add(const char *s, int n) {
  ls_queue *q = &ls_typed;
  if (q->first > 0 && q->first + q->count + n > q->room) {
    memmove(q->s, q->s + q->first, (size_t)q->count);
    q->first = 0;
  }
  if (q->count + n > q->room) {
    int room = 2 * (q->count + n) + 256;
    char *grown = ls_realloc(q->s, (size_t)room);
    if (!grown) return;
    q->s = grown;
    q->room = room;
  }
  memcpy(q->s + q->first + q->count, s, (size_t)n);
  q->count += n;
}

static void queue_first(const char *s, int n) {
  ls_queue *q = &ls_typed;
  const int before = q->count;
  ls_queue_add(s, n);
  if (q->count == before) return;
  memmove(q->s + q->first + n, q->s + q->first, (size_t)before);
  memcpy(q->s + q->first, s, (size_t)n);
}

void ls_queue_drop(int at, int n) {
  ls_queue *q = &ls_typed;
  if (n > q->count - at) n = q->count - at;
  if (at == 0)
    q->first += n;
  else
    memmove(q->s + q->first + at, q->s + q->first + at + n, (size_t)(q->count - at - n));
  q->count -= n;
}

/* --- what Readline calls ----------------------------------------------------------------------------- */

/* What Readline gets at the end of input: EOF. Within a paste, Readline 8.2 would read past the pasted text
 * then, so it gets the bytes that end a paste. */
static int no_more(void) {
  static const char end_of_paste[] = "\033[201~";
  static size_t given;
  if (!RL_ISSTATE(RL_STATE_MOREINPUT) || !end_of_paste[given]) given = 0;
  return RL_ISSTATE(RL_STATE_MOREINPUT) ? end_of_paste[given++] : EOF;
}

/* Blocks until there is a byte: if told that there is none yet, Readline would ask again in a busy loop. */
static int next_byte(FILE *in) {
  while (ls_typed.count == 0) {
    char bytes[4096];
    if (!ls_prompt_await()) return no_more();
    if (!taken) {
      int c = rl_getc(in);
      return c == EOF ? no_more() : c;
    }
    int n = ls_term_read(bytes, sizeof bytes, 0);
    if (n < 0) return no_more();
    if (n > 0) ls_queue_add(bytes, n);
  }
  unsigned char c = (unsigned char)ls_typed.s[ls_typed.first];
  ls_queue_drop(0, 1);
  return c;
}

static bool gathering; /* gather() empties Readline's buffers: nothing more must be read */

/* Readline's input function. While gathering, it returns EOF once, which ends gather()'s loop. */
static int get_byte(FILE *in) {
  if (!gathering) return next_byte(in);
  gathering = false;
  return EOF;
}

/* Moves to the front of the queue what Readline has stored for later: bytes that it has read ahead, bytes of
 * an unknown sequence, the rest of a macro. The one pending byte stays in Readline, because an argument may
 * belong to it. */
static void gather(void) {
  ls_text kept = {0};
  const int pending = rl_pending_input;
  rl_clear_pending_input();
  gathering = true;
  for (int c; c = rl_read_key(), gathering;) ls_text_putc(&kept, (char)c);
  if (pending) rl_execute_next(pending);
  if (kept.len > 0) queue_first(kept.s, (int)kept.len);
  ls_text_free(&kept);
}

/* Number of bytes at the end of the queue that Readline must not see: it reads ahead if there seems to be
 * more text, but in the panel it may read only the key passed to it. */
static int reserved;

static int is_input(void) {
  if (ls_typed.count > reserved) return 1;
  if (taken) return 0;
  struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
  return poll(&p, 1, rl_set_keyboard_input_timeout(-1) / 1000) > 0; /* -1 only returns the setting */
}

static void no_redisplay(void) {}
static void no_prepare(int meta) { (void)meta; }
static void no_deprepare(void) {}
static void show_matches(char **matches, int count, int longest) {
  if (ls_edit_matches) ls_edit_matches(matches, count, longest);
}

/* --- taking and giving ------------------------------------------------------------------------------- */

void ls_edit_take(bool typing) {
  if (typing) {
    rl_clear_visible_line();
    fflush(rl_outstream);
    rl_deprep_terminal();
  }
  taken = true;
  lead_to(nowhere);
  rl_redisplay_function = no_redisplay;
  rl_prep_term_function = no_prepare;
  rl_deprep_term_function = no_deprepare;
  rl_completion_display_matches_hook = show_matches;
}

void ls_edit_give(bool typing) {
  taken = false;
  lead_to(terminal);
  rl_redisplay_function = rl_redisplay;
  rl_prep_term_function = rl_prep_terminal;
  rl_deprep_term_function = rl_deprep_terminal;
  rl_completion_display_matches_hook = NULL;
  ls_prompt_size(0, 0);
  if (!typing) return;
  rl_prep_terminal(1);
  rl_on_new_line();
  rl_forced_update_display();
}

void ls_edit_begin(void) {
  if (!line_out && isatty(STDOUT_FILENO)) {
    terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int own = terminal < 0 ? -1 : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    line_out = own < 0 ? NULL : fdopen(own, "w");
  }
  if (line_out) rl_outstream = line_out;
  rl_getc_function = get_byte;
  rl_input_available_hook = is_input;
}

/* --- serving ----------------------------------------------------------------------------------------- */

static rl_voidfunc_t *display;

static void display_and_gather(void) {
  display();
  gather();
}

/* Works around a crash of Readline 8.2. If Readline has stored bytes, rl_callback_read_char continues with
 * them; an unknown sequence among them makes rl_abort jump into readline_internal_char, which has already
 * returned. So the stored bytes are removed (gather) after each command, in the redisplay function, which
 * Readline calls then. That function is replaced only during the call, because Readline handles a resize
 * differently while another function is installed. */
void ls_edit_key(void) {
  display = rl_redisplay_function;
  rl_redisplay_function = display_and_gather;
  rl_callback_read_char();
  rl_redisplay_function = display;
}

void ls_edit_feed(int n) {
  reserved = ls_typed.count - n;
  while (ls_typed.count > reserved && ls_prompt_waits() && !ls_prompt_called()) ls_edit_key();
  reserved = 0;
}

void ls_edit_settle(void) {
  bool argument = RL_ISSTATE(RL_STATE_NUMERICARG);
  if (!ls_prompt_waits()) return;
  rl_callback_sigcleanup();
  if (!argument) return;
  rl_restore_prompt();
  rl_discard_argument();
}

void ls_edit_look(ls_typing *t) {
  t->prompt = rl_display_prompt ? rl_display_prompt : "";
  t->text = rl_line_buffer ? rl_line_buffer : "";
  t->point = rl_point;
}

void ls_edit_prefix(const char *text) {
  rl_begin_undo_group();
  rl_point = 0;
  rl_insert_text(text);
  rl_point = rl_end;
  rl_end_undo_group();
}

void ls_edit_append(const char *text) {
  rl_point = rl_end;
  rl_insert_text(text);
}
