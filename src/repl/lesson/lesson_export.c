#include "repl/lesson/lesson_export.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/output.h"
#include "core/atomic_file.h"
#include "core/escape.h"
#include "core/temporary.h"
#include "repl/repl.h"

static const char head[] =
    "<meta name='viewport' content='width=device-width, initial-scale=1'>\n<style>\n"
    "body{max-width:46em;margin:2em auto;padding:0 1em;font:16px/1.55 Georgia,'DejaVu Serif',serif;color:#1f2328;"
    "background:#fff}\n"
    "h1{font-size:1.6em;line-height:1.25}h2{font:bold 0.95em sans-serif;color:#6e7781;margin:2.5em 0 0.8em;"
    "border-top:1px solid #d8dee4;padding-top:0.8em}\n"
    "pre,code{font-family:'DejaVu Sans Mono',Menlo,'Liberation Mono',Consolas,monospace}\n"
    "pre{font-size:13px;line-height:1.35;overflow-x:auto;margin:1em 0}code{font-size:0.86em}\n"
    "pre.typed{background:#f3f5f8;border-radius:6px;padding:0.8em 1em;white-space:pre-wrap}pre.typed b{color:#0a5cc2}\n"
    "figure{margin:1em 0}figure svg{width:100%;height:auto;border:1px solid #d8dee4;border-radius:6px}\n"
    ".ask{background:#fff8e1;border-left:4px solid #d9a400;padding:0.5em 1em}\n"
    "details{margin:1em 0}summary{cursor:pointer;font-family:sans-serif;font-size:0.95em;color:#0a5cc2}\n"
    "@media print{h2{break-after:avoid}pre,figure{break-inside:avoid}}\n</style>\n";

/* --- HTML -------------------------------------------------------------------------------------------- */

static void put_char(ls_text *t, const char *s, size_t bytes) {
  if (*s == '&')
    ls_text_puts(t, "&amp;");
  else if (*s == '<')
    ls_text_puts(t, "&lt;");
  else if (*s == '>')
    ls_text_puts(t, "&gt;");
  else
    ls_text_add(t, s, bytes);
}

static void put_plain(ls_text *t, const char *s, size_t n) {
  for (size_t i = 0; i < n; i++) put_char(t, s + i, 1);
}

/* Writes prose; `code` in backquotes becomes a code element. */
static void put_prose(ls_text *t, const char *s, size_t n) {
  bool code = false;
  for (size_t i = 0; i < n; i++) {
    if (s[i] == '`') {
      if (!code && !memchr(s + i + 1, '`', n - i - 1)) {
        ls_text_putc(t, '`');
        continue;
      }
      ls_text_puts(t, code ? "</code>" : "<code>");
      code = !code;
    } else {
      put_char(t, s + i, 1);
    }
  }
}

/* Writes paragraphs; blocks of indented lines are preformatted. */
static void put_text(ls_text *t, const char *s) {
  static const char question[] = "QUESTION: ";
  while (*s) {
    size_t n = strcspn(s, "\n");
    if (n == 0) {
      s++;
    } else if (*s == ' ') {
      ls_text_puts(t, "<pre>");
      for (;;) { /* an empty line between two indented ones is within the block */
        put_plain(t, s, n);
        s += n + (s[n] == '\n');
        const char *next = s + strspn(s, "\n");
        if (*next != ' ') break;
        for (; s <= next; s++) ls_text_putc(t, '\n');
        s = next;
        n = strcspn(s, "\n");
      }
      ls_text_puts(t, "</pre>\n");
    } else {
      const bool asks = strncmp(s, question, sizeof question - 1) == 0;
      ls_text_puts(t, asks ? "<p class='ask'><b>Question.</b> " : "<p>");
      if (asks) s += sizeof question - 1, n -= sizeof question - 1;
      while (n && *s != ' ') { /* lines of one paragraph */
        put_prose(t, s, n);
        s += n + (s[n] == '\n');
        n = strcspn(s, "\n");
        if (n && *s != ' ') ls_text_putc(t, ' ');
      }
      ls_text_puts(t, "</p>\n");
    }
  }
}

/* Writes captured output; typed lines, which begin with "> ", are bold. */
static void put_typed(ls_text *t, const char *s) {
  if (!*s) return;
  char one[LS_ESCAPED_CHAR];
  ls_text_puts(t, "<pre class='typed'>");
  while (*s) {
    const bool typed = s[0] == '>' && s[1] == ' ';
    if (typed) ls_text_puts(t, "<b>");
    while (*s && *s != '\n') {
      s += ls_escaped_char(s, SIZE_MAX, LS_ESCAPE_LINES, one);
      put_plain(t, one, strlen(one));
    }
    if (typed) ls_text_puts(t, "</b>");
    if (*s == '\n') s++;
    ls_text_putc(t, '\n');
  }
  ls_text_puts(t, "</pre>\n");
}

