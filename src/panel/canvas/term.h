/* The terminal, the only file that uses curses. Shows canvases, and returns typed keys as bytes. */
#ifndef LS_PANEL_TERM_H
#define LS_PANEL_TERM_H

#include "panel/canvas/canvas.h"

/* Takes the terminal: alternate screen, keys byte by byte, bracketed paste. LS_EARG, with the reason, if
 * there is no terminal or TERM is unknown or "dumb". Entering again after ls_term_leave is cheap. */
ls_status ls_term_enter(void);
/* Restores the terminal. Async-signal-safe: also called in a crash. */
void ls_term_leave(void);

/* Rows and columns, at least 1. Ask after entering and after SIGWINCH. */
void ls_term_size(int *rows, int *cols);
/* Sets the canvas's symbols and utf8 to what the terminal can show. */
void ls_term_symbols(ls_canvas *c);

/* Shows a canvas of ls_term_size; sends only what has changed. row, col: the cursor; row < 0: none. */
void ls_term_show(const ls_canvas *c, int row, int col);
/* The next ls_term_show sends everything. */
void ls_term_forget(void);

/* Reads typed bytes, waiting up to `patience` milliseconds for them (-1: without limit). Returns how many; 0:
 * none; -1: the terminal is gone. */
int ls_term_read(char *out, int room, int patience);

/* The terminal's own sequence for a function key (1 .. 12); "" if it has none. */
const char *ls_term_function_key(int i);

#endif
