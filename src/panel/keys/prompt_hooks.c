#include "panel/keys/prompt_hooks.h"

#include <stdio.h>
#include <string.h>

#include <readline/readline.h>

#include "panel/keys/line_editor.h"
#include "panel/keys/key_actions.h"
#include "panel/keys/key_input.h"
#include "panel/l_panel.h"
#include "panel/canvas/output_capture.h"
#include "panel/panel.h"
#include "panel/screen.h"
#include "panel/canvas/term.h"
#include "repl/commands/command.h"
#include "repl/repl.h"

static bool toggle; /* ^Xa was typed outside of the panel; serve() acts on it after Readline has returned */
static bool idling;

/* Prints the alternatives of a completion in columns that fill the width of the pane. */
static void show_matches(char **matches, int count, int longest) {
  ls_pane *p = &the_screen.frame.pane;
  int across = (the_screen.canvas.cols + 1) / (longest + 2);
  if (across < 1) across = 1;
  int down = (count + across - 1) / across;
  screen_take_output();
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

/* --- hooks of the prompt ----------------------------------------------------------------------------- */

static int want_toggle(int count, int key) {
  (void)count, (void)key;
  toggle = true;
  return 0;
}

static void begin_line(void) {
  ls_edit_begin();
  ls_edit_matches = show_matches;
  rl_bind_keyseq("\\C-xa", want_toggle);
  rl_bind_keyseq_in_map("\\C-xa", want_toggle, vi_insertion_keymap);
}

static void accepted(const char *prompt, const char *line) {
  screen_begin(); /* also outside of the panel, which shows earlier lines when it is opened */
  screen_echo(prompt, line, "\n");
  key_close_help(true);
  const char *rest;
  const ls_command *c = ls_line_command(line, &rest);
  if (c && strcmp(c->name, "until") == 0) key_note_until(rest);
  if (the_screen.on) screen_set_off();
}

static void dropped(const char *prompt, const char *line) {
  ls_queue_drop(0, ls_typed.count); /* as a terminal discards its input queue on Ctrl-C */
  screen_begin();
  screen_echo(prompt, line, "^C\n");
}

static bool active(void) { return the_screen.on; }

static int wait(void) {
  if (ls_typed.count > 0 && !(the_screen.on && key_unfinished())) return 0;
  if (!the_screen.on || (!the_screen.stale && !the_screen.stale_prompt)) return -1;
  int since = (int)(1000 * screen_since_drawn());
  return since >= SCREEN_MS ? 1 : SCREEN_MS - since;
}

static void serve(void) {
  if (toggle) {
    toggle = false;
    panel_toggle();
  }
  if (!the_screen.on) return;
  if (the_screen.frame.running) {
    the_screen.frame.running = false;
    the_screen.stale = true;
    ls_typed.judged = 0;
    ls_output_capture_settle();
  }
  screen_take_output();
  if (!key_unfinished()) key_read(0);
  bool busy = ls_typed.count > 0 && !key_unfinished(); /* handle the remaining keys before drawing */
  f64 since = screen_since_drawn();
  if (the_screen.stale && since >= 0.001 * SCREEN_MS)
    screen_draw();
  else if (!busy && (the_screen.stale || the_screen.stale_prompt)) {
    bool later = the_screen.stale;
    the_screen.stale = false; /* draws only the prompt, at once; the views follow later */
    screen_draw();
    the_screen.stale = later;
  }
}

static void resized(void) {
  screen_settle_size();
  ls_term_forget();
  the_screen.stale = true;
}

static void idle(void) {
  if (idling) return;
  idling = true;
  if (the_screen.on) the_screen.frame.running = true;
  key_overhear();
  if (the_screen.on) {
    fflush(stdout);
    screen_take_output();
    if (screen_since_drawn() >= screen_pause()) {
      the_screen.stale = true;
      screen_draw();
    }
  }
  idling = false;
}

/* --- the command ------------------------------------------------------------------------------------- */

static ls_status command(const char *rest) {
  if (!*rest) {
    if (the_screen.on) {
      ls_panel_off();
      return LS_OK;
    }
    return ls_panel_on();
  }
  if (strcmp(rest, "on") == 0) return ls_panel_on();
  if (strcmp(rest, "reset") == 0) {
    key_close_help(false);
    panel_reset();
    return LS_OK;
  }
  if (strcmp(rest, "off") == 0) {
    ls_panel_off();
    return LS_OK;
  }
  return ls_panel_show(rest);
}

static void names(void (*each)(void *, const char *), void *ctx) {
  each(ctx, "on");
  each(ctx, "off");
  each(ctx, "reset");
  for (int i = 0; ls_views[i]; i++) each(ctx, ls_views[i]->name);
}

static const ls_command commands[] = {
    {"panel", "panel [on | off | reset | VIEW]",
     "Shows views around the prompt: source, times, convergence, buffers and others; again: hides them.\n"
     "With VIEW, that view is among them. Ctrl-X a does the same at any time, also while something runs. F1 or Ctrl-X 1\n"
     "in the panel lists its keys. Which view is where, and how tables are sorted, is kept from session to session:\n"
     "panel reset brings the first arrangement back.",
     command, false},
    {NULL, NULL, NULL, NULL, false},
};

ls_status ls_panel_open(void) {
  static const ls_front front = {.begin = begin_line,
                                 .active = active,
                                 .wait = wait,
                                 .input = key_input,
                                 .serve = serve,
                                 .resized = resized,
                                 .idle = idle,
                                 .accepted = accepted,
                                 .dropped = dropped,
                                 .names = names,
                                 .read = key_show_text,
                                 .end = ls_panel_off,
                                 .leave = panel_leave,
                                 .resume = panel_resume};
  ls_status st = panel_open_lua(ls_session_lua());
  ls_commands_add(commands);
  ls_prompt_front(&front);
  return st;
}
