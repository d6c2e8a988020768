/* Trace records that are completed later: launches whose times only the device knows yet, and the rings of
 * loops. They wait here until the trace is read, so that tracing costs a free run almost nothing. */
#ifndef LS_RUN_LATE_RECORDS_H
#define LS_RUN_LATE_RECORDS_H

#include "run/launch.h"
#include "run/sizes.h"
#include "run/trace.h"

/* Adds the record of one launch. ticket: of a CUDA launch that has not been waited for; 0: the record has its
 * times. */
void ls_late_records_record(const ls_record *r, const ls_sizes *sizes, u64 ticket);
/* Adds the ring of a loop's launch. r: the record of its first entry, except for what the ring contains; the
 * entries are numbered from r->seq on. */
void ls_late_records_ring(const ls_record *r, const ls_sizes *sizes, const ls_launch *L);
/* Is the next launch of a loop traced in sums? The first LS_RING turns are traced one by one. skipped: as in
 * ls_record. */
bool ls_late_records_in_sums(const ls_prim *loop, f64 skipped);
/* Completes records if room is short. Called before a loop is launched: afterwards, reading the device's ring
 * would also drop the new entries. */
void ls_late_records_make_room(const ls_device *d);

/* The value of a name in a row's cost expression: one of `sizes`, `items`, `edges`, `size` (bytes per
 * element), or a COUNT of the record; -1: unknown. */
typedef struct ls_cost_context {
  const ls_sizes *sizes;
  const ls_record *record;
  bool every_edge; /* out: the expression names m */
} ls_cost_context;
f64 ls_cost_size(const char *name, size_t len, const void *context);

#endif
