#include "panel/canvas/term.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

#include "core/write_all.h"

static SCREEN *screen;  /* created once, and used again when the terminal is entered again */
static int out_fd = -1; /* the terminal, even while file descriptors 1 and 2 are redirected */
static struct termios outside, inside;
static volatile sig_atomic_t is_open;
static char enter_text[256];
static char leave_texts[2][256]; /* two, so that a signal handler always finds a complete one */
static char *volatile leave_text = leave_texts[0];
static ls_canvas shown; /* what was last passed to curses */
static bool everything;
static int cursor_shown = -1;

/* --- styles ------------------------------------------------------------------------------------------ */

typedef struct look {
  short fg, bg;         /* of 256 colours; -1: the terminal's default */
  short fg8, bg8;       /* of 8 colours */
  attr_t with, without; /* attributes on a terminal with colours, and on one without */
} look;

static const look looks[LS_STYLES] = {
    [LS_TEXT_STYLE] = {-1, -1, -1, -1, 0, 0},
    [LS_DIM] = {244, -1, -1, -1, 0, A_DIM},
    [LS_TITLE] = {-1, -1, -1, -1, A_BOLD, A_BOLD},
    [LS_FOCUS] = {39, -1, COLOR_CYAN, -1, A_BOLD, A_BOLD | A_UNDERLINE},
    [LS_STATUS] = {254, 24, COLOR_WHITE, COLOR_BLUE, 0, A_REVERSE},
    [LS_KEY] = {39, -1, COLOR_CYAN, -1, A_BOLD, A_BOLD},
    [LS_KEY_TEXT] = {-1, -1, -1, -1, 0, 0},
    [LS_CURSOR] = {255, 238, -1, -1, 0, A_REVERSE},
    [LS_CURRENT] = {16, 179, COLOR_BLACK, COLOR_YELLOW, 0, A_REVERSE},
    [LS_BREAK] = {203, -1, COLOR_RED, -1, A_BOLD, A_BOLD},
    [LS_CHANGED] = {172, -1, COLOR_YELLOW, -1, A_BOLD, A_BOLD},
    [LS_FOUND] = {16, 150, COLOR_BLACK, COLOR_GREEN, 0, A_REVERSE},
    [LS_GOOD] = {71, -1, COLOR_GREEN, -1, 0, 0},
    [LS_WARN] = {172, -1, COLOR_YELLOW, -1, 0, A_BOLD},
    [LS_BAD] = {167, -1, COLOR_RED, -1, 0, A_BOLD},
    [LS_NUMBER] = {-1, -1, -1, -1, A_BOLD, A_BOLD},
    [LS_KEYWORD] = {68, -1, COLOR_CYAN, -1, 0, 0},
    [LS_STRING] = {107, -1, COLOR_GREEN, -1, 0, 0},
    [LS_COMMENT] = {244, -1, COLOR_CYAN, -1, 0, A_DIM},
    [LS_BAR] = {67, -1, COLOR_CYAN, -1, 0, 0},
    [LS_SERIES1] = {74, -1, COLOR_CYAN, -1, 0, 0},
    [LS_SERIES2] = {173, -1, COLOR_YELLOW, -1, 0, A_BOLD},
    [LS_SERIES3] = {107, -1, COLOR_GREEN, -1, 0, A_DIM},
    [LS_SERIES4] = {139, -1, COLOR_MAGENTA, -1, 0, A_UNDERLINE},
    [LS_SERIES5] = {143, -1, COLOR_WHITE, -1, 0, A_REVERSE},
    [LS_SERIES6] = {73, -1, COLOR_RED, -1, 0, A_BOLD | A_UNDERLINE},
};

static attr_t attributes[LS_STYLES];
static short pairs[LS_STYLES];

