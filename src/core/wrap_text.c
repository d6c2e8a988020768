#include "core/wrap_text.h"

#include "core/escape.h"

size_t ls_wrap_text(const char *s, size_t n, int columns, int (*width)(u32 ch)) {
  size_t fits = 0, i = 0;
  int used = 0;
  while (i < n) {
    if (s[i] == ' ' && i > 0 && s[i - 1] != ' ') {
      if (used > columns) return fits ? fits : i;
      fits = i;
    }
    u32 ch = '?';
    const size_t bytes = ls_utf8_read(s + i, n - i, &ch);
    used += width && bytes ? width(ch) : 1;
    i += bytes ? bytes : 1;
  }
  return used > columns && fits ? fits : n;
}

int ls_columns(const char *s, size_t n) {
  int columns = 0;
  for (size_t i = 0; i < n; i++) columns += ((unsigned char)s[i] & 0xc0) != 0x80;
  return columns;
}
