/* Helpers for short texts: parts of a path, plural, CSV field, exact number, time. */
#ifndef LS_CORE_TEXT_H
#define LS_CORE_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/types.h"

/* Does the path end in `ending`, with something before it? */
static inline bool ls_ends_in(const char *path, const char *ending) {
  const size_t n = strlen(path), k = strlen(ending);
  return n > k && strcmp(path + n - k, ending) == 0;
}

/* The last part of a path. */
static inline const char *ls_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* The plural ending of a noun after a count: "1 edge", "2 edges". */
static inline const char *ls_plural(u64 n) { return n == 1 ? "" : "s"; }

/* Writes a CSV field as RFC 4180 says. */
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

/* Formats x with the fewest digits (15 to 17) that read back as x, with a decimal point in every locale. */
static inline const char *ls_exact(f64 x, char out[40]) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(out, 40, "%.*g", digits, x);
    if (strtod(out, NULL) == x) break;
  }
  char *comma = strchr(out, ',');
  if (comma) *comma = '.';
  return out;
}

/* Three significant digits and a unit: "1.31 ms". */
static inline const char *ls_time_text(f64 seconds, char out[24]) {
  static const char *const units[] = {"s", "ms", "us", "ns"};
  f64 value = seconds > 0 ? seconds : 0;
  int unit = 0;
  while (unit < 3 && value < 0.9995) value *= 1000, unit++;
  snprintf(out, 24, value >= 99.95 ? "%.0f %s" : value >= 9.995 ? "%.1f %s" : "%.2f %s", value, units[unit]);
  return out;
}

#endif
