/* The prompt's pane: what was written, line by line, with scrollback, and below it what is being typed. Pure.
 *
 * Text comes as a terminal would get it: carriage returns, tabs, backspaces, colours and erased line ends are
 * understood, other sequences are dropped. */
#ifndef LS_PANEL_PANE_H
#define LS_PANEL_PANE_H

#include "panel/canvas.h"

typedef struct ls_pane_line {
  ls_cell *cells;
  int len, room;
} ls_pane_line;

typedef struct ls_pane {
  ls_pane_line *lines; /* a ring */
  int first, count;    /* count >= 1 once something was written; the last line is the one that grows */
  int col;             /* where the next character goes */
  u64 written;         /* lines ended, ever */
  u8 style;
  char partial[64]; /* a sequence or a character that has not ended */
  int partial_len;
  int scroll; /* rows scrolled back */
  u64 asked;  /* where the last answer begins, as `written` counts */
  bool above; /* the last drawing had no room for its beginning */
} ls_pane;

typedef struct ls_typing {
  const char *prompt, *text; /* NULL: nothing is being typed */
  int point;                 /* bytes before the cursor */
} ls_typing;

void ls_pane_write(ls_pane *p, const char *s, size_t n); /* out of memory: what has no place is lost */
void ls_pane_clear(ls_pane *p);
void ls_pane_free(ls_pane *p);
/* Draws the newest lines and what is typed; *row and *col, relative to `in`, are the cursor's (row -1: it is
 * not to be seen). Clamps p->scroll. */
void ls_pane_draw(ls_pane *p, ls_canvas *c, ls_rect in, const ls_typing *typing, int *row, int *col);
/* Writes all lines from number `from` (as `written` counts) on as UTF-8 by calling put. */
void ls_pane_replay(const ls_pane *p, u64 from, void (*put)(const char *s, size_t n));

#endif
