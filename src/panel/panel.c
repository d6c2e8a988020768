#include "panel/panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fault.h"
#include "panel/keys/line_editor.h"
#include "panel/keys/keys.h"
#include "panel/views/log.h"
#include "panel/canvas/output_capture.h"
#include "panel/canvas/saved_layout.h"
#include "panel/screen.h"
#include "panel/canvas/term.h"
#include "repl/commands/command.h"
#include "repl/repl.h"

static u64 replay_from; /* the pane's first line since the panel was opened */

bool ls_panel_is_on(void) { return the_screen.on; }

ls_frame *ls_panel_frame(void) {
  screen_begin();
  return &the_screen.frame;
}

/* --- on and off -------------------------------------------------------------------------------------- */

void panel_leave(void) {
  ls_term_leave();
  ls_output_capture_off();
}

void panel_resume(void) {
  if (!the_screen.on || ls_term_enter() || ls_output_capture_on(ls_prompt_wake)) {
    if (!the_screen.on) return;
    the_screen.on = false; /* the terminal is no longer usable for the panel */
    panel_leave();
    ls_output_columns_are(0);
    ls_edit_give(ls_prompt_waits());
    return;
  }
  screen_settle_size();
  the_screen.stale = true;
}

/* Restores the terminal when the process crashes. Async-signal-safe. */
static void crashed(void) {
  panel_leave();
  ls_output_capture_last_words();
}

/* When the panel is opened for the first time: installs handlers for exit and crashes, and learns the
 * terminal's keys. */
static void begin_once(void) {
  static bool begun;
  if (begun) return;
  begun = true;
  ls_fault_last(crashed);
  atexit(ls_panel_off); /* for os.exit: output shown in the panel must stay visible */
  for (int i = 1; i <= 12; i++) ls_key_learn(ls_term_function_key(i), LS_KEY_F1 + i - 1);
}

ls_status ls_panel_on(void) {
  if (the_screen.on) return LS_OK;
  if (!ls_prompt_interactive())
    return ls_fail(LS_EARG, "the panel needs a prompt on a terminal (lockstep -i)");
  screen_begin();
  ls_edit_begin();
  bool typing = ls_prompt_waits();
  ls_output_capture_settle();
  screen_take_output(); /* the output at the prompt so far */
  ls_edit_take(typing);
  ls_status st = ls_term_enter();
  if (!st && (st = ls_output_capture_on(ls_prompt_wake))) ls_term_leave();
  if (st) {
    ls_edit_give(typing);
    return st;
  }
  begin_once();
  the_screen.on = true;
  the_screen.stale = true;
  the_screen.frame.running = !typing;
  the_screen.canvas.rows = -1; /* so that the size counts as changed */
  screen_settle_size();
  replay_from = the_screen.frame.pane.written;
  return LS_OK;
}

static void put_out(const char *s, size_t n) { fwrite(s, 1, n, stdout); }

void ls_panel_off(void) {
  if (!the_screen.on) return;
  bool typing = ls_prompt_waits();
  ls_output_capture_settle();
  screen_take_output();
  the_screen.on = false;
  panel_leave();
  ls_output_columns_are(0);
  ls_saved_layout_write(&the_screen.frame);
  ls_pane_replay(&the_screen.frame.pane, replay_from, put_out);
  fflush(stdout);
  ls_edit_give(typing);
}

void ls_panel_close(void) {
  ls_panel_off();
  ls_pane_free(&the_screen.frame.pane);
  ls_canvas_free(&the_screen.canvas);
}

void panel_toggle(void) {
  if (the_screen.on)
    ls_panel_off();
  else if (ls_panel_on())
    ls_note("%s\n", ls_error());
}

void panel_reset(void) {
  screen_begin();
  ls_frame *f = &the_screen.frame;
  const ls_frame old = *f;
  ls_frame_init(f);
  f->pane = old.pane;
  f->running = old.running;
  f->typing = old.typing;
  f->layout = old.layout;
  ls_saved_layout_write(f);
  the_screen.stale = true;
}

ls_status ls_panel_show(const char *name) {
  const ls_view *v = ls_view_find(name);
  if (!v) {
    char known[256] = "";
    for (int i = 0; ls_views[i]; i++) {
      size_t n = strlen(known);
      snprintf(known + n, sizeof known - n, "%s%s", i ? ", " : "", ls_views[i]->name);
    }
    return ls_fail(LS_EARG, "there is no view `%s`; there are %s", name, known);
  }
  ls_status st = ls_panel_on();
  if (st) return st;
  ls_frame *f = &the_screen.frame;
  const int number = ls_view_number(v);
  f->wanted = number;
  ls_frame_lay_out(f, the_screen.canvas.rows, the_screen.canvas.cols);
  if (ls_frame_pane_of(f, number) < 0)
    ls_frame_put(f, f->layout.panes > 1 && f->zoomed < 0 ? 1 : f->zoomed < 0 ? 0 : f->zoomed, number);
  the_screen.stale = true;
  return LS_OK;
}

/* --- for the prompt and the session ------------------------------------------------------------------ */

void panel_run(const char *command) {
  screen_echo("> ", command, "\n");
  screen_set_off();
  ls_prompt_run(command);
}

void ls_panel_stop(const ls_stop *stop) {
  static const ls_view *const following[] = {&ls_view_script, &ls_view_log};
  ls_log_stop(stop);
  ls_show_stop(stop);
  ls_frame *f = &the_screen.frame;
  for (size_t i = 0; i < sizeof following / sizeof *following; i++) {
    int v = ls_view_number(following[i]);
    if (f->focus < 0 || f->view[f->focus] != v) f->state[v].cursor = -1;
  }
}
