#include "panel/screen.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/wait.h"
#include "panel/keys/line_editor.h"
#include "panel/canvas/output_capture.h"
#include "panel/canvas/saved_layout.h"
#include "panel/canvas/term.h"
#include "repl/repl.h"
#include "run/record/trace.h"

struct screen the_screen;

static int cursor_row, cursor_col;
static f64 drawn, cost; /* when everything was last drawn; by how many seconds that delayed the run */
static f64 harvested, harvest_cost;

void screen_begin(void) {
  static bool begun;
  if (begun) return;
  begun = true;
  ls_frame_init(&the_screen.frame);
  ls_saved_layout_read(&the_screen.frame);
}

/* --- drawing ----------------------------------------------------------------------------------------- */

bool screen_take_output(void) {
  char text[8192];
  bool any = false;
  for (size_t n; (n = ls_output_capture_take(text, sizeof text)) > 0; any = true)
    ls_pane_write(&the_screen.frame.pane, text, n);
  if (any) the_screen.stale_prompt = true;
  return any;
}

void screen_settle_size(void) {
  int rows, cols;
  ls_term_size(&rows, &cols);
  if (rows == the_screen.canvas.rows && cols == the_screen.canvas.cols) return;
  ls_term_symbols(&the_screen.canvas);
  if (ls_canvas_resize(&the_screen.canvas, rows, cols)) return; /* keeps the old size while memory is short */
  ls_prompt_size(rows, cols);
  ls_output_columns_are(cols);
  the_screen.stale = true;
}

/* Processor time of this thread: wall-clock time would include waiting while a run keeps all processors
 * busy. */
static f64 busy_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (f64)t.tv_sec + 1e-9 * (f64)t.tv_nsec;
}

/* Updates the trace while something runs. Drawing itself must not wait for a device (ls_trace_hold), and
 * updating must not cost more than a hundredth of the run, so it is done at intervals that depend on its
 * cost. */
static void bring_in_trace(f64 now) {
  f64 pause = 400 * harvest_cost;
  if (pause < 0.25) pause = 0.25;
  if (pause > 2) pause = 2;
  if (now - harvested < pause) return;
  f64 begun = busy_time();
  ls_trace_last();
  harvested = ls_now();
  harvest_cost = busy_time() - begun;
}

void screen_draw(void) {
  ls_frame *f = &the_screen.frame;
  f64 begun = busy_time(), now = ls_now();
  if (f->running)
    f->typing = (ls_typing){NULL, NULL, 0};
  else
    ls_edit_look(&f->typing);
  if (the_screen.stale) {
    if (f->running) bring_in_trace(now);
    ls_trace_hold(f->running);
    ls_frame_draw(f, &the_screen.canvas, &cursor_row, &cursor_col);
    ls_trace_hold(false);
  } else {
    ls_frame_draw_prompt(f, &the_screen.canvas, &cursor_row, &cursor_col);
  }
  if (f->asking) {
    cursor_row = the_screen.canvas.rows - 1;
    cursor_col = 1 + ls_text_width(f->asking);
  } else if (f->focus != LS_PROMPT) {
    cursor_row = -1; /* hidden: typed letters go to a view */
  }
  ls_term_show(&the_screen.canvas, cursor_row, cursor_col);
  if (the_screen.stale) {
    drawn = ls_now();
    cost = busy_time() - begun;
    if (drawn - now > 0.05) cost = drawn - now; /* the terminal is slow: writing to it delays the run */
  }
  the_screen.stale = the_screen.stale_prompt = false;
  f->typing = (ls_typing){NULL, NULL, 0}; /* the text is Readline's; what runs next may free it */
}

f64 screen_since_drawn(void) { return ls_now() - drawn; }

f64 screen_pause(void) {
  const f64 pause = 150 * cost < 1 ? 150 * cost : 1;
  return pause > 0.001 * SCREEN_MS ? pause : 0.001 * SCREEN_MS;
}

/* --- the prompt's pane ------------------------------------------------------------------------------- */

void screen_say(ls_style style, const char *text) {
  ls_pane *p = &the_screen.frame.pane;
  ls_output_capture_settle();
  screen_take_output();
  if (p->col > 0) ls_pane_write(p, "\n", 1);
  p->style = (u8)style;
  ls_pane_write(p, text, strlen(text));
  p->style = LS_TEXT_STYLE;
  ls_pane_write(p, "\n", 1);
  the_screen.stale_prompt = true;
}

void screen_echo(const char *prompt, const char *line, const char *after) {
  ls_pane *p = &the_screen.frame.pane;
  ls_output_capture_settle();
  screen_take_output();
  if (p->col > 0) ls_pane_write(p, "\n", 1);
  p->asked = p->written;
  p->style = LS_DIM;
  ls_pane_write(p, prompt, strlen(prompt));
  p->style = LS_TEXT_STYLE;
  ls_pane_write(p, line, strlen(line));
  ls_pane_write(p, after, strlen(after));
  p->scroll = 0;
  the_screen.stale_prompt = true;
}

void screen_set_off(void) {
  the_screen.frame.running = true;
  ls_typed.judged = 0;
  the_screen.stale = true;
  harvested = ls_now();
}
