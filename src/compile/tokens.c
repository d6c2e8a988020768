#include "compile/tokens.h"

#include <ctype.h>
#include <string.h>

#include "core/mem.h"
#include "core/words.h"

typedef struct reader {
  const char *text;
  u32 at;
  int line;
  bool spaced;
  bool directive; /* in a #define or #include, which ends with the line */
  ls_tokens *out;
} reader;

static ls_status add(reader *r, ls_token_kind kind, u32 at, u32 len, int line) {
  ls_tokens *t = r->out;
  ls_token *grown = ls_grown(t->token, t->count, &t->room, 256, sizeof *grown);
  if (!grown) return LS_EMEM;
  t->token = grown;
  t->token[t->count++] = (ls_token){kind, at, len, line, r->spaced};
  r->spaced = false;
  return LS_OK;
}

/* Skips a comment; false: it has no end. */
static bool skip_comment(reader *r) {
  const char *s = r->text;
  if (s[r->at + 1] == '/') {
    while (s[r->at] && s[r->at] != '\n') r->at++;
    return true;
  }
  const char *end = strstr(s + r->at + 2, "*/");
  if (!end) return false;
  for (; s + r->at < end + 2; r->at++) r->line += s[r->at] == '\n';
  return true;
}

/* The end of the string or character that begins at r->at; 0: it has none in its line. */
static u32 string_end(const reader *r) {
  const char quote = r->text[r->at];
  for (u32 i = r->at + 1; r->text[i] && r->text[i] != '\n'; i++) {
    if (r->text[i] == '\\' && r->text[i + 1]) {
      i++;
      continue;
    }
    if (r->text[i] == quote) return i + 1;
  }
  return 0;
}

static ls_status read_directive(reader *r) {
  const char *s = r->text;
  u32 at = r->at + 1;
  while (s[at] == ' ' || s[at] == '\t') at++;
  const size_t len = strcspn(s + at, " \t\n(<\"");
  const bool define = len == 6 && memcmp(s + at, "define", 6) == 0;
  const bool include = len == 7 && memcmp(s + at, "include", 7) == 0;
  if (!define && !include) { /* skipped, with its continuation lines and the comments that begin in it */
    while (s[r->at] && s[r->at] != '\n') {
      if (s[r->at] == '/' && s[r->at + 1] == '*') {
        if (!skip_comment(r)) break; /* the next token reports that it has no end */
        continue;
      }
      if (s[r->at] == '\\' && s[r->at + 1] == '\n') r->at++, r->line++;
      r->at++;
    }
    return LS_OK;
  }
  ls_status st = add(r, define ? LS_TOKEN_DEFINE : LS_TOKEN_INCLUDE, r->at, (u32)(at + len - r->at), r->line);
  r->at = at + (u32)len;
  r->directive = true;
  return st;
}

static ls_status read_one(reader *r, bool *ended) {
  const char *s = r->text;
  const char c = s[r->at];
  const u32 begin = r->at;
  *ended = true;
  if (c == '\n') {
    ls_status st = r->directive ? add(r, LS_TOKEN_LINE_END, begin, 0, r->line) : LS_OK;
    r->directive = false;
    r->spaced = true;
    r->line++, r->at++;
    return st;
  }
  if (c == '\\' && (s[begin + 1] == '\n' || (s[begin + 1] == '\r' && s[begin + 2] == '\n'))) {
    r->at += s[begin + 1] == '\r' ? 3 : 2, r->line++;
    r->spaced = true;
    return LS_OK;
  }
  if (isspace((unsigned char)c)) {
    r->at++;
    r->spaced = true;
    return LS_OK;
  }
  if (c == '/' && (s[begin + 1] == '/' || s[begin + 1] == '*')) {
    r->spaced = true;
    *ended = skip_comment(r);
    return LS_OK;
  }
  if (c == '"' || c == '\'') {
    const u32 end = string_end(r);
    *ended = end > 0;
    if (!end) return LS_OK;
    r->at = end;
    return add(r, LS_TOKEN_STRING, begin, end - begin, r->line);
  }
  if (c == '#' && !r->directive) return read_directive(r);
  if (isalpha((unsigned char)c) || c == '_') {
    r->at += (u32)ls_name_length(s + r->at);
    return add(r, LS_TOKEN_NAME, begin, r->at - begin, r->line);
  }
  if (isdigit((unsigned char)c)) {
    while (ls_in_name(s[r->at]) || s[r->at] == '.') r->at++;
    return add(r, LS_TOKEN_NUMBER, begin, r->at - begin, r->line);
  }
  r->at++;
  return add(r, LS_TOKEN_SIGN, begin, 1, r->line);
}

ls_status ls_tokens_read(const char *text, ls_tokens *out, int *line) {
  reader r = {.text = text, .out = out};
  memset(out, 0, sizeof *out);
  while (text[r.at]) {
    bool ended;
    const int begun = r.line;
    const char first = text[r.at];
    ls_status st = read_one(&r, &ended);
    if (!st && !ended) {
      *line = begun;
      st = ls_fail(LS_EARG, first == '/' ? "a comment has no end" : "a string has no end in its line");
    }
    if (st) {
      ls_tokens_free(out);
      return st;
    }
  }
  ls_status st = r.directive ? add(&r, LS_TOKEN_LINE_END, r.at, 0, r.line) : LS_OK;
  if (!st) st = add(&r, LS_TOKEN_END, r.at, 0, r.line);
  if (st) ls_tokens_free(out);
  return st;
}

void ls_tokens_free(ls_tokens *t) {
  ls_free(t->token);
  memset(t, 0, sizeof *t);
}
