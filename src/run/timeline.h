/* What ran when, from the first primitive since the trace began on: kernels, copies and host gaps as cells of
 * a time axis, in bounded memory however long it lasts; and the newest copies one by one.
 *
 * Its clock stands still while the program waits for the user. trace.c adds kernels and gaps, the devices add
 * their copies, both only while ls_trace_enabled. All of this is the main thread's. */
#ifndef LS_RUN_TIMELINE_H
#define LS_RUN_TIMELINE_H

#include "run/cells.h"
#include "run/row.h"

enum { LS_TIMELINE_COPIES = 4096 }; /* kept one by one */

typedef enum ls_lane_kind {
  LS_LANE_KERNELS,
  LS_LANE_EXCHANGES, /* that run beside kernels */
  LS_LANE_TO_DEVICE,
  LS_LANE_TO_HOST,
  LS_LANE_HOST
} ls_lane_kind;

/* A row of the time axis. */
typedef struct ls_lane {
  ls_lane_kind kind;
  const char *device; /* "cuda:0"; "" for the host's gaps */
  ls_cells cells;     /* what: a const ls_prim * of kernels and exchanges, else something that is not NULL */
} ls_lane;

typedef struct ls_copy {
  ls_lane_kind kind; /* LS_LANE_TO_DEVICE or LS_LANE_TO_HOST */
  const char *device;
  f64 begin, end; /* seconds of this clock */
  u64 bytes;
} ls_copy;

/* The user has the turn until ls_timeline_resume, which returns whether that was so. A primitive resumes; a
 * copy does so only for its own time, because what shows a stop copies too. */
void ls_timeline_pause(void);
bool ls_timeline_resume(void);
/* How many seconds do not count so far: those before the first primitive, and those in which the user had the
 * turn. A time of ls_now's clock less that is a time of this one. */
f64 ls_timeline_skipped(void);
void ls_timeline_reset(void);
void ls_timeline_add(ls_lane_kind kind, const char *device, const void *what, f64 begin, f64 end);
void ls_timeline_copy(ls_lane_kind kind, const char *device, f64 begin, f64 end,
                      u64 bytes); /* ls_now's times */

f64 ls_timeline_end(void); /* of the last that was added */
/* By devices in the order in which they came; NULL: there is none any more. */
const ls_lane *ls_timeline_lane(int i);
/* The newest copies, oldest first; NULL: there is none any more. */
const ls_copy *ls_timeline_copy_at(u64 i);

#endif