static void settle_styles(void) {
  bool colour = ls_out.color && has_colors();
  if (colour) {
    start_color();
    if (use_default_colors() != OK) colour = false;
  }
  bool many = colour && COLORS >= 256;
  for (int i = 0; i < LS_STYLES; i++) {
    const look *l = &looks[i];
    short fg = many ? l->fg : l->fg8, bg = many ? l->bg : l->bg8;
    attributes[i] = colour ? l->with : l->without;
    pairs[i] = 0;
    if (!colour) continue;
    if (i == LS_DIM && !many) attributes[i] |= A_DIM;
    if (i == LS_CURSOR && !many) attributes[i] |= A_REVERSE;
    if ((fg >= 0 || bg >= 0) && init_pair((short)(i + 1), fg, bg) == OK) pairs[i] = (short)(i + 1);
  }
}

/* --- entering and leaving ---------------------------------------------------------------------------- */

static void send(const char *text) { ls_write_all(out_fd, text, strlen(text)); }

static void append(char *text, size_t room, const char *more) {
  if (more && more != (char *)-1 && strlen(text) + strlen(more) < room) strcat(text, more);
}

/* Prepares the sequences for entering and for leaving, so that a signal handler can send them. Without an
 * alternate screen, the last picture of the panel stays above the prompt, which begins on the last row. */
static void settle_texts(int rows) {
  char *leave = leave_text == leave_texts[0] ? leave_texts[1] : leave_texts[0];
  enter_text[0] = leave[0] = '\0';
  append(enter_text, sizeof enter_text, enter_ca_mode);
  append(enter_text, sizeof enter_text, "\033[?2004h");
  append(leave, sizeof leave_texts[0], "\033[?2004l");
  append(leave, sizeof leave_texts[0], orig_pair);
  append(leave, sizeof leave_texts[0], exit_attribute_mode);
  append(leave, sizeof leave_texts[0], cursor_normal);
  append(leave, sizeof leave_texts[0],
         tparm(cursor_address, (long)(rows - 1), 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L));
  append(leave, sizeof leave_texts[0], clr_eol);
  append(leave, sizeof leave_texts[0], exit_ca_mode ? exit_ca_mode : "\r\n");
  leave_text = leave;
}

/* Sets the terminal modes of the panel: keys arrive one by one and are not echoed. Ctrl-C and Ctrl-Z still
 * send signals and Enter is a newline; Ctrl-S, -Q, -V and -O are passed on to Readline. */
static void settle_modes(void) {
  inside = outside;
  inside.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
  inside.c_lflag |= ISIG;
  inside.c_iflag &= ~(tcflag_t)(IXON | INLCR | ISTRIP);
  inside.c_iflag |= ICRNL;
  inside.c_cc[VMIN] = 1;
  inside.c_cc[VTIME] = 0;
}

static ls_status open_screen(void) {
  const char *name = getenv("TERM");
  int error = 0;
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) return ls_fail(LS_EARG, "the panel needs a terminal");
  if (!name || !*name) return ls_fail(LS_EARG, "the panel needs to know the terminal: TERM is not set");
  if (setupterm(name, STDOUT_FILENO, &error) != OK)
    return ls_fail(LS_EARG, "the panel does not know the terminal `%s` (TERM)", name);
  bool can = cursor_address && clear_screen;
  del_curterm(cur_term); /* newterm makes its own */
  if (!can)
    return ls_fail(LS_EARG, "the panel needs a terminal whose cursor can be moved; TERM is `%s`", name);
  if (out_fd < 0) out_fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
  FILE *out = out_fd < 0 ? NULL : fdopen(out_fd, "w");
  if (!out) return ls_fail(LS_EIO, "the terminal cannot be opened: %s", strerror(errno));
  struct sigaction on_stop;
  sigaction(SIGTSTP, NULL, &on_stop);
  screen = newterm(name, out, stdin);
  sigaction(SIGTSTP, &on_stop, NULL); /* newterm replaces this handler, and no other */
  if (!screen) return ls_fail(LS_EARG, "the panel cannot use the terminal `%s` (TERM)", name);
  noecho();
  nonl();
  keypad(stdscr, FALSE);
  intrflush(stdscr, FALSE);
  settle_styles();
  return LS_OK;
}

