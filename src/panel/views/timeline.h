/* What a window of the time axis shows, one cell per column: arithmetic with windows, and reading the trace.
 * A `span` is one launch, copy or gap. */
#ifndef LS_PANEL_TIMELINE_H
#define LS_PANEL_TIMELINE_H

#include "run/record/timeline.h"
#include "run/record/trace.h"

enum { TIMELINE_LANES = 12, TIMELINE_COLUMNS = 512, TIMELINE_SUMS = 64 };

typedef struct timeline_window {
  f64 begin, end; /* of the run */
  f64 from, to;   /* of its visible part */
} timeline_window;

/* Makes 1/2^power of the run visible, from `from` on; shifted so that it contains `at` and lies within the
 * run. */
void timeline_place(timeline_window *w, int power, f64 from, f64 at);
/* The distance of ticks in seconds if `columns` columns show `seconds` seconds: 1, 2 or 5 times a power of
 * ten, so that ticks are at least `cols` columns apart. */
f64 timeline_tick(f64 seconds, int columns, int cols);

/* One launch, copy or gap, if it is recorded individually. */
typedef struct timeline_span {
  bool known;
  f64 begin, end;
  u64 record;  /* index for ls_trace_get; 0: none */
  u64 bytes;   /* of a copy */
  f64 overlap; /* seconds in the column that was searched */
} timeline_span;

/* The time of a kernel in the visible part, on all devices. */
typedef struct timeline_sum {
  const ls_prim *prim;
  f64 seconds;
  u64 count; /* launches that begin in the visible part */
} timeline_sum;

typedef struct timeline_picture {
  int lanes, columns, sums;
  timeline_sum sum[TIMELINE_SUMS]; /* by decreasing time */
  const ls_lane *lane[TIMELINE_LANES];
  ls_time_cell cell[TIMELINE_LANES][TIMELINE_COLUMNS];
} timeline_picture;

/* Fills `columns` cells for each lane: from the records that the trace keeps, if they are few or if the
 * timeline's own cells are too wide for the window; else, and while something runs, from the timeline's
 * cells. */
void timeline_take(const timeline_window *w, int columns, bool running, timeline_picture *out);
/* The span of the lane that contains `at`, else the one that overlaps [left, right) most. */
timeline_span timeline_find(const ls_lane *lane, f64 at, f64 left, f64 right);
/* forward: the first span that begins after `at`; else the last one that ends before it. */
timeline_span timeline_next(const ls_lane *lane, f64 at, bool forward);

#endif
