/* What a window of the time axis shows, a cell a column: pure arithmetic, and reading the trace. */
#ifndef LS_PANEL_TIMELINE_H
#define LS_PANEL_TIMELINE_H

#include "run/timeline.h"
#include "run/trace.h"

enum { TIMELINE_LANES = 12, TIMELINE_COLUMNS = 512, TIMELINE_SUMS = 64 };

typedef struct timeline_window {
  f64 begin, end; /* of the run, */
  f64 from, to;   /* and of what is seen of it */
} timeline_window;

/* The window of 1/2^power of the run, from `from` on; moved so that it holds `at` and stays within the run.
 */
void timeline_place(timeline_window *w, int power, f64 from, f64 at);
/* Seconds between two ticks, 1, 2 or 5 times a power of ten: at least `cols` columns apart. */
f64 timeline_tick(f64 seconds, int columns, int cols);

/* One stretch, where it is known by itself. */
typedef struct timeline_span {
  bool known;
  f64 begin, end;
  u64 record;  /* ls_trace_get's; 0: none */
  u64 bytes;   /* of a copy */
  f64 overlap; /* with the column that it was looked for in */
} timeline_span;

/* A kernel's part of what is seen, on all devices. */
typedef struct timeline_sum {
  const ls_prim *prim;
  f64 seconds;
  u64 count; /* of launches that begin in it */
} timeline_sum;

typedef struct timeline_picture {
  int lanes, columns, sums;
  timeline_sum sum[TIMELINE_SUMS]; /* the most time first */
  const ls_lane *lane[TIMELINE_LANES];
  ls_time_cell cell[TIMELINE_LANES][TIMELINE_COLUMNS];
} timeline_picture;

/* Of each lane so many cells. The records that the trace keeps, where they are few or the
 * timeline's cells too wide; else these cells, and while something runs. */
void timeline_take(const timeline_window *w, int columns, bool running, timeline_picture *out);
/* The stretch of that lane that holds `at`, else the one with most of [left, right). */
timeline_span timeline_find(const ls_lane *lane, f64 at, f64 left, f64 right);
/* The first stretch that begins after `at`, or the last one that ends before it. */
timeline_span timeline_next(const ls_lane *lane, f64 at, bool forward);

#endif
