#include "panel/keys/keys.h"

#include <string.h>

typedef struct sequence {
  char text[16];
  int key;
} sequence;

/* What xterm, rxvt, the Linux console, screen and tmux send after the escape. */
static const sequence common[] = {
    {"[A", LS_KEY_UP},        {"[B", LS_KEY_DOWN},       {"[C", LS_KEY_RIGHT},    {"[D", LS_KEY_LEFT},
    {"OA", LS_KEY_UP},        {"OB", LS_KEY_DOWN},       {"OC", LS_KEY_RIGHT},    {"OD", LS_KEY_LEFT},
    {"[H", LS_KEY_HOME},      {"[F", LS_KEY_END},        {"OH", LS_KEY_HOME},     {"OF", LS_KEY_END},
    {"[1~", LS_KEY_HOME},     {"[7~", LS_KEY_HOME},      {"[4~", LS_KEY_END},     {"[8~", LS_KEY_END},
    {"[5~", LS_KEY_PAGE_UP},  {"[6~", LS_KEY_PAGE_DOWN}, {"[2~", LS_KEY_INSERT},  {"[3~", LS_KEY_DELETE},
    {"[Z", LS_KEY_BACK_TAB},  {"[200~", LS_KEY_PASTE},   {"OP", LS_KEY_F1},       {"OQ", LS_KEY_F1 + 1},
    {"OR", LS_KEY_F1 + 2},    {"OS", LS_KEY_F1 + 3},     {"[11~", LS_KEY_F1},     {"[12~", LS_KEY_F1 + 1},
    {"[13~", LS_KEY_F1 + 2},  {"[14~", LS_KEY_F1 + 3},   {"[15~", LS_KEY_F1 + 4}, {"[17~", LS_KEY_F1 + 5},
    {"[18~", LS_KEY_F1 + 6},  {"[19~", LS_KEY_F1 + 7},   {"[20~", LS_KEY_F1 + 8}, {"[21~", LS_KEY_F1 + 9},
    {"[23~", LS_KEY_F1 + 10}, {"[24~", LS_KEY_F1 + 11},  {"[[A", LS_KEY_F1},      {"[[B", LS_KEY_F1 + 1},
    {"[[C", LS_KEY_F1 + 2},   {"[[D", LS_KEY_F1 + 3},    {"[[E", LS_KEY_F1 + 4},
};

enum { LEARNT = 16 };
static sequence learnt[LEARNT];
static int learnt_count;

void ls_key_learn(const char *text, int key) {
  size_t n = strlen(text);
  if (n < 2 || n >= sizeof learnt->text || *text != '\033' || learnt_count == LEARNT) return;
  strcpy(learnt[learnt_count].text, text + 1);
  learnt[learnt_count++].key = key;
}

/* The number of bytes after the escape in any escape sequence; 0 while it is incomplete. */
static int length(const char *s, int n) {
  if (n < 1) return 0;
  if (*s == 'O') return n >= 2 ? 2 : 0;
  if (*s != '[') return 1;
  if (n >= 2 && s[1] == '[') return n >= 3 ? 3 : 0; /* the Linux console's F1 .. F5 */
  for (int i = 1; i < n; i++)
    if (s[i] >= 0x40 && s[i] <= 0x7e) return i + 1;
  return n > 32 ? n : 0;
}

static int find(const sequence *list, int count, const char *s, int n) {
  for (int i = 0; i < count; i++)
    if ((int)strlen(list[i].text) == n && memcmp(list[i].text, s, (size_t)n) == 0) return list[i].key;
  return LS_KEY_OTHER;
}

static int escape(const char *s, int n, bool final, int *used) {
  int len = length(s, n);
  if (len == 0 && !final) return LS_KEY_NONE;
  *used = 1 + len;
  if (len == 0) { /* the Escape key, or a sequence that stays incomplete */
    *used = n > 0 ? n + 1 : 1;
    return n > 0 ? LS_KEY_OTHER : '\033';
  }
  int key = find(learnt, learnt_count, s, len);
  if (key == LS_KEY_OTHER) key = find(common, sizeof common / sizeof *common, s, len);
  if (key != LS_KEY_OTHER || len < 5) return key;
  /* "[1;2P", "[15;5~": a key with a modifier, which is ignored */
  const char *semicolon = memchr(s, ';', (size_t)len);
  if (!semicolon || semicolon[1] == '\0') return key;
  char plain[16];
  int head = (int)(semicolon - s);
  if (head + 2 > (int)sizeof plain) return key;
  memcpy(plain, s, (size_t)head);
  plain[head] = s[len - 1];
  bool letter = s[len - 1] != '~';
  if (letter) plain[1] = s[len - 1];
  key = find(common, sizeof common / sizeof *common, plain, letter ? 2 : head + 1);
  if (letter && key == LS_KEY_OTHER) {
    plain[0] = 'O'; /* F1 .. F4 */
    key = find(common, sizeof common / sizeof *common, plain, 2);
  }
  return key;
}

int ls_key_decode(const char *s, int n, bool final, int *used) {
  *used = 0;
  if (n <= 0) return LS_KEY_NONE;
  unsigned char c = (unsigned char)*s;
  if (c == 0x1b) return escape(s + 1, n - 1, final, used);
  if (c == 0x18) { /* ^X waits for the next key without a time limit */
    if (n < 2) return LS_KEY_NONE;
    if (s[1] == 0x18) {
      *used = 2;
      return LS_KEY_X + 0x18;
    }
    int next = ls_key_decode(s + 1, n - 1, final, used);
    if (*used) *used += 1;
    return next == LS_KEY_NONE ? LS_KEY_NONE : next < LS_KEY_UP ? LS_KEY_X + next : LS_KEY_OTHER;
  }
  if (c < 0x80) {
    *used = 1;
    return c == '\r' ? '\n' : c;
  }
  int bytes = c >= 0xf5 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 1;
  if (n < bytes && !final) return LS_KEY_NONE;
  char text[5] = {0};
  memcpy(text, s, (size_t)(n < bytes ? n : bytes));
  const char *at = text;
  int ch = (int)ls_char_next(&at);
  *used = (int)(at - text);
  return ch;
}
