/* Splits a text in C into tokens, as far as compile/reader.c needs them to find rows, macros and loops. */
#ifndef LS_COMPILE_TOKENS_H
#define LS_COMPILE_TOKENS_H

#include "core/error.h"
#include "core/types.h"

typedef enum ls_token_kind {
  LS_TOKEN_END,
  LS_TOKEN_NAME,
  LS_TOKEN_NUMBER,
  LS_TOKEN_STRING,  /* with its quotes */
  LS_TOKEN_SIGN,    /* one character */
  LS_TOKEN_DEFINE,  /* #define: it ends at LS_TOKEN_LINE_END */
  LS_TOKEN_INCLUDE, /* #include: the next token is a string, unless it was in < > */
  LS_TOKEN_LINE_END
} ls_token_kind;

typedef struct ls_token {
  ls_token_kind kind;
  u32 at, len; /* offset and length in the text */
  int line;    /* from 0 on */
  bool spaced; /* is there white space before it? */
} ls_token;

typedef struct ls_tokens {
  ls_token *token; /* ended by LS_TOKEN_END */
  u32 count, room;
} ls_tokens;

/* LS_EARG: a comment or a string has no end; *line is where it begins. */
ls_status ls_tokens_read(const char *text, ls_tokens *out, int *line);
void ls_tokens_free(ls_tokens *t);

static inline bool ls_token_is(const char *text, const ls_token *t, const char *word) {
  for (u32 i = 0; i < t->len; i++)
    if (text[t->at + i] != word[i]) return false;
  return word[t->len] == '\0';
}

#endif
