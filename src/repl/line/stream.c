/* Runs the lines of a file or a pipe as blocks.
 *
 * If a program writes many lines at once, they are one block, like a paste. If it writes one line and waits
 * for the answer, that line must run at once. So this waits for a line, reads the input that follows it
 * without a pause, and runs both as a block. An incomplete last piece waits for more input. A command hardly
 * waits, because no later line can belong to it. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/wait.h"
#include "repl/line/pieces.h"
#include "repl/commands/command.h"
#include "repl/repl.h"

enum { PAUSE_MS = 20, COMMAND_PAUSE_MS = 2, LONGEST_MS = 200, CHUNK = 64 << 10, LARGEST = 16 << 20 };

typedef struct stream {
  int fd;
  bool file;  /* a regular file, which is one block, however large */
  bool ended; /* nothing more will come */
  ls_text text;
  size_t seen; /* bytes of text whose lines were already examined */
  int line;    /* of text's first byte */
} stream;

/* Waits until there is something to read, for at most ms milliseconds (-1: without limit). Returns 1; 0 after
 * that time; -1 after Ctrl-C. */
static int await(int fd, int ms) {
  enum { LOOK_MS = 500 }; /* how often to check for a Ctrl-C that came just before poll */
  struct pollfd p = {.fd = fd, .events = POLLIN};
  for (;;) {
    if (ls_interrupted()) return -1;
    const int n = poll(&p, 1, ms < 0 ? LOOK_MS : ms);
    if (n > 0 || (n < 0 && errno != EINTR)) return 1;
    if (n == 0 && ms >= 0) return 0;
  }
}

/* Is the text, which has a newline, one command line and nothing else? */
static bool only_command(const stream *s) {
  char *end = memchr(s->text.s, '\n', s->text.len);
  if (end != s->text.s + s->text.len - 1) return false;
  *end = '\0';
  const bool command = ls_is_command(s->text.s);
  *end = '\n';
  return command;
}

/* Reads at least one whole line, and further input that follows without a pause. */
static ls_status gather(stream *s, const char *name) {
  double since = 0; /* time at which the first line was complete */
  char bytes[CHUNK];
  ls_interrupt_clear();
  while (!s->ended) {
    const bool line = s->text.len > s->seen && memchr(s->text.s + s->seen, '\n', s->text.len - s->seen);
    if (line && since == 0) since = ls_now();
    if (line && !s->file && (s->text.len > LARGEST || ls_now() - since > LONGEST_MS / 1e3)) break;
    const int there = await(s->fd, !line ? -1 : only_command(s) ? COMMAND_PAUSE_MS : PAUSE_MS);
    if (there < 0) return ls_fail(LS_EINTERRUPTED, "interrupted");
    if (there == 0) break;
    const ssize_t n = read(s->fd, bytes, sizeof bytes);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) return ls_fail(LS_EINPUT, "%s: cannot be read: %s", name, strerror(errno));
    s->ended = n == 0;
    ls_text_add(&s->text, bytes, (size_t)n);
    if (s->text.failed) return LS_EMEM;
  }
  return LS_OK;
}

/* The number of gathered bytes that can run: whole lines before the first zero byte, which no text
 * contains. */
static size_t whole_lines(const stream *s) {
  const char *zero = memchr(ls_text_str(&s->text), '\0', s->text.len);
  size_t n = zero ? (size_t)(zero - s->text.s) : s->text.len;
  if (s->ended && !zero) return n;
  while (n > 0 && s->text.s[n - 1] != '\n') n--;
  return n;
}

static void drop(stream *s, size_t bytes) {
  memmove(s->text.s, s->text.s + bytes, s->text.len - bytes);
  ls_text_cut(&s->text, s->text.len - bytes);
}

/* Runs what was gathered, and drops it. */
static ls_status run_gathered(stream *s, ls_pieces *b) {
  size_t end = whole_lines(s), used;
  int lines;
  const bool zero = end < s->text.len && memchr(s->text.s + end, '\0', s->text.len - end);
  ls_status st = LS_OK, wrong;
  if (end > 0) {
    const char after = s->text.s[end];
    s->text.s[end] = '\0';
    st = ls_pieces_run(b, s->text.s, s->line, !s->ended || zero, &used, &lines);
    s->text.s[end] = after;
    s->line += lines;
    drop(s, used);
    end -= used;
  }
  s->seen = end;
  if (!zero) return st;
  for (size_t i = 0; i < end; i++) s->line += s->text.s[i] == '\n';
  wrong = ls_fail(LS_EINPUT, "%s:%d: expected a line of text, found a byte 0", b->name, s->line);
  ls_complain(ls_error(), "");
  s->ended = true;
  return st ? st : wrong;
}

ls_status ls_input_block(const char *text, const char *name) {
  ls_pieces b = {.name = name, .stop = true};
  ls_text copy = {0};
  size_t used = 0;
  int lines = 0, code;
  ls_text_puts(&copy, text);
  if (copy.failed) {
    ls_complain(ls_error(), "");
    return LS_EMEM;
  }
  const ls_status st = copy.len ? ls_pieces_run(&b, copy.s, 1, false, &used, &lines) : LS_OK;
  if (st && !ls_quitting(&code) && text[used + strspn(text + used, " \t\r\n")])
    ls_note("(the lines after line %d were not run)\n", lines + 1);
  ls_text_free(&copy);
  ls_pieces_free(&b);
  return st;
}

ls_status ls_input_stream(FILE *f, const char *name, bool stop) {
  struct stat about;
  stream s = {.fd = fileno(f), .line = 1};
  ls_pieces b = {.name = name, .lead = !stop, .stop = stop};
  ls_status first = LS_OK, st = LS_OK;
  int code;
  bool begun = false;
  s.file = fstat(s.fd, &about) == 0 && S_ISREG(about.st_mode);
  while (!s.ended && !ls_quitting(&code) && !(st && (stop || st == LS_EINTERRUPTED))) {
    st = gather(&s, name);
    if (st) {
      ls_complain(ls_error(), "");
      s.ended = true;
    } else {
      if (!begun && s.text.len > 1 && memcmp(s.text.s, "#!", 2) == 0)
        memcpy(s.text.s, "--", 2); /* becomes a comment, so that line numbers stay right */
      begun = true;
      st = run_gathered(&s, &b);
    }
    if (!first) first = st;
  }
  if (!stop) ls_lead_rest();
  ls_text_free(&s.text);
  ls_pieces_free(&b);
  return first;
}
