/* Ranks: processes that run the same script, each with a device of its own, and exchange buffers. They are
 * started by `lockstep --ranks N` on one host (shared memory) or by mpirun (MPI). A process that was started
 * alone is rank 0 of 1; then every exchange is done at once.
 *
 * Each exchange is called by all ranks in the same order. Before data moves the ranks tell each other which
 * call they make, so that ranks that are out of step get an error and do not wait for ever. */
#ifndef LS_RANKS_RANKS_H
#define LS_RANKS_RANKS_H

#include "core/error.h"
#include "ranks/transport.h"

#ifdef __cplusplus
extern "C" {
#endif

int ls_ranks(void);      /* how many; at least 1 */
int ls_rank(void);       /* which of them this process is, from 0 on */
int ls_rank_here(void);  /* which of those on this host */
int ls_ranks_here(void); /* how many of them are on this host */
bool ls_ranks_on_one_host(void);
const char *ls_ranks_transport(void); /* "none", "shared memory" or "MPI" */
/* By what the buffers of the last exchange went: the transport, or what devices have beside it. */
const char *ls_ranks_route(void);
void ls_ranks_set_route(const char *name); /* which is kept */

/* Joins the other ranks, if this process was started as one of several. prompt: rank 0 has a prompt, and the
 * others follow it (ranks/lines.h). patience: seconds without a sign of life, after which a rank is
 * missing where others wait for it; 0: never. LS_EARG with what is wrong. */
ls_status ls_ranks_open(bool prompt, f64 patience);
void ls_ranks_close(int exit_code);

/* Is this process started by mpirun, or as one of `lockstep --ranks N`? */
bool ls_ranks_started(void);
/* Starts this program so many times with these arguments, waits, and returns the exit code: that of the first
 * rank that failed, else 0. What ranks above 0 write on standard error begins with "rank R: "; their standard
 * output is dropped. prompt: rank 0 has the terminal, and the others follow it (ranks/lines.h). Ranks
 * that are silent when all others have ended are ended. */
int ls_ranks_launch(int count, char **argv, bool prompt, f64 patience);

/* May MPI still write into the memory of an exchange that failed, when a rank that hung goes on? It says so
 * once; this memory must then be neither used nor freed any more. What is on a stack is no such memory. */
bool ls_exchange_holds(void);

/* The ranks tell each other their ranges [first, past) of count elements: bounds[r] is where that of rank r
 * begins, bounds[ranks] is count. LS_EARG where they are not one behind the other. */
ls_status ls_exchange_bounds(const char *name, u64 count, u64 size, u64 first, u64 past, u64 *bounds);

/* The ranks tell each other that they make the same call; nothing moves. And: they wait until all have come
 * to this place of it.
 */
ls_status ls_exchange_agree(const char *name, u64 count, u64 size, u64 op);
ls_status ls_exchange_meet(const char *name, u64 place);

/* Do all ranks say yes? */
ls_status ls_exchange_all(bool mine, bool *out);
/* A library moves data between devices, and all ranks have agreed to that: is there a rank that will not come
 * to the meeting at its end? Returns what is wrong, or NULL. */
const char *ls_exchange_lost(void);

/* Elements are `size` bytes long. Of all of x, rank r has [first, past) as it is to be in all ranks; these
 * ranges are one behind the other, from 0 to count. */
ls_status ls_exchange_gather(void *x, u64 count, u64 size, u64 first, u64 past);
ls_status ls_exchange_reduce(void *x, u64 count, ls_dtype type, ls_reduction op);
/* Afterwards [first, past) is reduced over all ranks; other elements keep what this rank had there. */
ls_status ls_exchange_reduce_scatter(void *x, u64 count, ls_dtype type, ls_reduction op, u64 first, u64 past);
ls_status ls_exchange_broadcast(void *x, u64 count, u64 size, u64 root);
/* Several ranks tell each other how much goes from each to each: sizes[r * ranks + q] elements from r to q,
 * where rank r's bounds are as below, as room and starts are; nothing moves. */
ls_status ls_exchange_sizes(const char *name, const u64 *bounds, u64 size, u64 room, u64 *sizes, u64 *starts);
/* Elements x[bounds[q]] .. x[bounds[q + 1] - 1] go to rank q. y gets what the ranks sent here, in their
 * order; starts[q] is where the elements of rank q begin, starts[ranks] where they end. LS_EARG if some
 * rank's y has too few elements (room). */
ls_status ls_exchange_all_to_all(const void *x, const u64 *bounds, u64 size, void *y, u64 room, u64 *starts);
/* The same where who gets knows what comes: elements starts[r] .. starts[r + 1] - 1 of receive are from rank
 * r, and send has those for rank q from bounds[q] - bounds[0] on. Several ranks only. LS_EARG if that does
 * not fit together. And: nothing moves, *most is how many elements go from any rank to any rank at most. */
ls_status ls_exchange_halo(const char *name, const void *send, const u64 *bounds, u64 size, u64 op,
                           void *receive, const u64 *starts);
ls_status ls_exchange_halo_sizes(const char *name, const u64 *bounds, u64 size, u64 op, const u64 *starts,
                                 u64 *most);

#ifdef __cplusplus
}
#endif

#endif
