#include "panel/views/lesson_reader.h"

#include "panel/panel.h"
#include "panel/screen.h"
#include "panel/views/script.h"

static int replaced = -1; /* the view that the text has replaced; -1: none */
static int pane;          /* the pane of that view */
static int layout = -1;   /* the layout of the graph view before the lesson; -1: no lesson */

static bool show(void) {
  ls_frame *f = &the_screen.frame;
  const int number = ls_view_number(&ls_view_lesson), at = ls_frame_reading_pane(f);
  if (!ls_panel_is_on() || at < 0) return false;
  if (layout < 0) layout = f->state[ls_view_number(&ls_view_graph)].choice;
  if (f->zoomed != at) f->zoomed = -1;  /* the text must be visible, */
  if (at != LS_READING) f->zoomed = at; /* and half the width of a small screen is too narrow for it */
  if (f->view[at] != number) {
    if (replaced < 0) replaced = f->view[at], pane = at;
    ls_frame_put(f, at, number);
  }
  the_screen.stale = true;
  return true;
}

static bool more(void) {
  ls_frame *f = &the_screen.frame;
  const int number = ls_view_number(&ls_view_lesson);
  ls_view_state *st = &f->state[number];
  if (!ls_panel_is_on() || ls_frame_pane_of(f, number) < 0) return false;
  if (the_screen.stale) screen_draw(); /* computes st->lines and st->page for the current text */
  if (st->scroll + st->page >= st->lines) return false;
  st->scroll += st->page > 2 ? st->page - 1 : 1;
  the_screen.stale = true;
  return true;
}

static void end(void) {
  ls_script_forget();
  ls_frame *f = &the_screen.frame;
  if (replaced >= 0 && f->view[pane] == ls_view_number(&ls_view_lesson)) {
    if (pane != LS_READING && f->zoomed == pane) f->zoomed = -1;
    ls_frame_put(f, pane, replaced);
  }
  if (layout >= 0) f->state[ls_view_number(&ls_view_graph)].choice = layout;
  replaced = layout = -1;
  the_screen.stale = true;
}

const ls_lesson_reader ls_panel_reader = {show, more, end};
