#include "panel/keys/key_actions.h"

#include <stdio.h>
#include <string.h>

#include "panel/keys/line_editor.h"
#include "panel/panel.h"
#include "panel/screen.h"
#include "panel/views/script.h"
#include "panel/canvas/term.h"
#include "panel/keys/keys.h"
#include "repl/repl.h"

enum { F1 = LS_KEY_F1 };

static char asked[64];       /* the search text after `/` */
static int helped = -1;      /* the view that the help has replaced; -1: help is closed */
static int unhelped_zoom;    /* the zoomed pane before the help was opened */
static char last_until[200]; /* the expression of the last `until` */

void key_note_until(const char *expr) { snprintf(last_until, sizeof last_until, "%s", expr); }

static ls_frame *frame(void) { return &the_screen.frame; }

/* --- panes and views --------------------------------------------------------------------------------- */

static bool is_there(int pane) {
  const ls_layout *l = &frame()->layout;
  return pane >= 0 && pane < l->panes && l->pane[pane].rows > 0;
}

/* The pane whose view the keys change: the focused one, else the zoomed one, else the second; -1: none. */
static int changing(void) {
  const ls_frame *f = frame();
  if (is_there(f->focus)) return f->focus;
  if (is_there(f->zoomed)) return f->zoomed;
  return f->layout.panes > 1 ? 1 : -1; /* possibly hidden; it appears with the new view */
}

static void focus_next(void) {
  ls_frame *f = frame();
  int i = f->focus;
  do i = i + 1 < f->layout.panes ? i + 1 : LS_PROMPT;
  while (i != LS_PROMPT && !is_there(i));
  f->focus = i;
}

static int view_count(void) {
  int n = 0;
  while (ls_views[n]) n++;
  return n;
}

/* Shows the next view that is in no pane. */
static void next_view(void) {
  ls_frame *f = frame();
  int pane = changing(), n = view_count();
  if (pane < 0) return;
  for (int i = 1; i < n; i++) {
    int v = (f->view[pane] + i) % n;
    if (ls_frame_pane_of(f, v) >= 0) continue;
    ls_frame_put(f, pane, v);
    return;
  }
}

/* The pane in which F1 opened the help; -1: none. */
static int help_pane(void) {
  return helped < 0 ? -1 : ls_frame_pane_of(frame(), ls_view_number(&ls_view_help));
}

/* Opens the help in a zoomed pane, because half the width of a small screen is too narrow for it; or closes
 * it. */
static void help(void) {
  ls_frame *f = frame();
  int pane = help_pane();
  if (pane >= 0) {
    ls_frame_put(f, pane, helped);
    f->zoomed = unhelped_zoom;
    helped = -1;
    ls_help_text(NULL);
    return;
  }
  pane = changing();
  if (pane < 0) return;
  helped = f->view[pane];
  unhelped_zoom = f->zoomed;
  ls_frame_put(f, pane, ls_view_number(&ls_view_help));
  f->zoomed = pane;
}

bool key_close_help(bool text_only) {
  if (help_pane() < 0 || (text_only && !ls_help_has_text())) return false;
  help();
  the_screen.stale = true;
  return true;
}

bool key_show_text(const char *text) {
  const ls_frame *f = frame();
  int lines = 0;
  for (const char *s = text; *s; s++) lines += *s == '\n';
  if (lines < f->layout.prompt.rows || changing() < 0) return false;
  if (help_pane() < 0) help();
  if (help_pane() < 0) return false;
  ls_help_text(text);
  ls_frame_state(frame(), help_pane())->cursor = 0;
  the_screen.stale = true;
  return true;
}

/* Moves the focus to the script, or from there back to the prompt. */
static void source(void) {
  ls_frame *f = frame();
  const int v = ls_view_number(&ls_view_script);
  if (f->wanted != v) { /* shows the view even if it is empty */
    f->wanted = v;
    ls_frame_lay_out(f, the_screen.canvas.rows, the_screen.canvas.cols);
  }
  int pane = ls_frame_pane_of(f, v);
  if (pane < 0 && is_there(0)) {
    pane = is_there(f->zoomed) ? f->zoomed : 0;
    ls_frame_put(f, pane, v);
  }
  f->state[v].cursor = -1;
  f->focus = f->focus == pane ? LS_PROMPT : pane;
}

static void zoom(void) {
  ls_frame *f = frame();
  if (f->zoomed >= 0)
    f->zoomed = -1;
  else
    f->zoomed = f->focus >= 0 ? f->focus : changing();
  for (int i = 0; f->zoomed >= 0 && f->layout.pane[f->zoomed].rows == 0 && i < f->layout.panes; i++)
    if (is_there(i)) f->zoomed = i;
}

/* --- running ----------------------------------------------------------------------------------------- */

static void until(void) {
  char text[220];
  ls_typing line;
  ls_edit_look(&line);
  if (strcmp(line.text, "until ") == 0) { /* F6 was typed twice */
    snprintf(text, sizeof text, "%s", last_until);
    ls_edit_append(text);
  } else if (strncmp(line.text, "until ", 6) != 0) {
    ls_edit_prefix("until ");
  }
  frame()->focus = LS_PROMPT;
}

