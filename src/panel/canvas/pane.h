/* The prompt's pane: the lines printed so far, with scrollback, and below them the line being typed.
 * Independent of any terminal.
 *
 * Text is interpreted as by a terminal: carriage returns, tabs, backspaces, colours, erasing to the end of
 * the line and clearing the screen are understood; other sequences are dropped. */
#ifndef LS_PANEL_PANE_H
#define LS_PANEL_PANE_H

#include "panel/canvas/canvas.h"

typedef struct ls_pane_line {
  ls_cell *cells;
  int len, room;
} ls_pane_line;

typedef struct ls_pane {
  ls_pane_line *lines; /* a ring */
  int first, count;    /* count >= 1 once something was written; text is added to the last line */
  int col;             /* where the next character goes */
  u64 written;         /* number of lines completed since the beginning */
  u8 style;
  char partial[64]; /* an incomplete sequence or character */
  int partial_len;
  int scroll; /* rows scrolled back */
  u64 asked;  /* the number (as in `written`) of the first line of the last answer */
  bool above; /* in the last drawing, the beginning of that answer was above the pane */
} ls_pane;

typedef struct ls_typing {
  const char *prompt, *text; /* NULL: nothing is being typed */
  int point;                 /* bytes before the cursor */
} ls_typing;

void ls_pane_write(ls_pane *p, const char *s, size_t n); /* if memory is short, text is lost */
void ls_pane_clear(ls_pane *p);
void ls_pane_free(ls_pane *p);
/* Draws the newest lines and the typed one; *row and *col become the position of the cursor in `in` (row -1:
 * not visible). Clamps p->scroll. */
void ls_pane_draw(ls_pane *p, ls_canvas *c, ls_rect in, const ls_typing *typing, int *row, int *col);
/* Passes all lines from number `from` on (counted as in `written`) to `put`, as UTF-8. */
void ls_pane_replay(const ls_pane *p, u64 from, void (*put)(const char *s, size_t n));

#endif
