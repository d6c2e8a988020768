/* What ranks of MPI tell each other beside their data: that each is alive, which exchange it has come to, and
 * the lines of a prompt. Rank 0 is in the middle of all of it. It alone decides whether an exchange takes
 * place: so all ranks move their data, or none does, and nobody is left in a collective call that cannot be
 * taken back. */
#ifndef LS_RANKS_MPI_CONTROL_H
#define LS_RANKS_MPI_CONTROL_H

#include <mpi.h>

#include "ranks/transport.h"

/* All return NULL, or what is wrong. Once, behind MPI_Init_thread: */
const char *control_open(const ls_transport_user *user, int rank, int count, int on_this_host);
/* As ls_transport has it. */
const char *control_agree(const void *mine, void *all, u64 bytes);
bool control_look(int r, void *said, u64 bytes);
/* Data moves on this one. Under the lock. */
MPI_Comm control_communicator(void);
/* While data moves, now and then, under the lock: has rank 0 given up what is under way, long ago, or does
 * some rank show no sign of life? Then this exchange failed, and so do all to come, before there is another
 * communicator. */
const char *control_lost(void);
/* The same while a library moves data, beside MPI, whose communicator stays as it is: ls_transport's lost. */
const char *control_lost_beside(void);
/* This rank ends well; returns when all have, or when rank 0 need not be asked any more. */
void control_end(void);

extern const ls_transport_lines control_lines;

#endif
