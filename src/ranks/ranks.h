/* Ranks: processes that run the same script, each with a device of its own, and exchange buffers. They are
 * started by `lockstep --ranks N` on one host (shared memory) or by mpirun (MPI). A process that was started
 * in another way is rank 0 of 1; then nothing has to move.
 *
 * All ranks make the same exchanges in the same order. Before data moves, they tell each other which call
 * they make, so that ranks that do not match get an error instead of waiting for ever. */
#ifndef LS_RANKS_RANKS_H
#define LS_RANKS_RANKS_H

#include "core/error.h"
#include "ranks/transport.h"

#ifdef __cplusplus
extern "C" {
#endif

int ls_ranks(void);     /* number of ranks; at least 1 */
int ls_rank(void);      /* number of this rank, from 0 on */
int ls_rank_here(void); /* its number among those on this host, from 0 on */
bool ls_ranks_on_one_host(void);
const char *ls_ranks_transport(void); /* "none", "shared memory" or "MPI" */
/* How the buffers of the last exchange moved: by the transport, or by a route between devices. */
const char *ls_ranks_route(void);
void ls_ranks_set_route(const char *name); /* name must stay valid */

/* Joins the other ranks, if this process was started as one of several. prompt: rank 0 has a prompt, and the
 * others follow it (ranks/shared_prompt.h). patience: a rank that others wait for counts as
 * missing after this many seconds without a heartbeat; 0: never. LS_EARG with what is wrong. */
ls_status ls_ranks_open(bool prompt, f64 patience);
void ls_ranks_close(int exit_code);

/* Was this process started by mpirun, or as one of `lockstep --ranks N`? */
bool ls_ranks_started(void);
/* Starts this program `count` times with these arguments, waits, and returns the exit code: that of the first
 * rank that failed, else 0. What ranks above 0 write to standard error is preceded by "rank R: "; their
 * standard output is dropped. prompt: rank 0 has the terminal, and the others follow it
 * (ranks/shared_prompt.h). If all other ranks have ended, those without a heartbeat are killed. */
int ls_ranks_launch(int count, char **argv, bool prompt, f64 patience);

/* After an exchange that failed: may MPI still access its memory, when a rank that hung continues? Returns
 * true once; then the memory must neither be used nor freed. Never true of memory on a stack. */
bool ls_exchange_holds(void);

/* Exchanges the ranks' ranges [first, past) of `count` elements: bounds[r] is where rank r's range begins,
 * bounds[ranks] is count. LS_EARG if they do not follow one another without gaps. */
ls_status ls_exchange_bounds(const char *name, u64 count, u64 size, u64 first, u64 past, u64 *bounds);

/* ls_exchange_agree: checks that all ranks make the same call; no data moves. ls_exchange_meet: a barrier;
 * `place` is its number within the call. */
ls_status ls_exchange_agree(const char *name, u64 count, u64 size, u64 op);
ls_status ls_exchange_meet(const char *name, u64 place);

/* *out: is `mine` true in all ranks? */
ls_status ls_exchange_all(bool mine, bool *out);
/* Called while a library moves data between devices, as all ranks have agreed: will some rank not come to the
 * barrier at the end? Returns what is wrong, or NULL. */
const char *ls_exchange_lost(void);

/* Elements have `size` bytes. Each rank's range [first, past) of x is copied to all ranks; the ranges follow
 * one another from 0 to count. */
ls_status ls_exchange_gather(void *x, u64 count, u64 size, u64 first, u64 past);
ls_status ls_exchange_reduce(void *x, u64 count, ls_dtype type, ls_reduction op);
/* Afterwards [first, past) is reduced over all ranks; other elements of x do not change. */
ls_status ls_exchange_reduce_scatter(void *x, u64 count, ls_dtype type, ls_reduction op, u64 first, u64 past);
ls_status ls_exchange_broadcast(void *x, u64 count, u64 size, u64 root);
/* With several ranks: exchanges how much goes from each rank to each, sizes[r * ranks + q] elements from r to
 * q. `bounds`, `room` and `starts` of each rank are as in ls_exchange_all_to_all. No data moves. */
ls_status ls_exchange_sizes(const char *name, const u64 *bounds, u64 size, u64 room, u64 *sizes, u64 *starts);
/* Elements x[bounds[q]] .. x[bounds[q + 1] - 1] go to rank q. y gets what the ranks sent to this one, in the
 * order of the ranks; starts[q] is where the elements from rank q begin, starts[ranks] where the last ones
 * end. LS_EARG if some rank's y has too few elements (room). */
ls_status ls_exchange_all_to_all(const void *x, const u64 *bounds, u64 size, void *y, u64 room, u64 *starts);
/* As ls_exchange_all_to_all, if each receiver knows what it will get: elements starts[r] .. starts[r + 1] - 1
 * of `receive` come from rank r, and the elements for rank q begin at bounds[q] - bounds[0] in `send`. With
 * several ranks only. LS_EARG if the ranks' plans do not match. ls_exchange_halo_sizes moves nothing; *most
 * is the largest number of elements that goes from one rank to another. */
ls_status ls_exchange_halo(const char *name, const void *send, const u64 *bounds, u64 size, u64 op,
                           void *receive, const u64 *starts);
ls_status ls_exchange_halo_sizes(const char *name, const u64 *bounds, u64 size, u64 op, const u64 *starts,
                                 u64 *most);

#ifdef __cplusplus
}
#endif

#endif