ls_status ls_term_enter(void) {
  if (is_open) return LS_OK;
  if (tcgetattr(STDIN_FILENO, &outside) != 0) return ls_fail(LS_EARG, "the panel needs a terminal");
  bool again = screen != NULL;
  if (!again) {
    ls_status st = open_screen();
    if (st) return st;
  }
  settle_modes();
  int rows, cols;
  ls_term_size(&rows, &cols);
  settle_texts(rows);
  tcsetattr(STDIN_FILENO, TCSADRAIN, &inside);
  is_open = 1;
  send(again ? enter_text : "\033[?2004h");
  cursor_shown = -1;
  ls_term_forget();
  return LS_OK;
}

void ls_term_leave(void) {
  if (!is_open) return;
  is_open = 0;
  send(leave_text);
  tcsetattr(STDIN_FILENO, TCSANOW, &outside);
}

/* --- showing ----------------------------------------------------------------------------------------- */

void ls_term_size(int *rows, int *cols) {
  struct winsize size;
  *rows = LINES > 0 ? LINES : 24;
  *cols = COLS > 0 ? COLS : 80;
  if (ioctl(out_fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
    *rows = size.ws_row;
    *cols = size.ws_col;
  }
}

void ls_term_symbols(ls_canvas *c) {
  c->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  c->symbols = c->utf8 ? ls_out.symbols : LS_ASCII;
}

void ls_term_forget(void) { everything = true; }

static void show_cell(int row, int col, const ls_cell *cell) {
  u32 ch = cell->ch;
  int width = ls_char_width(ch);
  if (ch >= 0x80 && wcwidth((wchar_t)ch) != width) ch = '?'; /* the terminal may use another width */
  wchar_t text[3] = {(wchar_t)ch, 0, 0};
  cchar_t out;
  setcchar(&out, text, attributes[cell->style], pairs[cell->style], NULL);
  mvadd_wch(row, col, &out);
  if (width == 2 && ch == '?') mvadd_wch(row, col + 1, &out);
}

void ls_term_show(const ls_canvas *c, int row, int col) {
  if (!is_open) return;
  if (c->rows != LINES || c->cols != COLS) {
    if (resize_term(c->rows, c->cols) != OK) return;
    settle_texts(c->rows);
    everything = true;
  }
  if (everything) {
    erase();
    clearok(curscr, TRUE);
    ls_canvas_free(&shown);
  }
  bool fresh = shown.rows != c->rows || shown.cols != c->cols;
  if (fresh && ls_canvas_resize(&shown, c->rows, c->cols)) return;
  for (int r = 0; r < c->rows; r++)
    for (int k = 0; k < c->cols; k++) {
      const ls_cell *now = ls_canvas_at(c, r, k), *was = ls_canvas_at(&shown, r, k);
      if (now->flags & LS_CELL_REST) continue;
      if (fresh || now->ch != was->ch || now->style != was->style || (was->flags & LS_CELL_REST))
        show_cell(r, k, now);
    }
  memcpy(shown.cells, c->cells, (size_t)c->rows * (size_t)c->cols * sizeof *c->cells);
  everything = false;
  int cursor = row >= 0;
  if (cursor != cursor_shown) curs_set(cursor);
  cursor_shown = cursor;
  if (cursor) move(row, col);
  refresh();
}

/* --- keys -------------------------------------------------------------------------------------------- */

int ls_term_read(char *out, int room, int patience) {
  struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
  int n = poll(&p, 1, patience);
  if (n <= 0) return 0;
  if (!(p.revents & POLLIN)) return -1;
  ssize_t got = read(STDIN_FILENO, out, (size_t)room);
  if (got > 0) return (int)got;
  return got < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : -1;
}

const char *ls_term_function_key(int i) {
  char name[8];
  if (!screen) return "";
  snprintf(name, sizeof name, "kf%d", i);
  const char *text = tigetstr(name);
  return text && text != (char *)-1 ? text : "";
}
