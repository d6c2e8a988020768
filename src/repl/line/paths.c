/* The user's folders (XDG base directory specification), and the words of a command line. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/words.h"
#include "repl/repl.h"

/* mkdir -p with mode 0700, as the specification asks. */
static ls_status make_folder(char *path) {
  for (char *p = path + 1;; p++) {
    if (*p != '/' && *p) continue;
    char was = *p;
    *p = 0;
    bool failed = mkdir(path, 0700) != 0 && errno != EEXIST;
    *p = was;
    if (failed) return ls_fail(LS_EIO, "%s: %s", path, strerror(errno));
    if (!was) return LS_OK;
  }
}

ls_status ls_user_folder(const char *variable, const char *fallback, ls_text *out) {
  const char *base = getenv(variable), *home = getenv("HOME");
  if (base && *base == '/') /* the specification requires that relative paths are ignored */
    ls_text_printf(out, "%s/lockstep", base);
  else if (home && *home)
    ls_text_printf(out, "%s/%s/lockstep", home, fallback);
  else
    return ls_fail(LS_EIO, "neither %s nor HOME is set", variable);
  if (out->failed) return LS_EMEM;
  return make_folder(out->s);
}

bool ls_word(const char **rest, ls_text *out) {
  const char *s = ls_skip_space(*rest);
  if (!*s) return false;
  const char *home = getenv("HOME");
  if (*s == '~' && (s[1] == '/' || !s[1]) && home) {
    ls_text_puts(out, home);
    s++;
  }
  char quote = 0;
  for (; *s && (quote || !isspace((unsigned char)*s)); s++) {
    if (!quote && (*s == '"' || *s == '\''))
      quote = *s;
    else if (quote && *s == quote)
      quote = 0;
    else if (!quote && *s == '\\' && s[1])
      ls_text_putc(out, *++s);
    else
      ls_text_putc(out, *s);
  }
  *rest = s;
  ls_text_puts(out, ""); /* '' is a word, too */
  return !out->failed;
}

ls_status ls_count_of(const char *rest, u64 none, u64 *n) {
  *n = none;
  if (!*rest) return LS_OK;
  char *end;
  *n = strtoull(rest, &end, 10);
  if (*end || *rest == '-' || *n == 0)
    return ls_fail(LS_EARG, "expected a whole number of at least 1, got `%s`", rest);
  return LS_OK;
}
