/* Messages between the ranks of MPI, beside the data of their exchanges, and signs of life. All but the lock
 * are called under the lock. */
#ifndef LS_RANKS_MPI_WIRE_H
#define LS_RANKS_MPI_WIRE_H

#include <mpi.h>

#include "ranks/transport.h"

typedef enum kind {
  WORD,      /* to rank 0: this rank has come to an exchange */
  DONE,      /* to rank 0: a line has ended */
  BYE,       /* to rank 0: this rank ends; failed: MPI still has requests of it */
  GO,        /* to the others: all have come; the words of all */
  NO,        /* this exchange does not take place; why */
  EPOCH,     /* what was under way is given up */
  INTERRUPT, /* who has not run so many lines is interrupted */
  ALIVE,     /* nothing else */
  LINE,
  END /* there are no more lines */
} kind;

/* What every message begins with. */
typedef struct head {
  u32 kind, epoch;
  u64 line;   /* that the sender runs, or has run; 0: none */
  u64 place;  /* which exchange of the epoch */
  ls_line at; /* of LINE */
  bool failed;
  u32 generation; /* of EPOCH: which communicator the new one has; of DONE: the one that data was lost on,
                     from 1 on */
} head;

/* NULL, or what is wrong. `hear` gets each message that comes: its head, and what follows it. */
const char *wire_open(const ls_transport_user *user, int rank, int count, int on_this_host,
                      void (*hear)(int from, const head *h, const char *text, u64 bytes));
/* MPI is not called any more. */
void wire_close(void);
bool wire_closed(void);

/* One thread at a time calls MPI. */
void wire_lock(void);
void wire_unlock(void);

void wire_send(int to, head h, const void *text, u64 bytes);
/* Takes in what has come. The time in which this process was stopped itself does not count. */
void wire_pump(void);
/* Have all messages left? */
bool wire_sent(void);
f64 wire_now(void);
f64 wire_awake(void); /* when this process last went on after it had been stopped itself; 0: never */

/* A request that nobody waits for any more, as a rank that takes part in it hangs: it is looked at now and
 * then, and has perhaps an end. Are there such? */
void wire_abandon(MPI_Request request);
bool wire_abandoned(void);

/* Has rank r given no sign of life for too long? Who is silent of those this rank looks at: rank 0 at all,
 * the others at rank 0; -1: nobody. And the message of it. A rank that has ended is not looked at. */
bool wire_silent(int r);
int wire_who_is_silent(void);
const char *wire_of_silence(int r);
void wire_has_ended(int r);

/* Between two looks at something that is waited for: gives the processor up, after many of them for longer.
 */
void wire_doze(u64 looks);
/* All ranks end, with this message. */
void wire_give_in(const char *what);

#endif
