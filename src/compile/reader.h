/* What compile/parse.c reads rows and loops with: the words of a text and of the headers that it includes,
 * the macros that these define, and lists in parentheses. */
#ifndef LS_COMPILE_READER_H
#define LS_COMPILE_READER_H

#include "compile/text.h"
#include "compile/tokens.h"

/* #define NAME(A, W) ... */
typedef struct ls_macro {
  const char *text; /* of the file that it stands in */
  const ls_token *name, *param[2], *body, *end;
} ls_macro;

enum {
  LS_READER_MACROS = 512,
  LS_READER_FILES = 64,
  LS_READER_DEEPEST = 16 /* headers, lists of arguments */
};

typedef struct ls_reader {
  ls_kernel_text *out;
  ls_tokens files[LS_READER_FILES];
  const char *seen[LS_READER_FILES]; /* their names; the first is the text itself */
  int nfiles;
  ls_macro macros[LS_READER_MACROS];
  int nmacros;
} ls_reader;

/* A piece of a list: words from `from` to before `to`. */
typedef struct ls_piece {
  const ls_token *from, *to;
} ls_piece;

/* LS_EARG, at a line of the text, counted from 0. */
ls_status ls_read_wrong(const ls_reader *r, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The text of a header that the program carries. NULL: it carries none of that name. */
const char *ls_bundled_header(const char *name);

/* Reads the words of a file and of those that it includes, and notes their macros; each name once. The depth
 * of the text itself is 0. */
ls_status ls_reader_add(ls_reader *r, const char *name, const char *text, int depth);
/* The last definition of a name. NULL: there is none. */
const ls_macro *ls_reader_macro(const ls_reader *r, const char *text, const ls_token *name);

/* The pieces between commas; t stands at "(". Returns how many there are (counting those beyond `most`), and
 * in *after what follows ")"; -1: it has no end. */
int ls_read_list(const char *text, const ls_token *t, ls_piece *pieces, int most, const ls_token **after);

static inline bool ls_piece_is_name(const ls_piece *p) {
  return p->to - p->from == 1 && p->from->kind == LS_TOKEN_NAME;
}

/* A word's copy, which lives as long as the text. NULL: no memory. */
char *ls_read_name(ls_reader *r, const char *text, const ls_token *t);
/* A string that may be written in several parts; with AT_MOST before it, "<=" stands before what it says.
 * NULL: it is none (LS_EMEM is not told apart: nothing was written then either). */
char *ls_read_string(ls_reader *r, const char *text, const ls_piece *p, bool may_bound);

#endif
