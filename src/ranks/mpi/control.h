/* Control messages between MPI ranks, separate from their data: heartbeats, the number of the exchange that a
 * rank has reached, and the lines of a prompt. All go to or from rank 0. Only rank 0 decides whether an
 * exchange takes place, so that either all ranks move their data or none does, and no rank stays in a
 * collective call, which cannot be cancelled. */
#ifndef LS_RANKS_MPI_CONTROL_H
#define LS_RANKS_MPI_CONTROL_H

#include <mpi.h>

#include "ranks/transport.h"

/* Functions that return a text return NULL, or what is wrong. control_open is called once, after
 * MPI_Init_thread. */
const char *control_open(const ls_transport_user *user, int rank, int count, int on_this_host);
/* As in ls_transport. */
const char *control_agree(const void *mine, void *all, u64 bytes);
bool control_look(int r, void *said, u64 bytes);
/* The communicator on which data moves. Called under the lock. */
MPI_Comm control_communicator(void);
/* Called from time to time while data moves, under the lock: has rank 0 aborted the exchange some time ago,
 * or has a rank's heartbeat stopped? Then this exchange has failed, and so do later ones until there is
 * another communicator. */
const char *control_lost(void);
/* Implements `lost` of ls_transport: the same check while a library other than MPI moves data; the
 * communicator then stays usable. */
const char *control_lost_beside(void);
/* Ends this rank normally; returns when all ranks have ended, or, above rank 0, when rank 0 is no longer
 * needed. */
void control_end(void);

extern const ls_transport_lines control_lines;

#endif
