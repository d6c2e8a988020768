#include "model/dve/lex.h"

#include <ctype.h>
#include <string.h>

static const char *const texts[DVE_T_KINDS] = {"the end of the file", "a name", "a number",
#define TEXT(id, text) text,
                                               DVE_KEYWORDS(TEXT) DVE_SIGNS(TEXT)
#undef TEXT
};

const char *dve_kind_text(dve_kind k) { return texts[k]; }

static bool letter(char c) { return isalpha((unsigned char)c) || c == '_'; }
static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '#'; }

/* Skips white space, comments and #line marks. */
static ls_status skip(const dve_text *t, u32 *at) {
  u32 i = *at;
  for (;;) {
    while (i < t->bytes && dve_is_space(t->s[i])) i++;
    const u32 mark = t->s[i] == '#' ? dve_line_mark(t, i) : 0;
    if (mark) {
      i += mark;
    } else if (t->s[i] == '/' && t->s[i + 1] == '/') {
      while (i < t->bytes && t->s[i] != '\n') i++;
    } else if (t->s[i] == '/' && t->s[i + 1] == '*') {
      const u32 begin = i;
      for (i += 2; i < t->bytes && !(t->s[i] == '*' && t->s[i + 1] == '/'); i++) {}
      if (i >= t->bytes) return dve_fail(t, begin, "this comment has no end: expected '*/'");
      i += 2;
    } else {
      *at = i;
      return LS_OK;
    }
  }
}

static ls_status lex_number(const dve_text *t, dve_token *out) {
  u32 i = out->word.at;
  i64 x = 0;
  for (; isdigit((unsigned char)t->s[i]); i++)
    if (x <= INT32_MAX) x = 10 * x + (t->s[i] - '0');
  out->kind = DVE_T_NUMBER;
  out->word.bytes = i - out->word.at;
  out->number = (i32)x;
  const int shown = out->word.bytes < 40 ? (int)out->word.bytes : 40;
  if (x > INT32_MAX)
    return dve_fail(t, out->word.at, "the number %.*s is larger than %d", shown, t->s + out->word.at,
                    INT32_MAX);
  if (letter(t->s[i]))
    return dve_fail(t, i, "'%c' is not allowed directly after the number %.*s", t->s[i], shown,
                    t->s + out->word.at);
  return LS_OK;
}

ls_status dve_lex(const dve_text *t, u32 at, dve_token *out) {
  ls_status st = skip(t, &at);
  if (st) return st;
  *out = (dve_token){DVE_T_END, {at, 0}, 0};
  if (at >= t->bytes) return LS_OK;
  const char *s = t->s + at;
  if (isdigit((unsigned char)*s)) return lex_number(t, out);
  if (letter(*s)) {
    u32 n = 1;
    while (in_name(s[n])) n++;
    out->word.bytes = n;
    out->kind = DVE_T_NAME;
    for (dve_kind k = DVE_T_GUARD; k <= DVE_T_MULLER; k++)
      if (dve_same_word(t, out->word, texts[k])) out->kind = k;
    return LS_OK;
  }
  for (dve_kind k = DVE_T_ARROW; k < DVE_T_KINDS; k++) {
    const u32 n = (u32)strlen(texts[k]);
    if (strncmp(s, texts[k], n) != 0) continue;
    out->kind = k;
    out->word.bytes = n;
    return LS_OK;
  }
  if (*s == '#') return dve_fail(t, at, "a name can't begin with '#': expected a letter or _");
  if (*s == 0) return dve_fail(t, at, "a zero byte: the text of a model was expected");
  return dve_fail(t, at, "'%c' is not a character of the language", *s);
}
