/* Where things go on a screen of so many rows and columns. Pure arithmetic. */
#ifndef LS_PANEL_LAYOUT_H
#define LS_PANEL_LAYOUT_H

#include "panel/canvas.h"

enum { LS_PANES = 9 };

typedef struct ls_layout {
  bool status, keys; /* the first row and the last one */
  int panes;
  /* Panes with their rules, which neighbours share. The lowest rule is also the prompt's. Small screens have
   * the first few panes of large ones: 0 beside 1, below them 2. One that is not shown has no rows. */
  ls_rect pane[LS_PANES];
  ls_rect prompt; /* without rules; rows >= 1 */
} ls_layout;

/* Below 60 x 15 (columns x rows) status and prompt only, below 20 x 3 the prompt only. zoomed: the pane that
 * has the room of all, -1: none. reading: pane 2 has a text, and more rows than usual. hidden: bit i for pane
 * i, whose room those beside it get, else those above and below; where all would be hidden, none is. rows,
 * cols >= 1. */
void ls_layout_make(int rows, int cols, int zoomed, bool reading, u32 hidden, ls_layout *out);

#endif