/* --- capturing output -------------------------------------------------------------------------------- */

static void put_back(ls_export *e) {
  fflush(stdout);
  fflush(stderr);
  for (int fd = 1; fd <= 2; fd++) {
    if (e->kept[fd] < 0) continue;
    dup2(e->kept[fd], fd);
    close(e->kept[fd]);
    e->kept[fd] = -1;
  }
  ls_output_columns_are(e->columns);
}

ls_status ls_export_listen(ls_export *e) {
  e->columns = ls_output_columns_are(80); /* fits the HTML page, which does not wrap it again */
  e->kept[1] = e->kept[2] = -1;
  e->into = memfd_create("lockstep lesson", MFD_CLOEXEC);
  if (e->into < 0) {
    const int why = errno;
    put_back(e);
    return ls_fail(LS_EIO, "output cannot be captured: %s", strerror(why));
  }
  fflush(stdout);
  fflush(stderr);
  for (int fd = 1; fd <= 2; fd++) {
    e->kept[fd] = dup(fd);
    if (e->kept[fd] < 0 || dup2(e->into, fd) < 0) {
      ls_status st = ls_fail(LS_EIO, "output cannot be captured: %s", strerror(errno));
      put_back(e);
      close(e->into);
      return st;
    }
  }
  e->listening = true;
  return LS_OK;
}

static void read_all(int fd, ls_text *out) {
  char part[4096];
  ssize_t n;
  lseek(fd, 0, SEEK_SET);
  while ((n = read(fd, part, sizeof part)) > 0) ls_text_add(out, part, (size_t)n);
}

void ls_export_heard(ls_export *e) {
  if (!e->listening) return;
  put_back(e);
  ls_text_cut(&e->heard, 0);
  read_all(e->into, &e->heard);
  close(e->into);
  e->listening = false;
}

/* --- pages ------------------------------------------------------------------------------------------- */

void ls_export_begin(ls_export *e, const char *title) {
  ls_text_puts(&e->html, "<!DOCTYPE html>\n<html lang='en'><meta charset='utf-8'><title>");
  put_plain(&e->html, title, strlen(title));
  ls_text_puts(&e->html, "</title>\n");
  ls_text_puts(&e->html, head);
  ls_text_puts(&e->html, "<h1>");
  put_plain(&e->html, title, strlen(title));
  ls_text_puts(&e->html, "</h1>\n");
}

/* Draws the view by the command `snapshot`, and inserts the SVG into the page. */
static void put_view(ls_export *e, const char *view) {
  char folder[4000], path[4096], line[4200];
  if (ls_temporary_folder(folder, sizeof folder)) return;
  snprintf(path, sizeof path, "%s/view.svg", folder);
  const bool tall = strcmp(view, "graph") == 0 || strcmp(view, "tiles") == 0 || strcmp(view, "script") == 0;
  snprintf(line, sizeof line, "snapshot \"%s\" %s 84x%d light", path, view, tall ? 22 : 14);
  ls_text page = e->heard, svg = {0};
  e->heard = (ls_text){0};
  ls_status st = ls_export_listen(e); /* the messages of snapshot are discarded */
  if (!st) st = ls_input_piece(line, "lesson", 1);
  ls_export_heard(e);
  ls_text_free(&e->heard);
  e->heard = page;
  FILE *f = st ? NULL : fopen(path, "r");
  if (f) {
    read_all(fileno(f), &svg);
    fclose(f);
  }
  ls_temporary_remove(folder);
  if (svg.len) ls_text_printf(&e->html, "<figure>\n%s</figure>\n", svg.s);
  ls_text_free(&svg);
}

void ls_export_page(ls_export *e, int page, int pages, const char *view, const char *text) {
  ls_text_printf(&e->html, "<h2>%d of %d</h2>\n", page, pages);
  put_typed(&e->html, ls_text_str(&e->heard));
  if (view) put_view(e, view);
  put_text(&e->html, text);
}

void ls_export_answer(ls_export *e, const char *title, const char *text) {
  ls_text_printf(&e->html, "<details><summary>%s</summary>\n", title);
  put_text(&e->html, text);
  ls_text_puts(&e->html, "</details>\n");
}

static ls_status write_html(FILE *f, void *arg) {
  const ls_text *html = arg;
  fwrite(html->s, 1, html->len, f);
  return LS_OK;
}

ls_status ls_export_write(ls_export *e, const char *path) {
  ls_text_puts(&e->html, "</html>\n");
  return e->html.failed ? LS_EMEM : ls_atomic_file_write_all(path, write_html, &e->html);
}

void ls_export_free(ls_export *e) {
  ls_export_heard(e);
  ls_text_free(&e->html);
  ls_text_free(&e->heard);
  *e = (ls_export){0};
}
