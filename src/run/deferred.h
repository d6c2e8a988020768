/* Records that are completed later: launches whose times only the device knows yet, and the rings of fused
 * loops. They wait here until someone reads the trace, so that tracing costs a free run next to nothing. */
#ifndef LS_RUN_DEFERRED_H
#define LS_RUN_DEFERRED_H

#include "run/launch.h"
#include "run/sizes.h"
#include "run/trace.h"

/* A record of one launch. ticket 0: its times are in; else of a CUDA launch that was not waited for. */
void ls_deferred_record(const ls_record *r, const ls_sizes *sizes, u64 ticket);
/* The ring of a loop's launch; r is the record of its first entry but for what the ring says, and the numbers
 * from r->seq on are the entries'. */
void ls_deferred_ring(const ls_record *r, const ls_sizes *sizes, const ls_launch *L);
/* Is the next launch of a loop traced in sums? A loop of very many turns is traced one by one at first.
 * skipped: of its record. */
bool ls_deferred_in_sums(const ls_prim *loop, f64 skipped);
/* Makes room, before a loop is launched: afterwards its entries would be lost with the others'. */
void ls_deferred_make_room(const ls_device *d);

/* The size that an expression of a row names: of `sizes`, or `items`, `size` (bytes of an element) and the
 * COUNTs of the record. */
typedef struct ls_cost_context {
  const ls_sizes *sizes;
  const ls_record *record;
  bool every_edge; /* out: the expression names m */
} ls_cost_context;
f64 ls_cost_size(const char *name, size_t len, const void *context);

#endif
