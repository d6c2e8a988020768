/* A block of lines (a paste, -e, a file, what a pipe holds): where its pieces begin and end, and what runs
 * together.
 *
 * A piece is a command's line, or the lines of a statement or an expression of Lua: as few as are complete,
 * and those that cannot begin a statement and go on with it (`:method()`, `and x`, `.. "s"`). Pieces run one
 * by one, as if typed. Pieces of Lua without a command between them run as one chunk if one of them makes a
 * local variable, or is no Lua by itself, and the whole compiles. */
#ifndef LS_REPL_PIECES_H
#define LS_REPL_PIECES_H

#include "core/error.h"
#include "repl/string_builder.h"

typedef struct ls_pieces {
  const char *name; /* of the text, for messages: "stdin" */
  bool lead;        /* all ranks run it */
  bool stop;        /* at the first failure */
  bool begun, late; /* begun: a piece has run; late: the next piece came only after it had run */
  ls_text locals;   /* names of local variables whose lines have run, each ended by a space */
} ls_pieces;

/* Does the text end within a piece? */
bool ls_pieces_open(const char *text);

/* Runs the pieces of text, which it modifies temporarily; `line` is the number of its first line. more:
 * further lines may come, so an incomplete last piece is not run, nor are pieces before it that may have to
 * run together with it. Returns the first failure, which has been reported. *bytes, *lines: how much of the
 * text has run. */
ls_status ls_pieces_run(ls_pieces *b, char *text, int line, bool more, size_t *bytes, int *lines);
void ls_pieces_free(ls_pieces *b);

#endif
