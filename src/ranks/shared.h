/* Ranks on one host, which exchange through memory that they share (shared.c); launch.c starts them. */
#ifndef LS_RANKS_SHARED_H
#define LS_RANKS_SHARED_H

#include <stdatomic.h>

#include "core/error.h"
#include "ranks/transport.h"

/* The environment of a rank that the launcher has started: "RANK COUNT FD", and behind it where the lines of
 * a prompt come from (ranks above 0), or where they go to and where the standard error of each other rank
 * comes from (rank 0). */
#define LS_SHARED_VARIABLE "LOCKSTEP_RANK"

enum { LS_SIGN_MS = 200 };  /* between two signs of life */
enum { LS_SLAB = 1 << 20 }; /* bytes that a rank shows at a time */

typedef enum ls_rank_state { LS_RANK_RUNS, LS_RANK_ENDED, LS_RANK_KILLED } ls_rank_state;

/* One cache line a rank: other ranks look at it again and again. */
typedef struct ls_shared_rank {
  _Alignas(64) _Atomic u64 arrived; /* how many barriers it has come to */
  _Atomic int state;
  _Atomic int pid;     /* 0: it has not begun */
  _Atomic u64 lines;   /* of the prompt, that it has run; */
  _Atomic u64 failed;  /* the last one that failed; 0: none */
  _Atomic u32 signs;   /* of life: rises all the time; */
  _Atomic bool silent; /* some rank has found that it does not */
  int signal;          /* that killed it */
} ls_shared_rank;

/* What the ranks share; two slabs for each of them come after it. */
typedef struct ls_shared {
  int count;
  int launcher;         /* its process: while it lives, it notes the state of ranks that have ended */
  _Atomic u32 epoch;    /* rises when rank 0 gives up what the ranks run together; from 1 on */
  _Atomic u32 bell;     /* rises when a rank arrives or ends; ranks that wait sleep on it */
  _Atomic u32 sleeping; /* how many sleep */
  ls_shared_rank rank[LS_MOST_RANKS];
} ls_shared;

size_t ls_shared_bytes(int count);
void ls_shared_ring(ls_shared *s); /* wakes who sleeps on the bell */

/* When the signs of others were seen to rise; each waiter has its own. */
typedef struct ls_signs {
  f64 looked;
  struct {
    u32 signs;
    f64 since;
    bool silent;
  } of[LS_MOST_RANKS];
} ls_signs;
/* Has rank r shown none for so many seconds? Asked again and again while it is waited for: the time in which
 * nobody asks does not count, as when who asks was stopped too. Once silent, it is so until it shows one. */
bool ls_shared_silent(const ls_shared *s, ls_signs *seen, int r, f64 seconds);

bool ls_shared_started(void);
ls_status ls_shared_open(const ls_transport_user *user, const ls_transport **out);

#endif
