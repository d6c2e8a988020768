/* `help errata`: the errors in the papers' listings, from the marks in the embedded sources of kernels and
 * library. A mark is a paragraph of a comment, `paper errs: PAPER, PLACE: text`; the test that shows the
 * error is called PAPER, PLACE. tests/scripts/errata.lua checks marks and tests. */
#include "repl/help/errata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/embedded.h"
#include "core/mem.h"
#include "repl/help/help_lines.h"
#include "repl/output/output.h"
#include "session/session.h"

enum { PAPERS = 5 };

typedef struct mark {
  const char *folder, *file;
  const char *name; /* "001, Algorithm 1, line 4", up to the colon; not NUL-terminated */
  int name_len;
} mark;

typedef struct marks {
  mark *list;
  int count;
} marks;

static const char sign[] = "paper errs: ";

/* Appends the marks of one file. False on failure, with the message set. */
static bool collect(marks *m, const char *folder, const ls_embedded *e) {
  for (const char *s = e->text; (s = strstr(s, sign));) {
    s += sizeof sign - 1;
    const size_t len = strcspn(s, ":\n");
    if (s[len] != ':') continue;
    mark *list = ls_realloc(m->list, (size_t)(m->count + 1) * sizeof *list);
    if (!list) return false;
    m->list = list;
    list[m->count++] = (mark){folder, e->name, s, (int)len};
  }
  return true;
}

/* By name, numbers by value: line 4 before line 13. */
static int by_name(const void *a, const void *b) {
  char x[128], y[128];
  const mark *p = a, *q = b;
  snprintf(x, sizeof x, "%.*s", p->name_len, p->name);
  snprintf(y, sizeof y, "%.*s", q->name_len, q->name);
  return strverscmp(x, y);
}

/* The text of a comment's line, without the signs that begin it; NULL if the line is empty, is not part of
 * the comment, or begins a mark. */
static const char *comment(const char *s) {
  s += strspn(s, " ");
  if (strncmp(s, "*/", 2) == 0 || (*s != '*' && strncmp(s, "--", 2) != 0)) return NULL;
  s += strspn(s, "*-");
  s += strspn(s, " ");
  return *s && *s != '\n' && strncmp(s, sign, sizeof sign - 1) != 0 ? s : NULL;
}

/* Appends the text of a mark: what comes after the colon, to the end of the paragraph. */
static void text_of(const mark *m, ls_text *out) {
  for (const char *s = m->name + m->name_len + 1; s;) {
    s += strspn(s, " ");
    const size_t len = strcspn(s, "\n");
    const char *close = strstr(s, "*/");
    const bool last = close && close < s + len;
    size_t used = last ? (size_t)(close - s) : len;
    while (used > 0 && s[used - 1] == ' ') used--;
    if (out->len > 0) ls_text_putc(out, ' ');
    ls_text_add(out, s, used);
    s = last || !s[len] ? NULL : comment(s + len + 1);
  }
}

static void say_paper(const char *number, const char *called, const marks *all) {
  help_bold("%s", number);
  help_fold("  %s", called);
  int said = 0;
  for (int i = 0; i < all->count; i++) {
    const mark *m = &all->list[i];
    if (m->name_len < 6 || strncmp(m->name, number, 3) != 0) continue; /* 5 is the length of "001, " */
    ls_text text = {0};
    text_of(m, &text);
    said++;
    ls_say("\n%.*s\n", m->name_len - 5, m->name + 5);
    help_fold("  %s", ls_text_str(&text));
    help_fold("  %s/%s, test '%.*s'", m->folder, m->file, m->name_len, m->name);
    ls_text_free(&text);
  }
  if (!said) ls_say("\n  no error is marked\n");
}

/* Is this paper requested: by its number, with or without leading zeros, or by an author or words of its
 * title? "" requests all. */
static bool requested(const char *which, int number, const char *called) {
  if (!*which) return true;
  const size_t digits = strspn(which, "0123456789");
  if (digits <= 3 && !which[digits]) return atoi(which) == number;
  return strcasestr(called, which) != NULL;
}

ls_status help_errata(const char *which) {
  marks all = {0};
  bool ok = true;
  for (const ls_embedded *e = ls_embedded_lua; e->name && ok; e++) ok = collect(&all, "lua", e);
  for (const ls_embedded *e = ls_embedded_headers; e->name && ok; e++) ok = collect(&all, "kernels", e);
  if (all.count) qsort(all.list, (size_t)all.count, sizeof *all.list, by_name);
  int said = 0;
  lua_State *L = ls_session_lua();
  for (int i = 0; i < PAPERS && ok; i++) {
    char number[8];
    snprintf(number, sizeof number, "%03d", i);
    lua_getfield(L, LUA_REGISTRYINDEX, "lockstep.papers"); /* lua/base/paper.lua */
    lua_getfield(L, -1, number);
    const char *called = lua_tostring(L, -1);
    if (requested(which, i, called)) {
      if (said++ || !*which) ls_say("\n");
      say_paper(number, called, &all);
    }
    lua_pop(L, 2);
  }
  ls_free(all.list);
  if (!ok) return LS_EMEM;
  if (!said)
    return ls_fail(LS_EARG,
                   "help errata: no paper is called '%s', expected a number from 000 to %03d, or an author",
                   which, PAPERS - 1);
  return LS_OK;
}
