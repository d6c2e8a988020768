#include "repl/output/pager.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "core/output.h"
#include "core/wait.h"
#include "repl/repl.h"
#include "repl/output/output.h"

static bool typed_ahead(void) {
  struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
  return poll(&p, 1, 0) > 0;
}

static bool wanted(void) {
  const char *setting = getenv("LOCKSTEP_MORE");
  return ls_prompt_interactive() && ls_out.form == LS_TEXT && isatty(STDIN_FILENO) &&
         (ls_prompt_fronted() || isatty(STDOUT_FILENO)) && !(setting && strcmp(setting, "off") == 0) &&
         !typed_ahead();
}

/* The width of a line in columns. Escape sequences, which are only colours (ESC ... m), have no width. */
static int width_of(const char *s, size_t bytes) {
  int n = 0;
  for (size_t i = 0; i < bytes; i++) {
    if (s[i] == '\033')
      while (i < bytes && s[i] != 'm') i++;
    else
      n += ((unsigned char)s[i] & 0xc0) != 0x80;
  }
  return n;
}

/* The length in bytes of the lines that fit into `rows` rows; at least one line. */
static size_t page_of(const char *text, int rows, int cols) {
  size_t bytes = 0;
  while (text[bytes]) {
    const size_t len = strcspn(text + bytes, "\n");
    const int width = width_of(text + bytes, len);
    rows -= width > cols ? (width + cols - 1) / cols : 1;
    if (rows < 0 && bytes > 0) break;
    bytes += len + (text[bytes + len] == '\n');
  }
  return bytes;
}

/* Reads a key with its escape sequence: ' ' for PgDn and the down key, 0 for other sequences, -1 if
 * interrupted. */
static int key(void) {
  char bytes[16];
  const ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
  if (n <= 0) return -1;
  if (*bytes != '\033' || n == 1) return *bytes;
  static const char *const forward[] = {"\033[6~", "\033[B", "\033OB"}; /* PgDn, the down key */
  for (size_t i = 0; i < sizeof forward / sizeof *forward; i++)
    if ((size_t)n == strlen(forward[i]) && memcmp(bytes, forward[i], (size_t)n) == 0) return ' ';
  return 0;
}

static bool goes_on(void) {
  for (;;) {
    switch (ls_prompt_called() || ls_interrupted() ? -1 : key()) {
    case ' ':
    case '\r':
    case '\n': return true;
    case -1:
    case 'q':
    case 'Q':
    case '\033':
    case 'D' & 0x1f: return false;
    }
  }
}

static void show(const char *text) {
  static const char ask[] = "(more: space or Enter; q ends)", erase[] = "\r\033[K";
  struct winsize size;
  struct termios cooked, bare;
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 3 && size.ws_col > 40;
  const int rows = known ? size.ws_row - 1 : 0, cols = known ? size.ws_col : 80;
  size_t bytes = known ? page_of(text, rows, cols) : strlen(text);
  if (!text[bytes] || tcgetattr(STDIN_FILENO, &cooked) != 0) {
    fputs(text, stdout);
    return;
  }
  bare = cooked;
  bare.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  bare.c_cc[VMIN] = 1;
  bare.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSANOW, &bare);
  for (bool on = true; on && *text; bytes = page_of(text, rows, cols)) {
    fwrite(text, 1, bytes, stdout);
    text += bytes;
    if (!*text) break;
    fputs(ask, stdout);
    fflush(stdout);
    on = goes_on();
    fputs(erase, stdout);
  }
  fflush(stdout);
  tcsetattr(STDIN_FILENO, TCSANOW, &cooked);
}

ls_status ls_pager(ls_status (*say)(const char *), const char *arg) {
  char *text = NULL;
  size_t bytes = 0;
  FILE *f = wanted() ? open_memstream(&text, &bytes) : NULL;
  if (!f) return say(arg);
  ls_say_into(f);
  const ls_status st = say(arg);
  ls_say_into(NULL);
  const bool panel = ls_prompt_fronted();
  if (fclose(f) == 0 && !panel) show(text);
  if (panel && text) {
    fputs(text, stdout); /* so that the prompt's pane keeps it */
    ls_prompt_read(text);
  }
  free(text);
  return st;
}
