/* Transfers the lines of a prompt between ranks on one host: a pipe to each rank, and one for its standard
 * error. */
#ifndef LS_RANKS_PIPES_H
#define LS_RANKS_PIPES_H

#include <stdbool.h>
#include <stddef.h>

#include "ranks/transport.h"

/* Called once. text: the pipes' descriptors, from the environment (LS_SHARED_VARIABLE). False: there are
 * none. */
bool ls_pipes_open(int rank, int ranks, const char *text);
/* As in ls_transport_lines. */
void ls_pipes_send(const ls_line *line, const char *text);
bool ls_pipes_receive(ls_line *line, char **text);
size_t ls_pipes_said(int r, char *text, size_t bytes);

#endif
