/* What compile/parse.c uses to read rows and loops: the tokens of a text and of the headers that it includes,
 * the macros that these define, and lists in parentheses. */
#ifndef LS_COMPILE_READER_H
#define LS_COMPILE_READER_H

#include "compile/kernel_text.h"
#include "compile/tokens.h"

/* #define NAME(A, W) ..., or #define NAME 3: param[0] is NULL */
typedef struct ls_macro {
  const char *text; /* of the file that defines it */
  const ls_token *name, *param[2], *body, *end;
} ls_macro;

enum {
  LS_READER_MACROS = 512,
  LS_READER_FILES = 64,
  LS_READER_DEEPEST = 16 /* nesting of headers, and of lists of arguments */
};

typedef struct ls_reader {
  ls_kernel_text *out;
  ls_tokens files[LS_READER_FILES];
  const char *seen[LS_READER_FILES]; /* their names; the first is the text itself */
  int nfiles;
  ls_macro macros[LS_READER_MACROS];
  int nmacros;
} ls_reader;

/* An item of a list: the tokens [from, to). */
typedef struct ls_piece {
  const ls_token *from, *to;
} ls_piece;

/* Returns LS_EARG, with a message about a line of the text, counted from 0. */
ls_status ls_read_wrong(const ls_reader *r, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The text of a header that is built into the program; NULL: there is none of that name. */
const char *ls_bundled_header(const char *name);

/* Reads the tokens of a file and of those that it includes, and stores their macros; each file is read once.
 * depth is 0 for the text itself, 1 for what it includes, and so on. */
ls_status ls_reader_add(ls_reader *r, const char *name, const char *text, int depth);
/* The last definition of a name of `len` bytes, if it has parameters or, with `number`, is a number; else
 * NULL. */
const ls_macro *ls_reader_macro(const ls_reader *r, const char *name, size_t len, bool number);

/* Reads a list in parentheses, whose items are separated by commas; t is its "(". Returns the number of
 * items, including those beyond `most`, which are not stored; *after is the token after ")". -1: the list has
 * no end. */
int ls_read_list(const char *text, const ls_token *t, ls_piece *pieces, int most, const ls_token **after);

static inline bool ls_piece_is_name(const ls_piece *p) {
  return p->to - p->from == 1 && p->from->kind == LS_TOKEN_NAME;
}

/* A copy of a token, which lives as long as the text. NULL: no memory. */
char *ls_read_name(ls_reader *r, const char *text, const ls_token *t);
/* The contents of a string literal, which may have several parts. may_bound: AT_MOST may precede the literal;
 * the result then begins with "<=". NULL: there is no string literal, or no memory. */
char *ls_read_string(ls_reader *r, const char *text, const ls_piece *p, bool may_bound);

#endif
