#include "panel/panel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <readline/readline.h>

#include "core/wait.h"
#include "panel/edit.h"
#include "panel/guard.h"
#include "panel/keys.h"
#include "panel/log.h"
#include "panel/outlet.h"
#include "panel/parts.h"
#include "panel/remember.h"
#include "panel/term.h"
#include "repl/command.h"
#include "repl/repl.h"

panel the_panel = {.helped = -1};

static ls_canvas canvas;
static int cursor_row, cursor_col;
static f64 drawn, cost; /* when the last picture was drawn, and what that took of the run's time */
static f64 harvested, harvest_cost;
static u64 replay_from; /* the pane's first line of this stay */
static bool idling;

enum { FRAME_MS = 50 };

static void begin_first(void) {
  static bool begun;
  if (begun) return;
  begun = true;
  ls_frame_init(&the_panel.frame);
  ls_remember_read(&the_panel.frame);
}

ls_frame *ls_panel_frame(void) {
  begin_first();
  return &the_panel.frame;
}

bool ls_panel_is_on(void) { return the_panel.on; }

/* --- drawing ----------------------------------------------------------------------------------------- */

static bool take_output(void) {
  char text[8192];
  bool any = false;
  for (size_t n; (n = ls_outlet_take(text, sizeof text)) > 0; any = true)
    ls_pane_write(&the_panel.frame.pane, text, n);
  if (any) the_panel.stale_prompt = true;
  return any;
}

static void settle_size(void) {
  int rows, cols;
  ls_term_size(&rows, &cols);
  if (rows == canvas.rows && cols == canvas.cols) return;
  ls_term_symbols(&canvas);
  if (ls_canvas_resize(&canvas, rows, cols)) return; /* the old picture, until there is memory */
  ls_prompt_size(rows, cols);
  ls_output_columns_are(cols);
  the_panel.stale = true;
}

/* Processor time, since the wall's is not ours where a run keeps all processors busy. */
static f64 busy_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (f64)t.tv_sec + 1e-9 * (f64)t.tv_nsec;
}

/* While something runs, reading the trace must not wait for a device, and bringing it up to date must not
 * cost more than a hundredth of the run. */
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

static void draw(void) {
  ls_frame *f = &the_panel.frame;
  f64 begun = busy_time(), now = ls_now();
  if (f->running)
    f->typing = (ls_typing){NULL, NULL, 0};
  else
    ls_edit_look(&f->typing);
  if (the_panel.stale) {
    if (f->running) bring_in_trace(now);
    ls_trace_hold(f->running);
    ls_frame_draw(f, &canvas, &cursor_row, &cursor_col);
    ls_trace_hold(false);
  } else {
    ls_frame_draw_prompt(f, &canvas, &cursor_row, &cursor_col);
  }
  if (f->asking) {
    cursor_row = canvas.rows - 1;
    cursor_col = 1 + ls_text_width(f->asking);
  }
  ls_term_show(&canvas, cursor_row, cursor_col);
  if (the_panel.stale) {
    drawn = ls_now();
    cost = busy_time() - begun;
    if (drawn - now > 0.05) cost = drawn - now; /* a slow line: writing to it holds the run up */
  }
  the_panel.stale = the_panel.stale_prompt = false;
  f->typing = (ls_typing){NULL, NULL, 0}; /* Readline's own: what runs next may free it */
}

/* --- on and off -------------------------------------------------------------------------------------- */

/* Async-signal-safe. */
static void leave(void) {
  ls_term_leave();
  ls_outlet_off();
}

static void resume(void) {
  if (!the_panel.on || ls_term_enter() || ls_outlet_on(ls_prompt_wake)) {
    if (!the_panel.on) return;
    the_panel.on = false; /* the terminal has become another one */
    leave();
    ls_output_columns_are(0);
    ls_edit_give(ls_prompt_waits());
    return;
  }
  settle_size();
  the_panel.stale = true;
}

/* The first time: how the process may end, and what the terminal's keys send. */
static void begin_once(void) {
  static bool begun;
  if (begun) return;
  begun = true;
  ls_guard(leave);
  atexit(ls_panel_off); /* os.exit: what was said is to be seen */
  for (int i = 1; i <= 12; i++) ls_key_learn(ls_term_function_key(i), LS_KEY_F1 + i - 1);
}

