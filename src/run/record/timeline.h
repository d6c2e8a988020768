/* The timeline: what ran when, since the first primitive of the trace. Kernels, copies and host gaps are
 * cells of a time axis, in bounded memory however long the run is; the newest copies are also kept one by
 * one.
 *
 * Its clock does not run while the program waits for the user. trace.c adds kernels and gaps, the devices add
 * their copies, both only while ls_trace_enabled. Called on the main thread only. */
#ifndef LS_RUN_TIMELINE_H
#define LS_RUN_TIMELINE_H

#include "run/record/time_histogram.h"
#include "run/launch/row.h"

enum { LS_TIMELINE_COPIES = 4096 }; /* kept one by one */

typedef enum ls_lane_kind {
  LS_LANE_KERNELS,
  LS_LANE_EXCHANGES, /* exchanges that overlap with kernels */
  LS_LANE_TO_DEVICE,
  LS_LANE_TO_HOST,
  LS_LANE_HOST
} ls_lane_kind;

/* One lane of the time axis. */
typedef struct ls_lane {
  ls_lane_kind kind;
  const char *device;      /* "cuda:0"; "" for the host's gaps */
  ls_time_histogram cells; /* `what`: a const ls_prim * for kernels and exchanges, else another pointer */
} ls_lane;

typedef struct ls_copy {
  ls_lane_kind kind; /* LS_LANE_TO_DEVICE or LS_LANE_TO_HOST */
  const char *device;
  f64 begin, end; /* seconds on the timeline's clock */
  u64 bytes;
} ls_copy;

/* ls_timeline_pause stops the clock while the user decides; ls_timeline_resume lets it run on, and returns
 * whether the clock was stopped. A primitive resumes the clock; a copy resumes it only until the copy ends,
 * because copies are also made to show a stop. */
void ls_timeline_pause(void);
bool ls_timeline_resume(void);
/* Seconds on ls_now's clock that do not count: those before the first primitive, and those of pauses. A time
 * of ls_now minus these seconds is a time on the timeline's clock. */
f64 ls_timeline_skipped(void);
void ls_timeline_reset(void);
void ls_timeline_add(ls_lane_kind kind, const char *device, const void *what, f64 begin, f64 end);
void ls_timeline_copy(ls_lane_kind kind, const char *device, f64 begin, f64 end,
                      u64 bytes); /* begin, end: on ls_now's clock */

f64 ls_timeline_end(void); /* the latest end of all that was added */
/* The i-th lane, in the order in which they were first used; NULL: there are no more. */
const ls_lane *ls_timeline_lane(int i);
/* The i-th of the newest copies, oldest first; NULL: there are no more. */
const ls_copy *ls_timeline_copy_at(u64 i);

#endif
