/* How processes that run one script reach each other. A transport has one table of collective operations,
 * which each process calls in the same order with arguments that fit; src/ranks/ranks.c sees to that.
 *
 * Plain C without the program's symbols, so that a transport can be a module of its own (mpi/). */
#ifndef LS_RANKS_TRANSPORT_H
#define LS_RANKS_TRANSPORT_H

#include "core/types.h"

enum { LS_MOST_RANKS = 256 };

typedef enum ls_reduction { LS_SUM, LS_MINIMUM, LS_MAXIMUM, LS_REDUCTIONS } ls_reduction;

/* What a transport may ask of the program. */
typedef struct ls_transport_user {
  bool (*interrupted)(void);
  void (*combine)(void *into, const void *from, u64 count, ls_dtype type,
                  ls_reduction op); /* into = into op from */
  bool prompt;                      /* rank 0 has a prompt, and the others follow it */
  f64 patience; /* seconds without a sign of life, after which a rank is missing; 0: never */
} ls_transport_user;

/* Each process shows that it is alive, by a thread that does nothing else: a rank that computes for hours
 * does; one that was stopped, or whose host is gone, does not. Who waits for a rank looks at its signs. At a
 * prompt nobody looks at those of rank 0: a person may have stopped it, and goes on later. */

/* What all transports say where an exchange does not take place; %d is a rank, %g seconds. */
#define LS_SAYS_ENDED "rank %d has ended and does not take part"
#define LS_SAYS_FAILED "rank %d has failed"
#define LS_SAYS_WITHOUT "rank %d has ended this line without it"
#define LS_SAYS_SILENT "rank %d has given no sign of life for %g s"
#define LS_SAYS_DROPPED "rank 0 has dropped what it had started"
#define LS_SAYS_BEFORE "an exchange failed before (%s), and the ranks are no longer at the same place"

/* A line on its way from rank 0 to the others. */
typedef struct ls_line {
  u32 epoch;
  u32 number; /* of standard input; 0: it was typed */
  bool many;  /* a block of several */
} ls_line;

/* Of a prompt's lines (lines.h). An epoch ends when rank 0 gives up what the ranks run together; in a new one
 * exchanges begin anew, whatever was under way. Lines are counted from 1 on. */
typedef struct ls_transport_lines {
  void (*enter)(u32 epoch);
  u32 (*epoch)(void);
  u32 (*next_epoch)(void);        /* rank 0: what the others run together is given up */
  void (*interrupt)(u64 lines);   /* rank 0: those that have not run so many, as by Ctrl-C */
  void (*line)(void);             /* another line begins; */
  void (*line_done)(bool failed); /* it has ended, and those before */
  bool (*failed)(void);           /* has a line of some rank failed in this epoch? */
  /* Have the others run so many lines? Do those that have not wait for this rank? Returns what rises when one
   * moves. */
  u64 (*progress)(u64 lines, bool *done, bool *stuck);
  /* A line goes from rank 0 to all others. They wait for it: *text is from malloc; false: no more come. */
  void (*send)(const ls_line *line, const char *text);
  bool (*receive)(ls_line *line, char **text);
  /* What rank r has written on standard error: so many bytes at most are put into text; 0: no more now. */
  size_t (*said)(int r, char *text, size_t bytes);
} ls_transport_lines;

/* All but `end` return NULL, or what is wrong; then nothing is known of what they wrote. Offsets and sizes
 * are in bytes, but for `count` and bounds of elements. */
typedef struct ls_transport {
  const char *name;                /* "shared memory", "MPI" */
  int count, rank;                 /* how many processes; which of them this is, from 0 on */
  int here;                        /* which of those on its own host, from 0 on */
  bool one_host;                   /* are all there? */
  const ls_transport_lines *lines; /* NULL: there is no prompt */
  /* All ranks get the bytes of each, in their order, in `all`: before data moves each says what it is about
   * to do. A rank that is missing is found here. */
  const char *(*agree)(const void *mine, void *all, u64 bytes);
  /* Rank 0 outside of exchanges: what rank r has said to agree, if it waits in the exchange that comes next.
   */
  bool (*look)(int r, void *said, u64 bytes);
  const char *(*broadcast)(void *x, u64 bytes, int root);
  /* Piece r of x, from bounds[r] to bounds[r + 1], comes from process r. */
  const char *(*all_gather)(void *x, const u64 *bounds);
  const char *(*all_reduce)(void *x, u64 count, ls_dtype type, ls_reduction op);
  /* Process r has the reduction of elements bounds[r] to bounds[r + 1]; its other elements stay. */
  const char *(*reduce_scatter)(void *x, const u64 *bounds, ls_dtype type, ls_reduction op);
  /* out[q] bytes go to q, and in[r] come from r. Both sides are in the order of the ranks, without gaps.
   * most: what goes from any rank to any rank is no more; all say the same. */
  const char *(*all_to_all)(const void *send, void *receive, const u64 *out, const u64 *in, u64 most);
  /* While a library moves data between devices, after all have come to the exchange: a rank that will not
   * come to its end, as what is wrong, or NULL. Then this exchange has failed, as above. */
  const char *(*lost)(void);
  /* After an exchange that failed: may the transport still use its memory? It says so once. NULL: it never
   * does. */
  bool (*holds)(void);
  /* The process ends, with that exit code. */
  void (*end)(int code);
} ls_transport;

/* What the module lockstep-mpi.so offers under the name ls_transport_mpi. Returns NULL with *error set. */
typedef const ls_transport *(*ls_transport_open)(const ls_transport_user *user, const char **error);

#endif
