/* The text of a guided lesson's present page. */
#include <stdio.h>
#include <string.h>

#include "panel/view.h"
#include "repl/lesson.h"

/* Calls line for each line of the text at a width: prose is broken between words, an indented line is not. */
static int flow(const char *text, int cols, void (*line)(void *ctx, int number, const char *s, size_t bytes),
                void *ctx) {
  int number = 0;
  for (const char *at = text; *at;) {
    size_t left = strcspn(at, "\n");
    const char *next = at + left + (at[left] == '\n');
    bool prose = left && *at != ' ';
    do {
      size_t taken = 0, used = 0; /* bytes looked at, bytes on this line */
      int wide = 0;
      while (prose && taken < left) {
        size_t word = strcspn(at + taken, " \n");
        if (word > left - taken) word = left - taken;
        for (size_t i = 0; i < word; i++) wide += ((unsigned char)at[taken + i] & 0xc0) != 0x80;
        if (used && wide > cols) break;
        used = taken + word;
        taken = used + (used < left); /* and the space */
        wide++;
      }
      line(ctx, number++, at, prose ? used : left);
      at += prose ? taken : left;
      left -= prose ? taken : left;
    } while (left);
    at = next;
  }
  return number;
}

static void none(void *ctx, int number, const char *s, size_t bytes) {
  (void)ctx, (void)number, (void)s, (void)bytes;
}

static void draw_line(void *ctx, int number, const char *s, size_t bytes) {
  const ls_view_draw *d = ctx;
  const int row = number - d->state->scroll;
  char text[512];
  if (row < 0 || row >= d->in.rows) return;
  if (bytes >= sizeof text) bytes = sizeof text - 1;
  memcpy(text, s, bytes);
  text[bytes] = '\0';
  ls_draw_cut(d->canvas, d->in, row, 1, d->in.cols - 2,
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
