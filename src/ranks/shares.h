/* What each rank has done, as the others know it. A rank says so with each exchange that it comes to: its
 * times since the start, and what its primitives have done since the exchange before. So nothing is sent for
 * it alone, and what is known of another rank is as of the last exchange that it has come to. */
#ifndef LS_RANKS_SHARES_H
#define LS_RANKS_SHARES_H

#include <stdbool.h>

#include "core/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LS_SHARE_ROWS = 8, LS_SHARE_COUNTS = 4 };

typedef struct ls_share {
  f64 kernels, exchanges; /* seconds; exchanges include waits: until all had come */
  f64 waits;
  f64 hidden;   /* seconds of the exchanges in which kernels ran beside them */
  u64 bytes;    /* that came from other ranks */
  f64 before;   /* seconds of kernels between its last two exchanges with kernels between them */
  bool waiting; /* it has come to the exchange that this rank comes to next */
} ls_share;

/* Of a primitive, between the last exchange and the next. */
typedef struct ls_share_row {
  u32 name; /* a digest */
  u32 calls;
  f64 seconds;
  u64 counts[LS_SHARE_COUNTS];
} ls_share_row;

/* --- what this rank has done --- */
void ls_shares_ran(const char *name, bool exchange, f64 seconds, u64 calls, const u64 *counts);
void ls_shares_exchanged(f64 seconds); /* by an exchange that is no primitive */
void ls_shares_hid(f64 seconds);       /* kernels and an exchange ran at once */
void ls_shares_moved(u64 bytes);       /* that came from others */
/* It stands at a stop, and goes on: others do not count as waiting what it stands there. */
void ls_shares_stands(bool yes);
void ls_shares_reset(void); /* counts anew, its own and those of others as they are known */

u64 ls_shares_got(void);   /* bytes that this rank got from others */
f64 ls_shares_waits(void); /* seconds that this rank has waited in exchanges, at stops of rank 0 too */

/* --- what all have done --- */
void ls_shares_of(int rank, ls_share *out);
/* What rank r has done by the primitive of that name since the last exchange. Of another rank it is known
 * once that rank waits in the next exchange: false before. Where it has not run it, *out is 0. */
bool ls_shares_row(int rank, const char *name, ls_share_row *out);

/* --- for ranks.c: what goes with an exchange --- */
typedef struct ls_share_said {
  f64 kernels, exchanges, waits, hidden;
  u64 bytes;
  f64 stood;  /* seconds at stops, in all */
  f64 before; /* seconds of kernels since the exchange before */
  u32 resets; /* how often it has begun to count anew */
  u32 nrows;
  ls_share_row rows[LS_SHARE_ROWS]; /* left out where there is no prompt */
} ls_share_said;
/* This rank comes to an exchange and says this; it has waited so many seconds there for the others; they have
 * said this. */
void ls_shares_say(ls_share_said *out);
void ls_shares_waited(f64 seconds, const ls_share_said *zero); /* zero: what rank 0 says */
void ls_shares_hear(int rank, const ls_share_said *said,
                    bool worked); /* worked: some rank had kernels before */
/* Once, where there are several ranks. look: what a rank has said of the exchange that comes next, if it
 * waits there. */
void ls_shares_open(int rank, int count, bool (*look)(int rank, ls_share_said *said));

#ifdef __cplusplus
}
#endif

#endif
