/* Small texts: the end of a name, a CSV field, a number that reads back. */
#ifndef LS_CORE_TEXT_H
#define LS_CORE_TEXT_H

#include <stdio.h>
#include <string.h>

#include "core/types.h"

/* Does the path end in `ending`, with something before it? */
static inline bool ls_ends_in(const char *path, const char *ending) {
  const size_t n = strlen(path), k = strlen(ending);
  return n > k && strcmp(path + n - k, ending) == 0;
}

/* Writes a CSV field after RFC 4180. */
static inline void ls_put_csv(FILE *f, const char *s) {
  if (!s[strcspn(s, ",\"\r\n")]) {
    fputs(s, f);
    return;
  }
  fputc('"', f);
  for (; *s; s++) {
    if (*s == '"') fputc('"', f);
    fputc(*s, f);
  }
  fputc('"', f);
}

/* The text of a number that reads back exactly; the locale has no say in its point. */
static inline const char *ls_exact(f64 x, char out[40]) {
  snprintf(out, 40, "%.17g", x);
  char *comma = strchr(out, ',');
  if (comma) *comma = '.';
  return out;
}

#endif