ls_status ls_panel_on(void) {
  if (the_panel.on) return LS_OK;
  if (!ls_prompt_interactive())
    return ls_fail(LS_EARG, "the panel wants a prompt on a terminal (lockstep -i)");
  begin_first();
  ls_edit_begin();
  bool typing = ls_prompt_waits();
  fflush(stdout);
  ls_edit_take(typing);
  ls_status st = ls_term_enter();
  if (!st && (st = ls_outlet_on(ls_prompt_wake))) ls_term_leave();
  if (st) {
    ls_edit_give(typing);
    return st;
  }
  begin_once();
  the_panel.on = true;
  the_panel.stale = true;
  the_panel.frame.running = !typing;
  canvas.rows = -1; /* whatever the size is, it is news */
  settle_size();
  replay_from = the_panel.frame.pane.written;
  return LS_OK;
}

static void put_out(const char *s, size_t n) { fwrite(s, 1, n, stdout); }

void ls_panel_off(void) {
  if (!the_panel.on) return;
  bool typing = ls_prompt_waits();
  ls_outlet_settle();
  take_output();
  the_panel.on = false;
  leave();
  ls_output_columns_are(0);
  ls_remember_write(&the_panel.frame);
  ls_pane_replay(&the_panel.frame.pane, replay_from, put_out);
  fflush(stdout);
  ls_edit_give(typing);
}

void panel_toggle(void) {
  if (the_panel.on)
    ls_panel_off();
  else if (ls_panel_on())
    ls_note("%s\n", ls_error());
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
  ls_frame *f = &the_panel.frame;
  ls_layout_make(canvas.rows, canvas.cols, f->zoomed, &f->layout);
  int number = ls_view_number(v);
  if (ls_frame_pane_of(f, number) < 0)
    ls_frame_put(f, f->layout.panes > 1 && f->zoomed < 0 ? 1 : f->zoomed < 0 ? 0 : f->zoomed, number);
  the_panel.stale = true;
  return LS_OK;
}

/* --- the prompt's side ------------------------------------------------------------------------------- */

void panel_say(ls_style style, const char *text) {
  ls_pane *p = &the_panel.frame.pane;
  ls_outlet_settle();
  take_output();
  if (p->col > 0) ls_pane_write(p, "\n", 1);
  p->style = (u8)style;
  ls_pane_write(p, text, strlen(text));
  p->style = LS_TEXT_STYLE;
  ls_pane_write(p, "\n", 1);
  the_panel.stale_prompt = true;
}

static void echo(const char *prompt, const char *line, const char *after) {
  ls_pane *p = &the_panel.frame.pane;
  ls_outlet_settle();
  take_output();
  if (p->col > 0) ls_pane_write(p, "\n", 1);
  p->style = LS_DIM;
  ls_pane_write(p, prompt, strlen(prompt));
  p->style = LS_TEXT_STYLE;
  ls_pane_write(p, line, strlen(line));
  ls_pane_write(p, after, strlen(after));
  p->scroll = 0;
  the_panel.stale_prompt = true;
}

/* From here to the next `serve`, something runs. */
static void set_off(void) {
  the_panel.frame.running = true;
  the_panel.judged = 0;
  the_panel.stale = true;
  harvested = ls_now();
}

static void accepted(const char *prompt, const char *line) {
  echo(prompt, line, "\n");
  const char *rest;
  const ls_command *c = ls_line_command(line, &rest);
  if (c && strcmp(c->name, "until") == 0) snprintf(the_panel.until, sizeof the_panel.until, "%s", rest);
  set_off();
}

static void dropped(const char *prompt, const char *line) {
  ls_queue_drop(0, ls_typed.count); /* as the terminal does with what it has not yet handed out */
  echo(prompt, line, "^C\n");
}

void panel_run(const char *command) {
  echo("> ", command, "\n");
  set_off();
  ls_prompt_run(command);
}

/* In columns, as wide as the pane. */
static void show_matches(char **matches, int count, int longest) {
  ls_pane *p = &the_panel.frame.pane;
  int across = (canvas.cols + 1) / (longest + 2);
  if (across < 1) across = 1;
  int down = (count + across - 1) / across;
  take_output();
  p->style = LS_SERIES1;
  for (int row = 0; row < down; row++) {
    for (int i = row; i < count; i += down) {
      const char *s =
          rl_filename_completion_desired && strrchr(matches[i + 1], '/') && strrchr(matches[i + 1], '/')[1]
              ? strrchr(matches[i + 1], '/') + 1
              : matches[i + 1];
      ls_pane_write(p, s, strlen(s));
      for (int k = ls_text_width(s); i + down < count && k < longest + 2; k++) ls_pane_write(p, " ", 1);
    }
    ls_pane_write(p, "\n", 1);
  }
  p->style = LS_TEXT_STYLE;
}

