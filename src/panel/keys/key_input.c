#include "panel/keys/key_input.h"

#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "core/wait.h"
#include "panel/keys/line_editor.h"
#include "panel/keys/key_actions.h"
#include "panel/keys/keys.h"
#include "panel/panel.h"
#include "panel/screen.h"
#include "panel/canvas/term.h"

static bool unfinished; /* the queue contains only the beginning of a key */

bool key_unfinished(void) { return unfinished; }

void key_read(int patience) {
  char bytes[4096];
  int n = ls_term_read(bytes, sizeof bytes, patience);
  if (n > 0) ls_queue_add(bytes, n);
  if (n > 0) unfinished = false;
}

static void scroll_pane(int key) {
  ls_frame *f = &the_screen.frame;
  int page = f->layout.prompt.rows > 1 ? f->layout.prompt.rows - 1 : 1;
  f->pane.scroll += key == LS_KEY_PAGE_UP ? page : -page;
  if (f->pane.scroll < 0) f->pane.scroll = 0;
  the_screen.stale = true;
}

void key_input(void) {
  if (!the_screen.on) {
    ls_edit_key();
    return;
  }
  key_read(0);
  const ls_queue *q = &ls_typed;
  int used, key = ls_key_decode(q->s + q->first, q->count, false, &used);
  if (key == LS_KEY_NONE && q->count > 0 && q->s[q->first] == '\033') {
    key_read(40); /* is it the Escape key, or the beginning of a sequence? */
    key = ls_key_decode(q->s + q->first, q->count, false, &used);
    if (key == LS_KEY_NONE) key = ls_key_decode(q->s + q->first, q->count, true, &used);
  }
  if (key == LS_KEY_NONE) {
    unfinished = true;
    return;
  }
  ls_frame *f = &the_screen.frame;
  bool for_prompt = f->focus == LS_PROMPT && !f->asking;
  if (key_is_own(key) && !f->asking) {
    ls_queue_drop(0, used); /* first, because what key_act runs reads the queue */
    ls_edit_settle();
    key_act(key, false);
  } else if (for_prompt && (key == LS_KEY_PAGE_UP || key == LS_KEY_PAGE_DOWN)) {
    ls_queue_drop(0, used);
    if (!key_turn_help(key)) scroll_pane(key);
  } else if (for_prompt && key == '\033' && key_close_help(false)) {
    ls_queue_drop(0, used);
  } else if (!for_prompt && key_act_in_view(key)) {
    ls_queue_drop(0, used);
  } else {
    if (key == '\n')
      q->s[q->first] = '\r'; /* what Enter sends; in a search, Readline takes '\n' for something else */
    if (f->pane.scroll > 0) the_screen.stale = true;
    f->pane.scroll = 0;
    the_screen.stale_prompt = true;
    ls_edit_feed(used);
  }
}

/* In the panel: handles the panel's own keys; the others stay in the queue for the prompt. */
static void overhear_inside(void) {
  key_read(0);
  const ls_queue *q = &ls_typed;
  while (the_screen.on && q->judged < q->count) {
    int used, at = q->judged;
    int key = ls_key_decode(q->s + q->first + at, q->count - at, false, &used);
    if (key == LS_KEY_NONE) return;
    bool first = at == 0; /* a key for a view is not handled before keys that were typed earlier */
    if (key_serves_running(key)) {
      ls_queue_drop(at, used);
      key_act(key, true);
    } else if (first && key >= LS_KEY_UP && key <= LS_KEY_END && key_act_in_view(key)) {
      ls_queue_drop(at, used);
    } else {
      ls_typed.judged += used;
    }
  }
}

/* Outside of the panel, the terminal is in canonical mode, which delivers whole lines. To notice ^Xa, the
 * input is read in non-canonical mode, at most every 0.1 s; everything else in it is queued for the
 * prompt. */
static void overhear_outside(void) {
  static f64 looked;
  f64 now = ls_now();
  struct termios cooked, bare;
  if (now - looked < 0.1 || tcgetpgrp(STDIN_FILENO) != getpgrp() || tcgetattr(STDIN_FILENO, &cooked)) return;
  looked = now;
  bare = cooked;
  bare.c_lflag &= ~(tcflag_t)ICANON;
  bare.c_cc[VMIN] = 0;
  bare.c_cc[VTIME] = 0;
  if (tcsetattr(STDIN_FILENO, TCSANOW, &bare)) return;
  char bytes[4096];
  ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
  tcsetattr(STDIN_FILENO, TCSANOW, &cooked);
  if (n > 0) ls_queue_add(bytes, (int)n);
  const ls_queue *q = &ls_typed;
  for (int i = 0; i + 1 < q->count; i++) {
    if (q->s[q->first + i] != ('X' & 0x1f) || q->s[q->first + i + 1] != 'a') continue;
    ls_queue_drop(i, 2);
    panel_toggle();
    return;
  }
}

void key_overhear(void) {
  if (the_screen.on)
    overhear_inside();
  else
    overhear_outside();
}
