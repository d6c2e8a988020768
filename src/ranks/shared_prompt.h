/* A prompt that several ranks share: rank 0 has the terminal, and sends each line that it runs to the others,
 * which follow it. While rank 0 is at a stop, they wait in their exchanges. */
#ifndef LS_RANKS_SHARED_PROMPT_H
#define LS_RANKS_SHARED_PROMPT_H

#include <stdbool.h>

#include "core/error.h"
#include "ranks/transport.h"

/* Called once, after the transport was opened (ranks.c). */
void ls_ranks_open_lines(const ls_transport *t);

/* Do other ranks get their lines from this rank? */
bool ls_ranks_leading(void);
/* Does this rank get its lines from rank 0? */
bool ls_ranks_following(void);
/* Waits for the next line of rank 0; its text is from malloc. False: there are no more. */
bool ls_ranks_line(ls_line *line, char **text);

/* Rank 0, before it runs a line: sends it to the others. They first complete the previous line; those that
 * wait for an exchange that will not take place abort it. stands: what rank 0 runs is at a stop and continues
 * later; then only rank 0 runs the line. False: Ctrl-C was pressed before the line was sent; the others have
 * aborted what they ran, and the line must not run. number: as in ls_line. */
bool ls_ranks_tell(const char *text, bool many, int number, bool stands);
/* Each rank, after a line. stands: the line is at a stop, so it has not ended yet. If rank 0 was interrupted,
 * so are the others. */
void ls_ranks_told(ls_status st, bool stands);
/* Rank 0: calls `say` with each line that another rank has written to standard error since the last call,
 * preceded by "rank 2: ". Lines that rank 0 shows itself are left out: notes, which are in parentheses, and
 * `own`, the error of rank 0's line ("": none). */
void ls_ranks_hear(void (*say)(const char *line), const char *own);
/* Rank 0, after the last line: waits until the others have run it too, and shows their messages. */
void ls_ranks_rest(void (*say)(const char *line));

#endif
