/* The trace: one record a primitive that ran, and the statistics over them.
 *
 * Records live in a ring of bounded memory; what falls out of it stays in the statistics. The dispatcher
 * adds a record when its times are known, which for device work is later than the launch. All of this is the
 * main thread's. With LOCKSTEP_MASK_TIMES in the environment times are made up from the records' numbers, so
 * that pictures of a run can be compared. */
#ifndef LS_RUN_TRACE_H
#define LS_RUN_TRACE_H

#include <stdio.h>

#include "run/device.h"
#include "run/row.h"
#include "run/trace_lines.h"

typedef struct ls_record {
  u64 seq;    /* counts primitives since the session began, from 1; steps inside a fused loop count too */
  u64 number; /* #30: the same since its run began; ls_trace_add sets it */
  const ls_prim *prim;
  ls_dtype type;
  const ls_device *device;
  u64 items;                          /* elements of the domain; 0 where only the device knew */
  f64 begin, end;                     /* when it ran, seconds on ls_now's clock */
  f64 host_begin;                     /* when the host asked for it */
  u64 counts[LS_MAX_COUNTS];          /* the row's COUNTs, in its order */
  u32 iteration;                      /* within a fixpoint or loop, from 1; 0: outside */
  u32 mark;                           /* the algorithm's iteration mark, from 1; 0: none yet */
  f64 bytes, gathers;                 /* touched, by the row's cost model; 0: unknown */
  f64 bytes_at_most, gathers_at_most; /* where the row has a bound alone; 0: no bound either */
  f64 operations;                     /* min-plus updates; 0: not known */
  f64 edges;                          /* passed over; 0: none, or unknown */
  u64 footprint;                      /* bytes of the largest array gathered from: picks the limit */
  bool fused;                         /* ran inside a persistent loop */
  u64 turns; /* of a long loop's step: so many runs of it, whose times, items and counts are summed; 0: one */
  char where[LS_WHERE]; /* "scc.lua:18", filled up with zeros; "" where unknown */
  f64 skipped;          /* ls_timeline_skipped when it was asked for */
  bool first;           /* the first launch of its row there: the time may contain the loading of its code */
  bool fresh;           /* it was the first to touch memory that it wrote: the system had to find it */
  bool beside;          /* an exchange that ran beside kernels */
  u64 moved;            /* bytes that an exchange got from other ranks */
  f64 waits;            /* seconds of an exchange in which it waited until all ranks had come */
  f64 gap;              /* seconds that the devices had waited for the host before it; ls_trace_add sets it */
} ls_record;

void ls_trace_enable(bool on); /* on at start */
bool ls_trace_enabled(void);
u64 ls_trace_next_seq(void);   /* hands out the next number */
u64 ls_trace_seq(void);        /* the last number handed out; 0: none */
void ls_trace_begin_run(void); /* the next record is number 1 */
void ls_trace_prepared(void); /* the last number was handed out for what a run needs first: if it is the run's
                               * first, it is none of the run's */
/* The number in the present run of a record that may no longer be kept; 0: it is of an earlier run. */
u64 ls_trace_number(u64 seq);
void ls_trace_add(const ls_record *r);
void ls_trace_reset(void);              /* forgets records, statistics and marks; numbers go on */
ls_status ls_trace_resize(u64 records); /* the ring keeps that many (65536 at start), the newest it has */
/* What follows waits for the user, not for the host: the time up to the next record is no host gap. For the
 * session, at every stop and when a chunk ends. */
void ls_trace_pause(void);
u64 ls_trace_lost(void); /* records that neither ring nor statistics took, because memory had run out */

u64 ls_trace_first(void); /* the oldest record kept; records are first .. last by seq order of adding */
u64 ls_trace_last(void);
const ls_record *ls_trace_get(u64 i); /* NULL: not kept (any more) */

/* Iteration marks: named series for plots and the panel. A mark that is not above the one before begins a new
 * run. A series keeps up to 16384 points; a longer one loses every second point of its older half. */
typedef struct ls_point {
  u32 run, mark;
  f64 time, value; /* seconds on ls_now's clock */
} ls_point;
void ls_trace_mark(u32 mark, const char *const *names, const f64 *values, int count);
int ls_trace_series(void);
const char *ls_trace_series_name(int i);
const ls_point *ls_trace_points(int i, u64 *count); /* by run, then by mark */

/* While held, reading the trace brings no late times in: for who may not wait for a device. */
void ls_trace_hold(bool on);

/* Called by the dispatcher so that late times are in before anyone reads; registered by dispatch.c. */
void ls_trace_on_read(void (*harvest)(void));

/* One row of `stats`: a primitive on a device. */
typedef struct ls_stat {
  const ls_prim *prim; /* NULL: the host gap between primitives */
  const ls_device *device;
  bool first;    /* only first launches, whose times may contain the loading of code: no rates, no limit */
  char name[64]; /* "fill", "fill (first)" or "(host gap)" */
  u64 calls;
  f64 total, min, max, median, average; /* seconds; the median to within 0.8 % */
  f64 bytes, gathers, edges;            /* summed over calls; 0: none, or not known */
  f64 bytes_at_most, gathers_at_most;   /* where there is a bound alone */
  f64 edge_time;                        /* of those calls whose edges are known */
  f64 limit;                            /* share of the tighter measured limit, 0..1; negative: unknown */
  f64 limit_at_most;                    /* where it is unknown: what it is at most; negative: unknown */
  const char *bound;                    /* "mem", "irr", "ops" or "link": which limit */
  bool too_low;                         /* the limit of its operations is: they were quicker */
  bool settled; /* its times say how fast it is: three calls or more, most of them in memory that was used
                 * before, and they are close to each other */
} ls_stat;

/* When it ran, on the clock of the timeline. */
void ls_trace_when(const ls_record *r, f64 *begin, f64 *end);
/* When the records from number `seq` on began, on that clock, as well as it is known. */
f64 ls_trace_began(u64 seq);

/* The share of the tighter measured limit that a record's launch reached, as in ls_stat. */
f64 ls_trace_share(const ls_record *r);

/* Fills rows (largest total first; the host gap last, where there is one). Returns how many there are, which
 * may be more than max. */
int ls_trace_stats(ls_stat *rows, int max);

/* Times in the exports count from the first record since the last reset. */
ls_status
ls_trace_export_chrome(FILE *f); /* Chrome/Perfetto JSON: a track a device, one of the host, counters */
ls_status ls_trace_export_csv(FILE *f);
ls_status ls_trace_export_jsonl(FILE *f);
/* By extension: .json (Chrome/Perfetto), .csv or .jsonl. Written beside and renamed: a full disk costs no old
 * file. */
ls_status ls_trace_save(const char *path);
/* All ranks call it: one .json of all of them, a process a rank, which rank 0 writes. offset: what this
 * rank's clock shows more than that of rank 0, to within so many seconds. */
ls_status ls_trace_save_ranks(const char *path, f64 offset, f64 within);
/* The moment that exports count from: the first record's host_begin; 0 before it. */
f64 ls_trace_epoch(void);

#endif
