/* The lesson view: the text of the current page of a guided lesson. */
#include <stdio.h>
#include <string.h>

#include "core/wrap_text.h"
#include "panel/views/view.h"
#include "repl/lesson/lesson_page.h"

enum { HANG = 2 }; /* continuation lines of an indented line are indented by 2 more */

/* The number of bytes that fit into `cols` columns. */
static size_t within(const char *s, size_t bytes, int cols) {
  size_t i = 0;
  for (; i < bytes; i++)
    if (((unsigned char)s[i] & 0xc0) != 0x80 && cols-- == 0) break;
  return i;
}

/* Breaks the text into lines of at most `cols` columns. Calls `line` for each, with its indentation, and
 * returns how many there are. Prose is broken between words; an indented line, which is code with possibly
 * long words, also within words. */
static int flow(const char *text, int cols,
                void (*line)(void *ctx, int number, int col, const char *s, size_t bytes), void *ctx) {
  int number = 0;
  for (const char *at = text; *at;) {
    size_t left = strcspn(at, "\n");
    const char *next = at + left + (at[left] == '\n');
    const bool prose = left && *at != ' ';
    const int indent = (int)strspn(at, " "), below = prose ? 0 : indent < cols / 2 ? indent + HANG : HANG;
    int hang = 0;
    for (bool first = true; first || left; first = false) {
      const int room = cols - hang > 4 ? cols - hang : 4;
      size_t taken = ls_wrap_text(at, left, room, NULL);
      if (!prose) taken = within(at, taken, room);
      line(ctx, number++, hang, at, taken);
      at += taken, left -= taken;
      for (; left && *at == ' '; at++) left--;
      hang = below;
    }
    at = next;
  }
  return number;
}

static void none(void *ctx, int number, int col, const char *s, size_t bytes) {
  (void)ctx, (void)number, (void)col, (void)s, (void)bytes;
}

static void draw_line(void *ctx, int number, int col, const char *s, size_t bytes) {
  const ls_view_draw *d = ctx;
  const int row = number - d->state->scroll;
  char text[512];
  if (row < 0 || row >= d->in.rows) return;
  snprintf(text, sizeof text, "%.*s", (int)bytes, s);
  ls_draw_cut(d->canvas, d->in, row, 1 + col, d->in.cols - 2 - col,
              ls_view_matches(d->state, text) ? LS_FOUND : LS_TEXT_STYLE, text);
}

static void draw(const ls_view_draw *d) {
  static int drawn;
  const ls_lesson_page page = ls_lesson_present();
  if (page.number != drawn) d->state->scroll = 0;
  drawn = page.number;
  d->state->cursor = -1;
  if (!*page.text) {
    ls_draw_text(d->canvas, d->in, 0, 1, LS_DIM, "`lesson` lists the lessons");
    return;
  }
  int lines = flow(page.text, d->in.cols - 2, none, NULL);
  ls_view_settle(d, lines, d->in.rows);
  flow(page.text, d->in.cols - 2, draw_line, (void *)(uintptr_t)d);
}

static bool key(ls_view_state *st, int k) {
  const int by = k == LS_KEY_UP        ? -1
                 : k == LS_KEY_DOWN    ? 1
                 : k == LS_KEY_PAGE_UP ? 1 - st->page
                                       : st->page - 1;
  if (k != LS_KEY_UP && k != LS_KEY_DOWN && k != LS_KEY_PAGE_UP && k != LS_KEY_PAGE_DOWN) return false;
  st->scroll += by;
  return true;
}

static void caption(const ls_view_state *st, char *out, size_t bytes) {
  const bool more = st->page > 0 && st->scroll + st->page < st->lines;
  const ls_lesson_page page = ls_lesson_present();
  if (*page.title)
    snprintf(out, bytes, "lesson, %d of %d%s: %s", page.page, page.pages,
             more                     ? " (Enter: more)"
             : page.page < page.pages ? " (Enter: next)"
                                      : "",
             page.title);
  else
    snprintf(out, bytes, "lesson");
}

const ls_view ls_view_lesson = {"lesson", "lesson", 3, 20, draw, key, "", caption, NULL};
