/* The layout of the panel for a screen of given size. Pure arithmetic. */
#ifndef LS_PANEL_LAYOUT_H
#define LS_PANEL_LAYOUT_H

#include "panel/canvas/canvas.h"

enum { LS_PANES = 9 };

typedef struct ls_layout {
  bool status, keys; /* is there a status line (the first row), a key line (the last row)? */
  int panes;
  /* Panes with their borders, which neighbours share; the lowest border is also that of the prompt. Small
   * screens have only the first panes: 0 and 1 side by side, 2 below them. A pane that is not shown has no
   * rows. */
  ls_rect pane[LS_PANES];
  ls_rect prompt; /* without borders; rows >= 1 */
} ls_layout;

/* Below 60 x 15 (columns x rows) there are only a status line and the prompt, below 20 x 3 only the prompt.
 * zoomed: the pane that gets the space of all; -1: none. reading: pane 2 shows a text to read, and gets more
 * rows than usual. hidden: bit i hides pane i; its space goes to the other panes in its row or, if all of
 * them are hidden, to the rows above and below. If all panes were to be hidden, none is. rows, cols >= 1. */
void ls_layout_make(int rows, int cols, int zoomed, bool reading, u32 hidden, ls_layout *out);

#endif
