#include "panel/lesson_reader.h"

#include "panel/panel.h"
#include "panel/screen.h"
#include "panel/script.h"

static int replaced = -1; /* the view whose pane the text has */

static bool show(void) {
  ls_frame *f = &the_screen.frame;
  const int number = ls_view_number(&ls_view_lesson);
  if (!ls_panel_is_on() || f->layout.panes <= LS_READING) return false;
  if (f->zoomed != LS_READING) f->zoomed = -1; /* the text has to be seen */
  if (f->view[LS_READING] != number) {
    if (replaced < 0) replaced = f->view[LS_READING];
    ls_frame_put(f, LS_READING, number);
  }
  the_screen.stale = true;
  return true;
}

static bool more(void) {
  ls_frame *f = &the_screen.frame;
  const int number = ls_view_number(&ls_view_lesson);
  ls_view_state *st = &f->state[number];
  if (!ls_panel_is_on() || ls_frame_pane_of(f, number) < 0) return false;
  if (the_screen.stale) screen_draw(); /* how long is the text that is to be seen now? */
  if (st->scroll + st->page >= st->lines) return false;
  st->scroll += st->page > 2 ? st->page - 1 : 1;
  the_screen.stale = true;
  return true;
}

static void end(void) {
  ls_script_forget();
  ls_frame *f = &the_screen.frame;
  if (replaced >= 0 && f->view[LS_READING] == ls_view_number(&ls_view_lesson))
    ls_frame_put(f, LS_READING, replaced);
  replaced = -1;
  the_screen.stale = true;
}

const ls_lesson_reader ls_panel_reader = {show, more, end};
