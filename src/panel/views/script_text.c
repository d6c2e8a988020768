#include "panel/views/script_text.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/embedded.h"
#include "core/mem.h"
#include "core/text.h"
#include "repl/lesson/lesson_page.h"
#include "session/session.h"

enum { LARGEST = 4 << 20, MOST_LINES = 200000 };

static script_text source;
static char key[512], base[64]; /* Lua's chunk name, and its last part */
static struct timespec changed;
static char *owned;  /* a file's text */
static int *starts;  /* where line i + 1 begins; starts[lines] is the end */
static bool *inside; /* does line i + 1 begin inside of a long bracket? */

static void forget(void) {
  ls_free(owned);
  ls_free(starts);
  ls_free(inside);
  owned = NULL;
  starts = NULL;
  inside = NULL;
  source = (script_text){0};
}

static const char *text; /* owned, or embedded */

static const char *read_file(const char *path, size_t *bytes) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  owned = ls_malloc(LARGEST);
  *bytes = owned ? fread(owned, 1, LARGEST, f) : 0;
  fclose(f);
  if (!owned) return NULL;
  char *fit = ls_realloc(owned, *bytes + 1);
  if (fit) owned = fit;
  return owned;
}

/* Finds the lines that begin inside of long brackets, `[[` or `[=[`, of strings or (after `--`) comments. */
static void mark_inside(void) {
  const char *s = text, *end = text + starts[source.lines];
  int level = -1, line = 0; /* level: the number of = in the bracket around s; -1: there is none */
  for (; s < end; s++) {
    while (line < source.lines && s - text >= starts[line]) inside[line++] = level >= 0;
    if (level < 0 && (*s == '"' || *s == '\'')) {
      const char quote = *s;
      while (s + 1 < end && s[1] != quote && s[1] != '\n') s += s[1] == '\\' && s + 2 < end ? 2 : 1;
      if (s + 1 < end && s[1] == quote) s++;
    } else if (level < 0 && *s == '-' && s + 1 < end && s[1] == '-') {
      const char *open = s + 2;
      while (open < end && (*open == '[' || *open == '=')) open++;
      bool is_long = open > s + 3 && s[2] == '[' && open[-1] == '[';
      if (!is_long)
        while (s + 1 < end && s[1] != '\n') s++;
      else
        s++;
    } else if (level < 0 && *s == '[') {
      const char *open = s + 1;
      while (open < end && *open == '=') open++;
      if (open < end && *open == '[') level = (int)(open - s) - 1, s = open;
    } else if (level >= 0 && *s == ']') {
      const char *close = s + 1;
      while (close < end && *close == '=') close++;
      if (close < end && *close == ']' && close - s - 1 == level) level = -1, s = close;
    }
  }
  while (line < source.lines) inside[line++] = level >= 0;
}

static void index_lines(size_t bytes) {
  int lines = 1;
  for (size_t i = 0; i < bytes && lines < MOST_LINES; i++) lines += text[i] == '\n';
  if (bytes && text[bytes - 1] == '\n') lines--;
  starts = ls_malloc(((size_t)lines + 1) * sizeof *starts);
  inside = ls_calloc((size_t)lines + 1, sizeof *inside);
  if (!starts || !inside) {
    forget();
    return;
  }
  int line = 0;
  size_t i = 0;
  while (line < lines) {
    starts[line++] = (int)i;
    while (i < bytes && text[i] != '\n') i++;
    i++;
  }
  starts[lines] = (int)(i < bytes ? i : bytes);
  source = (script_text){base, lines};
  mark_inside();
}

static void take(const char *chunk) {
  forget();
  snprintf(key, sizeof key, "%s", chunk);
  snprintf(base, sizeof base, "%s", ls_base_name(chunk + (*chunk == '@' || *chunk == '=')));
  size_t bytes = 0;
  const ls_embedded *e = *chunk == '@' ? ls_embedded_find(ls_embedded_lua, chunk + 1) : NULL;
  text = e ? e->text : NULL;
  if (e) bytes = e->bytes;
  if (!text && *chunk == '@') text = read_file(chunk + 1, &bytes);
  source.name = base;
  const char *lesson = ls_lesson_present().file;
  if (text && *lesson && strcmp(key + 1, lesson) == 0) { /* hides its pages, which contain the answers */
    const char *pages = memmem(text, bytes, "\nreturn {", 9);
    if (pages) bytes = (size_t)(pages - text) + 1;
  }
  if (text) index_lines(bytes);
}

void script_text_forget(void) {
  forget();
  key[0] = '\0';
}

void script_text_show(const char *chunk) {
  struct stat about;
  if (strcmp(chunk, key) == 0) return;
  changed = (struct timespec){0, 0};
  if (*chunk == '@' && stat(chunk + 1, &about) == 0) changed = about.st_mtim;
  take(chunk);
}

const script_text *script_text_present(void) {
  char chunk[sizeof key];
  struct stat about;
  ls_session_source(chunk, sizeof chunk);
  if (strcmp(chunk, LS_NO_SOURCE) == 0) {
    script_text_forget();
    return NULL;
  }
  if (*chunk && strcmp(chunk, key) != 0) {
    script_text_show(chunk);
  } else if (owned && stat(key + 1, &about) == 0 &&
             (about.st_mtim.tv_sec != changed.tv_sec || about.st_mtim.tv_nsec != changed.tv_nsec)) {
    changed = about.st_mtim; /* edited meanwhile */
    memcpy(chunk, key, sizeof chunk);
    take(chunk);
  }
  return source.name ? &source : NULL;
}

const char *script_text_line(const script_text *s, int i, int *bytes) {
  *bytes = 0;
  if (i < 1 || i > s->lines) return "";
  const char *line = text + starts[i - 1];
  int n = starts[i] - starts[i - 1];
  while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r')) n--;
  *bytes = n;
  return line;
}

bool script_text_inside(const script_text *s, int i) { return i >= 1 && i <= s->lines && inside[i - 1]; }
