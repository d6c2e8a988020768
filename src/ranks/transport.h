/* A transport: how the processes that run one script communicate. It is a table of collective operations,
 * which all processes call in the same order with matching arguments; src/ranks/ranks.c ensures that.
 *
 * Plain C that uses no symbol of the program, so that a transport can be a separate module (mpi/). */
#ifndef LS_RANKS_TRANSPORT_H
#define LS_RANKS_TRANSPORT_H

#include "core/types.h"

enum { LS_MOST_RANKS = 256 };

typedef enum ls_reduction { LS_SUM, LS_MINIMUM, LS_MAXIMUM, LS_REDUCTIONS } ls_reduction;

/* What the program provides to a transport. */
typedef struct ls_transport_user {
  bool (*interrupted)(void);
  void (*combine)(void *into, const void *from, u64 count, ls_dtype type,
                  ls_reduction op); /* into = into op from */
  bool prompt;                      /* rank 0 has a prompt, and the others follow it */
  f64 patience; /* a rank without a heartbeat for this many seconds is missing; 0: never */
} ls_transport_user;

/* Each process sends heartbeats from a separate thread. They continue while a rank computes for hours, and
 * end if the process is stopped or its host is down. A process that waits for a rank checks the rank's
 * heartbeats. At a prompt those of rank 0 are not checked: the user may have stopped rank 0, and may continue
 * it later. */

/* Messages of all transports if an exchange does not take place; %d is a rank, %g seconds. */
#define LS_SAYS_ENDED "rank %d has ended and does not take part"
#define LS_SAYS_FAILED "rank %d has failed"
#define LS_SAYS_WITHOUT "rank %d has ended this line without this exchange"
#define LS_SAYS_SILENT "rank %d has given no sign of life for %g s"
#define LS_SAYS_DROPPED "rank 0 has dropped the algorithm that it had started"
#define LS_SAYS_BEFORE "an exchange failed before (%s), and the ranks are no longer at the same place"

/* A line that rank 0 sends to the others. */
typedef struct ls_line {
  u32 epoch;
  u32 number; /* its number in standard input; 0: it was typed */
  bool many;  /* a block of several lines */
} ls_line;

/* Operations for the lines of a prompt (ranks/shared_prompt.h). An epoch ends when rank 0 aborts what the
 * ranks run together; in a new one exchanges start anew, whatever was in progress. Lines are counted from 1
 * on. */
typedef struct ls_transport_lines {
  void (*enter)(u32 epoch);
  u32 (*epoch)(void);
  u32 (*next_epoch)(void);        /* rank 0: the others abort what they run; returns the new epoch */
  void (*interrupt)(u64 lines);   /* rank 0: interrupts ranks that have run fewer lines, as Ctrl-C does */
  void (*line)(void);             /* the next line begins */
  void (*line_done)(bool failed); /* this line and all earlier ones have ended */
  bool (*failed)(void);           /* has a line of some rank failed in this epoch? */
  /* *done: the others have run `lines` lines; *stuck: those that have run fewer wait for this rank. Returns a
   * number that increases when one of them makes progress. */
  u64 (*progress)(u64 lines, bool *done, bool *stuck);
  /* send: from rank 0 to all others. receive: waits for the next line; *text is from malloc; false: there are
   * no more. */
  void (*send)(const ls_line *line, const char *text);
  bool (*receive)(ls_line *line, char **text);
  /* Moves what rank r has written to standard error into text, at most `bytes` bytes. Returns their number;
   * 0: nothing at present. */
  size_t (*said)(int r, char *text, size_t bytes);
} ls_transport_lines;

/* Operations that return a text return NULL, or what is wrong; then the memory that they write is undefined.
 * Offsets and sizes are in bytes, except `count` and bounds of elements. */
typedef struct ls_transport {
  const char *name;                /* "shared memory", "MPI" */
  int count, rank;                 /* number of processes; number of this one, from 0 on */
  int here;                        /* its number among those on its host, from 0 on */
  bool one_host;                   /* are all on one host? */
  const ls_transport_lines *lines; /* NULL: there is no prompt */
  /* Called before data moves: each rank says what it is about to do (`mine`), and gets what all say, in the
   * order of the ranks (`all`). This detects a missing rank. */
  const char *(*agree)(const void *mine, void *all, u64 bytes);
  /* Rank 0, outside of exchanges: what rank r has passed to agree, if it already waits in the next
   * exchange. */
  bool (*look)(int r, void *said, u64 bytes);
  const char *(*broadcast)(void *x, u64 bytes, int root);
  /* Piece r of x, from bounds[r] to bounds[r + 1], comes from process r. */
  const char *(*all_gather)(void *x, const u64 *bounds);
  const char *(*all_reduce)(void *x, u64 count, ls_dtype type, ls_reduction op);
  /* Process r gets the reduction of elements bounds[r] to bounds[r + 1]; its other elements do not change. */
  const char *(*reduce_scatter)(void *x, const u64 *bounds, ls_dtype type, ls_reduction op);
  /* out[q] bytes go to q, and in[r] come from r. Both sides are in the order of the ranks, without gaps.
   * most: an upper bound of what goes from one rank to another, the same in all ranks. */
  const char *(*all_to_all)(const void *send, void *receive, const u64 *out, const u64 *in, u64 most);
  /* Called while a library moves data between devices, after all ranks have reached the exchange: returns
   * what is wrong if a rank will not reach the end of the exchange, else NULL. If something is wrong, this
   * exchange has failed. */
  const char *(*lost)(void);
  /* After an exchange that failed: may the transport still use its memory? Returns true once. NULL: it never
   * does. */
  bool (*holds)(void);
  /* Called when the process ends, with its exit code. */
  void (*end)(int code);
} ls_transport;

/* The function ls_transport_mpi of the module lockstep-mpi.so. On failure returns NULL with *error set. */
typedef const ls_transport *(*ls_transport_open)(const ls_transport_user *user, const char **error);

#endif