static void toggle_breakpoint(void) {
  if (ls_script_toggle(&frame()->state[ls_view_number(&ls_view_script)])) screen_say(LS_BAD, ls_error());
}

/* Maps ^X1 .. ^X9 to F1 .. F9; returns other keys unchanged. */
static int plain(int key) {
  return key >= LS_KEY_X + '1' && key <= LS_KEY_X + '9' ? F1 + (key - LS_KEY_X - '1') : key;
}

bool key_serves_running(int key) {
  key = plain(key);
  return key == LS_KEY_X + 'a' || key == LS_KEY_X + 'o' || key == LS_KEY_X + 'z' || key == F1 ||
         key == F1 + 1 || key == F1 + 3 || key == F1 + 4;
}

bool key_is_own(int key) {
  key = plain(key);
  return key_serves_running(key) || (key >= F1 + 5 && key <= F1 + 8) || key == LS_KEY_X + 'b' ||
         key == LS_KEY_X + 'f' || key == ('L' & 0x1f);
}

void key_act(int key, bool running) {
  switch (plain(key)) {
  case LS_KEY_X + 'a': panel_toggle(); break;
  case LS_KEY_X + 'o': focus_next(); break;
  case LS_KEY_X + 'z': zoom(); break;
  case F1: help(); break;
  case F1 + 1: next_view(); break;
  case F1 + 3: source(); break;
  case F1 + 4:
    if (!running)
      panel_run("continue");
    else if (!ls_session_pause())
      screen_say(LS_BAD, "(this cannot be paused; Ctrl-C ends it)");
    break;
  case F1 + 5: until(); break;
  case F1 + 6: panel_run("iter"); break;
  case F1 + 7: panel_run("step"); break;
  case F1 + 8: toggle_breakpoint(); break;
  case LS_KEY_X + 'b': panel_run("back"); break;
  case LS_KEY_X + 'f': panel_run("forward 1"); break;
  case 'L' & 0x1f:
    ls_pane_clear(&frame()->pane);
    ls_term_forget();
    break;
  }
  the_screen.stale = true;
}

/* --- the focused view -------------------------------------------------------------------------------- */

static bool move(ls_view_state *st, int key) {
  int by = 0;
  switch (key) {
  case LS_KEY_UP: by = -1; break;
  case LS_KEY_DOWN: by = 1; break;
  case LS_KEY_PAGE_UP: by = 1 - (st->page > 1 ? st->page : 2); break;
  case LS_KEY_PAGE_DOWN: by = (st->page > 1 ? st->page : 2) - 1; break;
  case LS_KEY_HOME: by = -st->lines; break;
  case LS_KEY_END: by = st->lines; break;
  case LS_KEY_LEFT: st->column -= st->column > 4 ? 4 : st->column; return true;
  case LS_KEY_RIGHT: st->column += 4; return true;
  default: return false;
  }
  if (st->cursor < 0) st->cursor = st->scroll;
  st->cursor += by;
  if (st->cursor < 0) st->cursor = 0; /* -1 would let the view choose the line */
  return true;
}

bool key_turn_help(int key) {
  if (help_pane() < 0) return false;
  move(ls_frame_state(frame(), help_pane()), key);
  the_screen.stale = true;
  return true;
}

static void find(void) {
  ls_frame *f = frame();
  const ls_view *v = ls_views[f->view[f->focus]];
  ls_view_state *st = ls_frame_state(f, f->focus);
  snprintf(st->search, sizeof st->search, "%s", asked);
  if (*st->search && v->key) v->key(st, 'n');
}

static void ask(int key) {
  char *text = asked;
  size_t n = strlen(text);
  if (key == '\n' || key == '\033') {
    frame()->asking = NULL;
    if (key == '\n' && frame()->focus >= 0) find();
  } else if (key == 0x7f || key == '\b') {
    while (n > 0 && ((unsigned char)text[--n] & 0xc0) == 0x80) {}
    text[n] = '\0';
  } else if (key >= ' ' && key < LS_KEY_UP && n + 4 < sizeof asked) {
    text[n + (size_t)ls_char_put((u32)key, text + n)] = '\0';
  }
}

bool key_act_in_view(int key) {
  ls_frame *f = frame();
  if (f->asking) {
    ask(key);
    the_screen.stale = true;
    return true;
  }
  if (!is_there(f->focus)) return false;
  const ls_view *v = ls_views[f->view[f->focus]];
  ls_view_state *st = ls_frame_state(f, f->focus);
  the_screen.stale = true;
  if (key == '/') {
    asked[0] = '\0';
    f->asking = asked;
    return true;
  }
  if (key == '\033') {
    if (v == &ls_view_help) key_close_help(false);
    f->focus = LS_PROMPT;
    return true;
  }
  if (key == 'b' && v == &ls_view_script) {
    toggle_breakpoint();
    return true;
  }
  if ((v->key && v->key(st, key)) || move(st, key)) return true;
  return key >= ' ' && key != 0x7f && key < LS_KEY_PASTE; /* Enter and control characters go to the prompt */
}
