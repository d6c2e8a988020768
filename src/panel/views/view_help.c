/* The help view: the keys of the panel and of each view, and the prompt's commands; or a long text. */
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "panel/views/view.h"
#include "repl/commands/command.h"

static const char *const keys[][2] = {
    {"F1  ^X1", "this help, and back; so does Esc"},
    {"F2  ^X2", "another view in the focused pane"},
    {"F4  ^X4", "focuses the script; again: the prompt"},
    {"F5  ^X5", "continue; while it runs: pause"},
    {"F6  ^X6", "until ...; again: the last expression"},
    {"F7  ^X7", "to the next iteration mark"},
    {"F8  ^X8", "step: one primitive"},
    {"F9  ^X9", "breakpoint on the script's line, on or off"},
    {"^Xb ^Xf", "back and forward through the recorded steps"},
    {"^Xo  Esc", "^Xo focuses the next pane, Esc the prompt"},
    {"^Xz", "only the focused pane; again: all panes"},
    {"^Xa", "the panel, on and off"},
    {"^L", "redraws everything, clears the prompt's pane"},
    {"arrows", "move in the focused pane; so do PgUp, PgDn, Home, End"},
    {"PgUp PgDn", "scroll this help; without it, the output at the prompt"},
    {"/  n", "search the focused view; go to the next match"},
};

enum { KEYS = sizeof keys / sizeof *keys, NAME = 12 };

typedef struct place {
  const ls_view_draw *d;
  int line;
  bool drawn; /* false: lines are only counted */
} place;

static void line(place *at, ls_style style, const char *name, const char *text) {
  const ls_view_draw *d = at->d;
  char both[256];
  const int row = at->line - d->state->scroll, room = d->in.cols - NAME;
  int col = ls_text_width(name) < NAME ? NAME : ls_text_width(name) + 1;
  const bool broken = room >= 16 && ls_text_width(text) > d->in.cols - col;
  if (broken) col = NAME;
  const int rows = broken ? ls_draw_words(NULL, d->in, 0, col, style, text) : 1;
  at->line += rows;
  if (!at->drawn || row + rows <= 0 || row >= d->in.rows) return;
  if (row >= 0) ls_draw_cut(d->canvas, d->in, row, 0, broken ? NAME - 1 : d->in.cols, style, name);
  if (broken)
    ls_draw_words(d->canvas, d->in, row, col, LS_TEXT_STYLE, text);
  else
    ls_draw_cut(d->canvas, d->in, row, col, d->in.cols - col, LS_TEXT_STYLE, text);
  snprintf(both, sizeof both, "%s %s", name, text);
  if (ls_view_matches(d->state, both)) ls_draw_style(d->canvas, d->in, row, 0, col - 1, LS_FOUND);
}

static int page(const ls_view_draw *d, bool drawn) {
  place at = {d, 0, drawn};
  for (int i = 0; i < KEYS; i++) line(&at, LS_NUMBER, keys[i][0], keys[i][1]);
  line(&at, LS_TITLE, "", "");
  line(&at, LS_TITLE, "views", "panel NAME shows one; their keys, with the focus:");
  for (int i = 0; ls_views[i]; i++)
    line(&at, LS_NUMBER, ls_views[i]->name, *ls_views[i]->keys ? ls_views[i]->keys : "no keys of its own");
  line(&at, LS_TITLE, "", "");
  line(&at, LS_TITLE, "commands", "help NAME says more");
  const ls_command *c;
  for (int i = 0; (c = ls_command_at(i)); i++) {
    char first[160];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(c->doc, "\n"), c->doc);
    line(&at, LS_NUMBER, c->name, first);
  }
  return at.line;
}

/* --- a long text instead of the keys ----------------------------------------------------------------- */

static char *long_text; /* NULL: the keys */

void ls_help_text(const char *text) {
  ls_free(long_text);
  long_text = text ? ls_strdup(text) : NULL;
  char *to = long_text;
  for (const char *s = long_text; s && *s;) { /* colours are left out */
    const size_t skipped = *s == '\033' ? strcspn(s, "m") : 0;
    if (skipped)
      s += skipped + (s[skipped] == 'm');
    else
      *to++ = *s++;
  }
  if (to) *to = '\0';
}

bool ls_help_has_text(void) { return long_text != NULL; }

static int text_page(const ls_view_draw *d, bool drawn) {
  int n = 0;
  for (const char *s = long_text; *s; n++) {
    const size_t len = strcspn(s, "\n");
    const int row = n - d->state->scroll;
    if (drawn && row >= 0 && row < d->in.rows) {
      char text[512];
      snprintf(text, sizeof text, "%.*s", (int)len, s);
      ls_draw_cut(d->canvas, d->in, row, 1, d->in.cols - 1,
                  ls_view_matches(d->state, text) ? LS_FOUND : LS_TEXT_STYLE, text);
    }
    s += len + (s[len] == '\n');
  }
  return n;
}

static void caption(const ls_view_state *st, char *out, size_t bytes) {
  const bool more = st->page > 0 && st->scroll + st->page < st->lines;
  snprintf(out, bytes, "help (%sEsc closes)", more ? "PgDn: more; " : "");
}

static int shown_page(const ls_view_draw *d, bool drawn) {
  return long_text ? text_page(d, drawn) : page(d, drawn);
}

static void draw(const ls_view_draw *d) {
  if (d->state->cursor >= 0) d->state->scroll = d->state->cursor; /* keys scroll; no line is selected */
  ls_view_settle(d, shown_page(d, false), d->in.rows);
  if (d->state->cursor >= 0) d->state->cursor = d->state->scroll;
  shown_page(d, true);
}

static bool key(ls_view_state *st, int k) {
  if (k == LS_KEY_UP || k == LS_KEY_DOWN || k == LS_KEY_PAGE_UP || k == LS_KEY_PAGE_DOWN)
    if (st->cursor < 0) st->cursor = st->scroll;
  return false;
}

const ls_view ls_view_help = {"help", "help", 1, 12, draw, key, "", caption, NULL};
