/* Control messages between MPI ranks, separate from the data of their exchanges, and heartbeats. All
 * functions are called under the lock, except wire_lock and wire_doze. */
#ifndef LS_RANKS_MPI_WIRE_H
#define LS_RANKS_MPI_WIRE_H

#include <mpi.h>

#include "ranks/transport.h"

typedef enum kind {
  WORD,      /* to rank 0: the sender has reached an exchange */
  DONE,      /* to rank 0: a line has ended */
  BYE,       /* to rank 0: the sender ends; `failed`: MPI requests of it are still pending */
  GO,        /* to the others: all have reached the exchange; what each rank passed to agree() follows */
  NO,        /* to another rank: the exchange does not take place; the reason follows */
  EPOCH,     /* to the others: abort what is running */
  INTERRUPT, /* to the others: interrupts those that have not run this line yet, as Ctrl-C does */
  ALIVE,     /* a heartbeat */
  LINE,
  END /* there are no more lines */
} kind;

/* The header of every message. */
typedef struct head {
  u32 kind, epoch;
  u64 line;   /* the line that the sender runs, or has run; 0: none */
  u64 place;  /* number of the exchange in the epoch */
  ls_line at; /* of LINE */
  bool failed;
  /* Of EPOCH: the communicator of the new epoch; of DONE: the one on which data was lost, plus 1; 0: none. */
  u32 generation;
} head;

/* Returns NULL, or what is wrong. `hear` is called with each message that arrives: its header, and what
 * follows it. */
const char *wire_open(const ls_transport_user *user, int rank, int count, int on_this_host,
                      void (*hear)(int from, const head *h, const char *text, u64 bytes));
/* From now on MPI is not called. */
void wire_close(void);
bool wire_closed(void);

/* Only one thread at a time may call MPI. */
void wire_lock(void);
void wire_unlock(void);

void wire_send(int to, head h, const void *text, u64 bytes);
/* Receives all messages that have arrived. Time in which this process was stopped does not count as silence
 * of others. */
void wire_pump(void);
/* Have all messages been sent? */
bool wire_sent(void);
f64 wire_now(void);
f64 wire_awake(void); /* when this process last continued after it had been stopped; 0: never */

/* wire_abandon: nobody waits for the request any more, because a rank that takes part in it hangs; it is
 * tested from time to time, and may still complete. wire_abandoned: are there such requests? */
void wire_abandon(MPI_Request request);
bool wire_abandoned(void);

/* wire_silent: has rank r's heartbeat stopped for too long? Not if it has ended (wire_has_ended).
 * wire_who_is_silent: a silent rank among those that this rank watches; -1: none. Rank 0 watches all others;
 * they watch rank 0, but not at a prompt. wire_of_silence: the message about rank r. */
bool wire_silent(int r);
int wire_who_is_silent(void);
const char *wire_of_silence(int r);
void wire_has_ended(int r);

/* Called between two polls, without the lock: yields the processor; after many polls (`looks`) sleeps. */
void wire_doze(u64 looks);
/* Aborts all ranks, with this message. */
void wire_give_in(const char *what);

#endif
