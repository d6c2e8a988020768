#include "core/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t ls_utf8_read(const char *s, size_t n, u32 *ch) {
  static const u32 least[] = {0, 0, 0x80, 0x800, 0x10000};
  const u8 *p = (const u8 *)s;
  const size_t len = p[0] < 0x80   ? 1
                     : p[0] < 0xc2 ? 0
                     : p[0] < 0xe0 ? 2
                     : p[0] < 0xf0 ? 3
                     : p[0] < 0xf5 ? 4
                                   : 0;
  if (len == 0 || len > n) return 0;
  u32 c = len == 1 ? p[0] : p[0] & (0x7fu >> len);
  for (size_t i = 1; i < len; i++) {
    if ((p[i] & 0xc0) != 0x80) return 0;
    c = c << 6 | (p[i] & 0x3f);
  }
  if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return 0;
  *ch = c;
  return len;
}

/* Characters without a visible glyph, or that change how the text around them is shown. */
static bool is_hidden(u32 ch) {
  static const struct {
    u32 first, last;
  } hidden[] = {
      {0x0000, 0x001f},   /* C0 */
      {0x007f, 0x009f},   /* DEL, C1 */
      {0x00ad, 0x00ad},   /* soft hyphen */
      {0x061c, 0x061c},   /* Arabic letter mark */
      {0x180e, 0x180e},   /* Mongolian vowel separator */
      {0x200b, 0x200f},   /* zero width; left-to-right and right-to-left marks */
      {0x2028, 0x202e},   /* ends of lines and paragraphs; embeddings and overrides */
      {0x2060, 0x206f},   /* joiners, invisible operators, isolates */
      {0xfdd0, 0xfdef},   /* noncharacters; those at the end of each plane are tested below */
      {0xfeff, 0xfeff},   /* byte order mark */
      {0xfff9, 0xfffb},   /* annotations */
      {0xe0000, 0xe007f}, /* tags */
  };
  if (ch >= 0x20 && ch < 0x7f) return false;
  for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
    if (ch >= hidden[i].first && ch <= hidden[i].last) return true;
  return (ch & 0xfffe) == 0xfffe;
}

size_t ls_escaped_char(const char *s, size_t n, int how, char out[LS_ESCAPED_CHAR]) {
  u32 ch = 0;
  const size_t len = ls_utf8_read(s, n, &ch);
  if (len == 0 || (len == 1 && is_hidden(ch) && !((how & LS_ESCAPE_LINES) && (ch == '\n' || ch == '\t')))) {
    snprintf(out, LS_ESCAPED_CHAR, "\\x%02x", (unsigned)(u8)*s);
    return 1;
  }
  if (len > 1 && (is_hidden(ch) || (how & LS_ESCAPE_ASCII))) {
    snprintf(out, LS_ESCAPED_CHAR, "\\u{%x}", ch);
    return len;
  }
  memcpy(out, s, len);
  out[len] = '\0';
  return len;
}

char *ls_escaped(const char *s, int how, char *out, size_t room) {
  size_t at = 0, last = 0; /* last: the last offset where "..." still fits */
  while (*s) {
    char one[LS_ESCAPED_CHAR];
    s += ls_escaped_char(s, SIZE_MAX, how, one);
    const size_t len = strlen(one);
    if (at + len >= room) {
      memcpy(out + last, "...", 4);
      return out;
    }
    memcpy(out + at, one, len);
    at += len;
    if (at + 4 <= room) last = at;
  }
  out[at] = '\0';
  return out;
}
