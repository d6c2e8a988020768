/* The trace: one record per primitive that ran, and statistics over them.
 *
 * Records are kept in a ring of bounded memory; those that fall out of it stay in the statistics. The
 * dispatcher adds a record when its times are known, which for device work is later than the launch. Called
 * on the main thread only. With LOCKSTEP_MASK_TIMES in the environment times are computed from the records'
 * numbers, so that pictures of a run can be compared. */
#ifndef LS_RUN_TRACE_H
#define LS_RUN_TRACE_H

#include <stdio.h>

#include "run/devices/device.h"
#include "run/launch/row.h"
#include "run/record/trace_lines.h"

typedef struct ls_record {
  u64 seq;    /* counts primitives since the session began, from 1; steps in a persistent loop count too */
  u64 number; /* 30 for "#30": counts from the beginning of the run; set by ls_trace_add */
  const ls_prim *prim;
  ls_dtype type;
  const ls_device *device;
  u64 items;                          /* elements of the domain; 0 if only the device knew */
  f64 begin, end;                     /* when it ran, seconds on ls_now's clock */
  f64 host_begin;                     /* when the host requested it */
  u64 counts[LS_MAX_COUNTS];          /* the row's COUNTs, in its order */
  u32 iteration;                      /* iteration within a fixpoint or loop, from 1; 0: outside */
  u32 mark;                           /* the algorithm's iteration mark, from 1; 0: none yet */
  f64 bytes, gathers;                 /* touched, by the row's cost model; 0: unknown */
  f64 bytes_at_most, gathers_at_most; /* if the row has only an upper bound; 0: no bound either */
  f64 operations;                     /* min-plus updates; 0: not known */
  f64 edges;                          /* visited; 0: none, or unknown */
  u64 footprint;                      /* bytes of the largest array gathered from: selects the limit */
  bool fused;                         /* ran inside a persistent loop */
  u64 turns; /* of a step of a long loop: number of runs whose times, items and counts are summed; 0: one */
  char where[LS_WHERE]; /* "scc.lua:18", padded with zeros; "" if unknown */
  f64 skipped;          /* ls_timeline_skipped() when it was requested */
  bool first;           /* the first launch of its row on the device: the time may include loading its code */
  bool fresh;           /* it was the first to touch memory that it wrote, which the system had to provide */
  bool beside;          /* an exchange that overlapped with kernels */
  u64 moved;            /* bytes that an exchange received from other ranks */
  f64 waits;            /* seconds for which an exchange waited until all ranks had come */
  f64 gap;              /* seconds for which the devices waited for the host before it; set by ls_trace_add */
} ls_record;

void ls_trace_enable(bool on); /* on at start */
bool ls_trace_enabled(void);
u64 ls_trace_next_seq(void);   /* hands out the next number */
u64 ls_trace_seq(void);        /* the last number handed out; 0: none */
void ls_trace_begin_run(void); /* the next record is number 1 */
/* Called after a primitive that only prepares a run: if it has the run's first number, it no longer counts as
 * part of the run. */
void ls_trace_prepared(void);
/* The number, within the current run, of the record with sequence number seq; 0: the record belongs to an
 * earlier run. The record need not be in the ring any more. */
u64 ls_trace_number(u64 seq);
void ls_trace_add(const ls_record *r);
void ls_trace_reset(void);              /* forgets records, statistics and marks; numbers continue */
ls_status ls_trace_resize(u64 records); /* the ring keeps the newest `records` records (65536 at start) */
/* The program now waits for the user: the time until the next record is no host gap. Called by the session at
 * every stop and when a chunk ends. */
void ls_trace_pause(void);
u64 ls_trace_lost(void); /* records missing in the ring or the statistics, because memory ran out */

u64 ls_trace_first(void); /* the oldest kept record; first .. last are kept, in the order of adding */
u64 ls_trace_last(void);
const ls_record *ls_trace_get(u64 i); /* NULL: not kept (any more) */
u64 ls_trace_from(
    u64 seq); /* the first that has a number >= seq; they are ordered by it, with few exceptions */

/* Iteration marks: named series for plots and the panel. A mark that is not greater than the one before
 * begins a new run. A series keeps up to 16384 points; a longer one loses every second point of its older
 * half. */
typedef struct ls_point {
  u32 run, mark;
  f64 time, value; /* seconds on ls_now's clock */
} ls_point;
void ls_trace_mark(u32 mark, const char *const *names, const f64 *values, int count);
int ls_trace_series(void);
const char *ls_trace_series_name(int i);
const ls_point *ls_trace_points(int i, u64 *count); /* by run, then by mark */

/* While held, reading the trace does not complete late records, for code that must not wait for a device. */
void ls_trace_hold(bool on);

/* Registers the function that completes late records before the trace is read. */
void ls_trace_on_read(void (*harvest)(void));

/* One row of `stats`: a primitive on a device. */
typedef struct ls_stat {
  const ls_prim *prim; /* NULL: the host gap between primitives */
  const ls_device *device;
  bool first;    /* only first launches, whose times may include loading code: no rates, no limit */
  char name[64]; /* "fill", "fill (first)" or "(host gap)" */
  u64 calls;
  f64 total, min, max, median, average; /* seconds; the median to within 0.8 % */
  f64 bytes, gathers, edges;            /* summed over calls; 0: none, or not known */
  f64 bytes_at_most, gathers_at_most;   /* if there is only an upper bound */
  f64 edge_time;                        /* seconds of the calls whose edges are known */
  f64 limit;                            /* share of the tightest measured limit, 0..1; negative: unknown */
  f64 limit_at_most;                    /* if that is unknown, an upper bound of it; negative: unknown */
  const char *bound;                    /* "mem", "irr", "ops" or "link": which limit */
  bool too_low;                         /* the measured limit of operations is too low: they were faster */
  /* Do its times say how fast it is? Three calls or more, most of them in memory that was used before, and
   * all with similar times. */
  bool settled;
} ls_stat;

/* When a record's primitive ran, on the timeline's clock. */
void ls_trace_when(const ls_record *r, f64 *begin, f64 *end);
/* When the first record with a number >= `seq` began, on the timeline's clock; approximate if that record is
 * no longer kept. */
f64 ls_trace_began(u64 seq);

/* The share of the tightest measured limit that a record's launch reached, as in ls_stat. */
f64 ls_trace_share(const ls_record *r);

/* Fills rows (largest total first; the host gap last, if any). Returns their number, which may exceed max. */
int ls_trace_stats(ls_stat *rows, int max);

/* Times in the exports count from the first record since the last reset. */
ls_status
ls_trace_export_chrome(FILE *f); /* Chrome/Perfetto JSON: a track per device, one for the host, counters */
ls_status ls_trace_export_csv(FILE *f);
ls_status ls_trace_export_jsonl(FILE *f);
/* By extension: .json (Chrome/Perfetto), .csv or .jsonl. Written to a temporary file, then renamed, so that a
 * full disk never destroys the old file. */
ls_status ls_trace_save(const char *path);
/* Called by all ranks: rank 0 writes one .json with a process per rank. offset: seconds by which this rank's
 * clock is ahead of rank 0's, known to within `within` seconds. */
ls_status ls_trace_save_ranks(const char *path, f64 offset, f64 within);
/* The time from which exports count: the first record's host_begin; 0 before there is one. */
f64 ls_trace_epoch(void);

#endif
