/* Splits a block of lines (a paste, -e, a file, the input from a pipe) into pieces, and decides which of them
 * run together.
 *
 * A piece is a command line, or the lines of a Lua statement or expression: the fewest lines that are
 * complete, and the lines after them that can only continue it (`:method()`, `and x`, `.. "s"`). Pieces run
 * one by one, as if typed. Lua pieces without a command between them run as one chunk if one of them declares
 * a local variable, or does not compile by itself, and the chunk compiles. */
#ifndef LS_REPL_PIECES_H
#define LS_REPL_PIECES_H

#include "core/error.h"
#include "core/string_builder.h"

typedef struct ls_pieces {
  const char *name; /* of the text, for messages: "stdin" */
  bool lead;        /* all ranks run it */
  bool stop;        /* at the first failure */
  bool begun, late; /* begun: a piece has run; late: the next piece arrived only after that */
  ls_text locals;   /* names of the local variables of pieces that have run, each ended by a space */
} ls_pieces;

bool ls_is_command(const char *line);

/* Does the text end within a piece? */
bool ls_pieces_open(const char *text);

/* Runs the pieces of text, which it modifies temporarily; `line` is the number of its first line. more:
 * further lines may come, so an incomplete last piece is not run, nor are pieces before it that may have to
 * run together with it. Returns the first failure, which has been reported. *bytes, *lines: how much of the
 * text has run. */
ls_status ls_pieces_run(ls_pieces *b, char *text, int line, bool more, size_t *bytes, int *lines);
void ls_pieces_free(ls_pieces *b);

#endif
