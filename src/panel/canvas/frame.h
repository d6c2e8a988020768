/* The whole picture of the panel on a canvas: status line, panes, prompt and key line. Independent of any
 * terminal. */
#ifndef LS_PANEL_FRAME_H
#define LS_PANEL_FRAME_H

#include "panel/canvas/layout.h"
#include "panel/canvas/pane.h"
#include "panel/views/view.h"

enum { LS_MOST_VIEWS = 24, LS_PROMPT = -1, LS_READING = 2 /* the pane of a lesson */ };

typedef struct ls_frame {
  int view[LS_PANES];                 /* the view of each pane, as an index into ls_views */
  ls_view_state state[LS_MOST_VIEWS]; /* of each view, whichever pane shows it */
  int focus;                          /* the pane that gets the keys, or LS_PROMPT */
  int zoomed;                         /* the pane that fills the space of all panes; -1: none */
  int wanted;       /* the view that was requested last, which is shown even if empty; -1: none */
  u32 hidden;       /* bit i: pane i was hidden in the last drawing, because its view was empty */
  ls_layout layout; /* of the last drawing */
  ls_pane pane;
  ls_typing typing;
  const char *asking; /* the search text typed so far, after `/`; NULL: none is being typed */
  bool running;
} ls_frame;

/* Sets the default arrangement; saved_layout.c restores the saved one. */
void ls_frame_init(ls_frame *f);
/* Computes the layout for a screen of that size; ls_frame_draw does so, too. */
void ls_frame_lay_out(ls_frame *f, int rows, int cols);
/* Draws on the whole canvas; *row and *col become the position of the cursor, row -1: none. */
void ls_frame_draw(ls_frame *f, ls_canvas *c, int *row, int *col);
/* Redraws only the prompt and the key line, on a canvas on which ls_frame_draw has drawn. */
void ls_frame_draw_prompt(ls_frame *f, ls_canvas *c, int *row, int *col);

int ls_view_number(const ls_view *v); /* its index in ls_views */
/* The pane that shows a view; -1: none in the current layout. */
int ls_frame_pane_of(const ls_frame *f, int view);
/* The pane for a lesson's text: LS_READING, or the last one if there are fewer; -1: there are no panes. */
int ls_frame_reading_pane(const ls_frame *f);
/* Shows a view in a pane; if another pane shows it already, swaps the views of the two. */
void ls_frame_put(ls_frame *f, int pane, int view);
ls_view_state *ls_frame_state(ls_frame *f, int pane);

/* The status line (status.c). */
void ls_status_draw(ls_canvas *c, ls_rect in, bool running);

#endif
