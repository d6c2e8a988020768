/* The terminal. The only file that knows curses; what is to be seen comes as a canvas, keys go as bytes. */
#ifndef LS_PANEL_TERM_H
#define LS_PANEL_TERM_H

#include "panel/canvas.h"

/* Takes the terminal: the alternate screen, keys byte by byte, bracketed paste. LS_EARG says what is missing:
 * no terminal, TERM=dumb, an unknown one. Entering once more after ls_term_leave is cheap. */
ls_status ls_term_enter(void);
/* Gives it back as it was. Async-signal-safe: a crash calls it as well. */
void ls_term_leave(void);

/* Rows and columns, at least 1. Ask after entering and after SIGWINCH. */
void ls_term_size(int *rows, int *cols);
/* What the terminal can show: for a canvas. */
void ls_term_symbols(ls_canvas *c);

/* Shows the canvas, whose size is ls_term_size's; sends what differs from what is shown. row < 0: no cursor.
 */
void ls_term_show(const ls_canvas *c, int row, int col);
/* The next ls_term_show sends everything. */
void ls_term_forget(void);

/* Reads what was typed, waiting up to so many milliseconds (-1: until there is something). 0: nothing; -1:
 * the terminal is gone. */
int ls_term_read(char *out, int room, int patience);

/* The terminal's own sequence for a function key (1 .. 12), "" where it has none. */
const char *ls_term_function_key(int i);

#endif
