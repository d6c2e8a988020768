/* The trace: one record a primitive that ran, and the statistics over them.
 *
 * Records live in a ring of bounded memory; what falls out of it stays in the statistics. The dispatcher
 * adds a record when its times are known, which for device work is later than the launch. */
#ifndef LS_RUN_TRACE_H
#define LS_RUN_TRACE_H

#include <stdio.h>

#include "run/device.h"
#include "run/row.h"

typedef struct ls_record {
  u64 seq; /* #30: counts primitives since the session began, from 1; steps inside a fused loop count too */
  const ls_prim *prim;
  ls_dtype type;
  const ls_device *device;
  u64 items;       /* elements of the domain; 0 where only the device knew */
  f64 begin, end;  /* when it ran, seconds on ls_now's clock */
  f64 host_begin;  /* when the host asked for it */
  u64 counts[LS_MAX_COUNTS]; /* the row's COUNTs, in its order */
  u32 iteration;   /* within a fixpoint or loop, from 1; 0: outside */
  u32 mark;        /* the algorithm's iteration mark, from 1; 0: none yet */
  f64 bytes, gathers; /* by the row's cost model; 0: unknown */
  u64 footprint;   /* bytes of the largest array gathered from: picks the limit */
  bool fused;      /* ran inside a persistent loop */
  char where[40];  /* "scc.lua:18"; "" where unknown */
} ls_record;

void ls_trace_enable(bool on); /* on at start */
bool ls_trace_enabled(void);
u64 ls_trace_next_seq(void);   /* hands out the next number */
void ls_trace_add(const ls_record *r);
void ls_trace_reset(void);

u64 ls_trace_first(void); /* the oldest record kept; records are first .. last by seq order of adding */
u64 ls_trace_last(void);
const ls_record *ls_trace_get(u64 i);

/* Iteration marks: named series for plots and the panel. */
void ls_trace_mark(u32 mark, const char *const *names, const f64 *values, int count);

/* Called by the dispatcher so that late times are in before anyone reads; registered by dispatch.c. */
void ls_trace_on_read(void (*harvest)(void));

/* One row of `stats`: a primitive on a device. */
typedef struct ls_stat {
  const ls_prim *prim; /* NULL: the host gap between primitives */
  const ls_device *device;
  u64 calls;
  f64 total, min, max, median, average; /* seconds */
  f64 bytes, gathers, edges;            /* summed over calls */
  f64 limit;  /* share of the tighter measured limit, 0..1; negative: unknown */
  const char *bound; /* "mem" or "irr": which limit */
} ls_stat;

/* Fills rows (largest total first; the host gap last). Returns how many there are. */
int ls_trace_stats(ls_stat *rows, int max);

ls_status ls_trace_export_chrome(FILE *f); /* Chrome/Perfetto JSON */
ls_status ls_trace_export_csv(FILE *f);
ls_status ls_trace_export_jsonl(FILE *f);

#endif