/* --- the prompt calls -------------------------------------------------------------------------------- */

static int want_toggle(int count, int key) {
  (void)count, (void)key;
  the_panel.toggle = true;
  return 0;
}

static void begin(void) {
  ls_edit_begin();
  ls_edit_matches = show_matches;
  rl_bind_keyseq("\\C-xa", want_toggle);
  rl_bind_keyseq_in_map("\\C-xa", want_toggle, vi_insertion_keymap);
}

static bool active(void) { return the_panel.on; }

static int wait(void) {
  if (ls_typed.count > 0 && !the_panel.unfinished) return 0;
  if (!the_panel.on || (!the_panel.stale && !the_panel.stale_prompt)) return -1;
  int since = (int)(1000 * (ls_now() - drawn));
  return since >= FRAME_MS ? 1 : FRAME_MS - since;
}

static void serve(void) {
  if (the_panel.toggle) {
    the_panel.toggle = false;
    panel_toggle();
  }
  if (!the_panel.on) return;
  if (the_panel.frame.running) {
    the_panel.frame.running = false;
    the_panel.stale = true;
    the_panel.judged = 0;
    ls_outlet_settle();
  }
  take_output();
  if (!the_panel.unfinished) panel_read_keys(0);
  bool busy = ls_typed.count > 0 && !the_panel.unfinished; /* more is to be done before anyone looks */
  f64 since = ls_now() - drawn;
  if (the_panel.stale && since >= 0.001 * FRAME_MS)
    draw();
  else if (!busy && (the_panel.stale || the_panel.stale_prompt)) {
    bool later = the_panel.stale;
    the_panel.stale = false; /* what is typed is seen at once, the views at their time */
    draw();
    the_panel.stale = later;
  }
}

static void resized(void) {
  settle_size();
  ls_term_forget();
  the_panel.stale = true;
}

static void idle(void) {
  if (idling) return;
  idling = true;
  if (the_panel.on) the_panel.frame.running = true;
  panel_overhear();
  if (the_panel.on) {
    fflush(stdout);
    take_output();
    f64 pause = 150 * cost < 1 ? 150 * cost : 1;
    if (pause < 0.001 * FRAME_MS) pause = 0.001 * FRAME_MS;
    if (ls_now() - drawn >= pause) {
      the_panel.stale = true;
      draw();
    }
  }
  idling = false;
}

void ls_panel_stop(const ls_stop *stop) {
  static const ls_view *const following[] = {&ls_view_script, &ls_view_log};
  ls_log_stop(stop);
  ls_show_stop(stop);
  ls_frame *f = &the_panel.frame;
  for (size_t i = 0; i < sizeof following / sizeof *following; i++) {
    int v = ls_view_number(following[i]);
    if (f->focus < 0 || f->view[f->focus] != v) f->state[v].cursor = -1;
  }
}

/* --- the command ------------------------------------------------------------------------------------- */

static ls_status command(const char *rest) {
  if (!*rest) {
    if (the_panel.on) {
      ls_panel_off();
      return LS_OK;
    }
    return ls_panel_on();
  }
  if (strcmp(rest, "on") == 0) return ls_panel_on();
  if (strcmp(rest, "off") == 0) {
    ls_panel_off();
    return LS_OK;
  }
  return ls_panel_show(rest);
}

static void names(void (*each)(void *, const char *), void *ctx) {
  each(ctx, "on");
  each(ctx, "off");
  for (int i = 0; ls_views[i]; i++) each(ctx, ls_views[i]->name);
}

static const ls_command commands[] = {
    {"panel", "panel [on | off | VIEW]",
     "Shows views around the prompt: source, times, convergence, buffers and others; again: takes them away.\n"
     "With VIEW, that view is among them. ^Xa does the same at any time, while something runs as well. F1 or ^X1\n"
     "in the panel lists its keys.",
     command, false},
    {NULL, NULL, NULL, NULL, false},
};

ls_status ls_panel_open(void) {
  static const ls_front front = {.begin = begin,
                                 .active = active,
                                 .wait = wait,
                                 .input = panel_input,
                                 .serve = serve,
                                 .resized = resized,
                                 .idle = idle,
                                 .accepted = accepted,
                                 .dropped = dropped,
                                 .names = names,
                                 .end = ls_panel_off,
                                 .leave = leave,
                                 .resume = resume};
  ls_status st = panel_open_lua(ls_session_lua());
  ls_commands_add(commands);
  panel_read_lessons();
  ls_prompt_front(&front);
  return st;
}
