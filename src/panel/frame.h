/* A whole picture: status line, panes, prompt and key line on a canvas. It knows no terminal. */
#ifndef LS_PANEL_FRAME_H
#define LS_PANEL_FRAME_H

#include "panel/layout.h"
#include "panel/pane.h"
#include "panel/view.h"

enum { LS_MOST_VIEWS = 24, LS_PROMPT = -1, LS_READING = 2 /* the pane of a lesson */ };

typedef struct ls_frame {
  int view[LS_PANES];                 /* which view each pane shows: a place in ls_views */
  ls_view_state state[LS_MOST_VIEWS]; /* of each view, wherever it is shown */
  int focus;                          /* the pane that has the keys, or LS_PROMPT */
  int zoomed;                         /* the pane that has all the room, -1: none */
  int wanted;       /* the view that was asked for last: shown though it be empty; -1: none */
  u32 hidden;       /* the panes of the last drawing whose views have nothing to show */
  ls_layout layout; /* of the last drawing */
  ls_pane pane;
  ls_typing typing;
  const char *asking; /* what is typed behind `/`; NULL: nothing is searched for */
  bool running;
} ls_frame;

/* Everything at its beginning; what was remembered is left to remember.c. */
void ls_frame_init(ls_frame *f);
/* Where everything goes, for a screen of that size; ls_frame_draw begins with it. */
void ls_frame_lay_out(ls_frame *f, int rows, int cols);
/* Draws on the whole canvas; *row and *col are the cursor's place, row -1: none. */
void ls_frame_draw(ls_frame *f, ls_canvas *c, int *row, int *col);
/* The prompt and the key line alone, on a canvas that the former has drawn on. */
void ls_frame_draw_prompt(ls_frame *f, ls_canvas *c, int *row, int *col);

int ls_view_number(const ls_view *v); /* its place in ls_views */
/* The pane that shows a view; -1: none that the last drawing had. */
int ls_frame_pane_of(const ls_frame *f, int view);
/* The pane that a lesson has: the last one on a screen that has few; -1: there are no panes. */
int ls_frame_reading_pane(const ls_frame *f);
/* Shows a view in a pane; where another pane shows it already, the two change places. */
void ls_frame_put(ls_frame *f, int pane, int view);
ls_view_state *ls_frame_state(ls_frame *f, int pane);

/* The status line (status.c). */
void ls_status_draw(ls_canvas *c, ls_rect in, bool running);

#endif
