/* Statistics of each rank, as the others know them. A rank sends them with each exchange: its times since the
 * start, and what its primitives have done since the previous exchange. So they need no messages of their
 * own, and the statistics of another rank are those of its last exchange. */
#ifndef LS_RANKS_RANK_STATS_H
#define LS_RANKS_RANK_STATS_H

#include <stdbool.h>

#include "core/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LS_RANK_STATS_ROWS = 8, LS_RANK_STATS_COUNTS = 4 };

typedef struct ls_rank_stats {
  f64 kernels, exchanges; /* seconds; exchanges include waits */
  f64 waits;              /* seconds in exchanges until all ranks had come */
  f64 hidden;             /* seconds of exchanges that overlapped with kernels */
  u64 bytes;              /* received from other ranks */
  f64 before;   /* kernel seconds before the last exchange that was preceded by any rank's kernels */
  bool waiting; /* it already waits in the exchange that this rank reaches next */
} ls_rank_stats;

/* What a primitive has done since the last exchange. */
typedef struct ls_rank_stats_row_of {
  u32 name; /* digest of the primitive's name */
  u32 calls;
  f64 seconds;
  u64 counts[LS_RANK_STATS_COUNTS];
} ls_rank_stats_row_of;

/* --- what this rank has done --- */
void ls_rank_stats_ran(const char *name, bool exchange, f64 seconds, u64 calls, const u64 *counts);
void ls_rank_stats_exchanged(f64 seconds); /* of an exchange that is not a primitive */
void ls_rank_stats_hid(f64 seconds);       /* in which kernels and an exchange overlapped */
void ls_rank_stats_moved(u64 bytes);       /* received from other ranks */
/* This rank is at a stop, or continues: others do not count a stop as waiting. */
void ls_rank_stats_stands(bool yes);
void ls_rank_stats_reset(void); /* resets its own counts, and the others' as far as they are known */

u64 ls_rank_stats_got(void);   /* bytes that this rank has received from others */
f64 ls_rank_stats_waits(void); /* seconds that this rank has waited in exchanges, including stops of rank 0 */

/* --- what all have done --- */
void ls_rank_stats_of(int rank, ls_rank_stats *out);
/* What `rank` has done with the primitive of that name since the last exchange; *out is 0 if nothing. False:
 * this is unknown, because `rank` is another rank and does not wait in the next exchange yet. */
bool ls_rank_stats_row(int rank, const char *name, ls_rank_stats_row_of *out);

/* --- for ranks.c: what is sent with an exchange --- */
typedef struct ls_rank_stats_said {
  f64 kernels, exchanges, waits, hidden;
  u64 bytes;
  f64 stood;  /* total seconds at stops */
  f64 before; /* seconds of kernels since the last exchange */
  u32 resets; /* number of calls of ls_rank_stats_reset */
  u32 nrows;
  ls_rank_stats_row_of rows[LS_RANK_STATS_ROWS]; /* not sent without a prompt */
} ls_rank_stats_said;
/* At an exchange. ls_rank_stats_say: sets *out to what this rank sends. ls_rank_stats_waited: this rank has
 * waited `seconds` for the others; `zero` is what rank 0 has sent. ls_rank_stats_hear: `said` is what `rank`
 * has sent; worked: some rank ran kernels before this exchange. */
void ls_rank_stats_say(ls_rank_stats_said *out);
void ls_rank_stats_waited(f64 seconds, const ls_rank_stats_said *zero);
void ls_rank_stats_hear(int rank, const ls_rank_stats_said *said, bool worked);
/* Called once, if there are several ranks. look: gets what a rank has sent with the next exchange; false if
 * it does not wait there yet. */
void ls_rank_stats_open(int rank, int count, bool (*look)(int rank, ls_rank_stats_said *said));

#ifdef __cplusplus
}
#endif

#endif
