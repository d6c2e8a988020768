/* How processes that run one script reach each other. A transport has one table of collective operations,
 * which each process calls in the same order with arguments that fit; src/ranks/ranks.c sees to that.
 *
 * Plain C without the program's symbols, so that a transport can be a module of its own (mpi.c). */
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
} ls_transport_user;

/* All but `end` return NULL, or what is wrong; then nothing is known of what they wrote. Offsets and sizes
 * are in bytes, but for `count` and bounds of elements. */
typedef struct ls_transport {
  const char *name; /* "shared memory", "MPI" */
  int count, rank;  /* how many processes; which of them this is, from 0 on */
  int here;         /* which of those on its own host, from 0 on */
  bool one_host;    /* are all there? */
  const char *(*broadcast)(void *x, u64 bytes, int root);
  /* Piece r of x, from bounds[r] to bounds[r + 1], comes from process r. */
  const char *(*all_gather)(void *x, const u64 *bounds);
  const char *(*all_reduce)(void *x, u64 count, ls_dtype type, ls_reduction op);
  /* Process r has the reduction of elements bounds[r] to bounds[r + 1]; its other elements stay. */
  const char *(*reduce_scatter)(void *x, const u64 *bounds, ls_dtype type, ls_reduction op);
  /* bytes[r * count + q] go from r to q. Both sides are in the order of the ranks, without gaps. */
  const char *(*all_to_all)(const void *send, void *receive, const u64 *bytes);
  /* The process ends, with that exit code. */
  void (*end)(int code);
} ls_transport;

/* What the module lockstep-mpi.so offers under the name ls_transport_mpi. Returns NULL with *error set. */
typedef const ls_transport *(*ls_transport_open)(const ls_transport_user *user, const char **error);

#endif
