/* Trace records that are completed later: launches whose times only the device knows yet, and the rings of
 * loops. They wait here until the trace is read, so that tracing costs a free run almost nothing. */
#ifndef LS_RUN_LATE_RECORDS_H
#define LS_RUN_LATE_RECORDS_H

#include "run/launch/launch.h"
#include "run/launch/sizes.h"
#include "run/record/trace.h"

/* Adds the record of one launch. `ticket` is that of a CUDA launch that has not been waited for; 0: the
 * record has its times already. */
void ls_late_records_record(const ls_record *r, const ls_sizes *sizes, u64 ticket);
/* Adds the ring of a loop's launch. `r` is the record of the first entry, without the members that the ring
 * contains; the entries are numbered from r->seq on. */
void ls_late_records_ring(const ls_record *r, const ls_sizes *sizes, const ls_launch *L);
/* Will the next launch of a loop be traced in sums, one record per step? The first LS_RING runs of steps are
 * traced one by one. skipped: as in ls_record. */
bool ls_late_records_in_sums(const ls_prim *loop, f64 skipped);
/* Completes records if room is short. Called before a loop is launched, because reading the device's ring
 * later would also drop the loop's new entries. */
void ls_late_records_make_room(const ls_device *d);

/* The value of a name in a row's cost expression: one of `sizes`, `items`, `edges`, `size` (bytes per
 * element), or a COUNT of the record; -1: unknown. */
typedef struct ls_cost_context {
  const ls_sizes *sizes;
  const ls_record *record;
  bool every_edge; /* out: `m` occurs in the expression */
} ls_cost_context;
f64 ls_cost_size(const char *name, size_t len, const void *context);

#endif
