/* Lines of a prompt that several ranks share: rank 0 has the terminal, and sends each line that
 * it runs to the others, which follow it. They wait in their exchanges while rank 0 stands at a stop. */
#ifndef LS_RANKS_LINES_H
#define LS_RANKS_LINES_H

#include <stdbool.h>

#include "core/error.h"
#include "ranks/transport.h"

/* Once, by who has opened the transport (ranks.c). */
void ls_ranks_open_lines(const ls_transport *t);

/* Do others take their lines from this rank? */
bool ls_ranks_leading(void);
/* Does this rank take its lines from rank 0? */
bool ls_ranks_following(void);
/* The next line of rank 0; its text is from malloc. False: there are no more. */
bool ls_ranks_line(ls_line *line, char **text);

/* Rank 0, before it runs a line: sends it. The others end the line before first; those that wait for an
 * exchange that will not come give up what they run. stands: what rank 0 has started stands at a stop and
 * goes on later; then the line is rank 0's alone. False: Ctrl-C came before; they have given up, and the line
 * is not to run. number: as ls_line has it. */
bool ls_ranks_tell(const char *text, bool many, int number, bool stands);
/* Each rank, after a line. What stands at a stop has not ended, and its line has not. If rank 0 was
 * interrupted, the others are too. */
void ls_ranks_told(ls_status st, bool stands);
/* Rank 0: calls say with each line that another rank has written on standard error since, "rank 2: " before
 * it. What rank 0 has said itself is left out: notes, which are in parentheses, and the error `own` of its
 * line, "" if there was none. */
void ls_ranks_hear(void (*say)(const char *line), const char *own);
/* Rank 0, behind the last line: waits until the others have run it too, and hears them. */
void ls_ranks_rest(void (*say)(const char *line));

#endif
