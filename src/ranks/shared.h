/* Ranks on one host, which exchange data through shared memory (shared.c); launch.c starts them. */
#ifndef LS_RANKS_SHARED_H
#define LS_RANKS_SHARED_H

#include <stdatomic.h>

#include "core/error.h"
#include "ranks/transport.h"

/* Environment variable of a rank that the launcher has started: "RANK COUNT FD", FD being the shared memory.
 * At a prompt descriptors of pipes follow: in ranks above 0, of the pipe from which the rank reads its lines;
 * in rank 0, for each other rank, of the pipe for its lines and the pipe of its standard error. */
#define LS_SHARED_VARIABLE "LOCKSTEP_RANK"

enum { LS_SIGN_MS = 200 };  /* between two heartbeats */
enum { LS_SLAB = 1 << 20 }; /* bytes that a rank exposes at a time */

typedef enum ls_rank_state { LS_RANK_RUNS, LS_RANK_ENDED, LS_RANK_KILLED } ls_rank_state;

/* One cache line per rank, because other ranks poll it. */
typedef struct ls_shared_rank {
  _Alignas(64) _Atomic u64 arrived; /* number of barriers that it has reached */
  _Atomic int state;
  _Atomic int pid;     /* 0: it has not started */
  _Atomic u64 lines;   /* lines of the prompt that it has run */
  _Atomic u64 failed;  /* the last line that failed; 0: none */
  _Atomic u32 signs;   /* heartbeat: incremented continuously */
  _Atomic bool silent; /* some rank has found that its heartbeat has stopped */
  int signal;          /* the signal that killed it */
} ls_shared_rank;

/* The shared memory; two slabs per rank follow it. */
typedef struct ls_shared {
  int count;
  int launcher;         /* pid of the launcher, which records the state of ranks that have ended */
  _Atomic u32 epoch;    /* incremented when rank 0 aborts what the ranks run together; from 1 on */
  _Atomic u32 bell;     /* incremented when a rank reaches a barrier or ends; a futex for waiting ranks */
  _Atomic u32 sleeping; /* number of sleeping ranks */
  ls_shared_rank rank[LS_MOST_RANKS];
} ls_shared;

size_t ls_shared_bytes(int count);
void ls_shared_ring(ls_shared *s); /* wakes the ranks that sleep on the bell */

/* When the heartbeats of other ranks were last seen; each waiter has its own. */
typedef struct ls_signs {
  f64 looked;
  struct {
    u32 signs;
    f64 since;
    bool silent;
  } of[LS_MOST_RANKS];
} ls_signs;
/* Has rank r had no heartbeat for `seconds`? Called repeatedly while it is waited for; a long time without a
 * call does not count, because the caller may have been stopped, too. A silent rank stays silent until its
 * next heartbeat. */
bool ls_shared_silent(const ls_shared *s, ls_signs *seen, int r, f64 seconds);

bool ls_shared_started(void);
ls_status ls_shared_open(const ls_transport_user *user, const ls_transport **out);

#endif
