/* Where the elapsed time goes: seconds that kernels, copies and the allocation of buffers have taken since
 * the program began. `time` and bench subtract two readings; the rest of the elapsed time is that of Lua and
 * host code. If a kernel and a copy overlap, both count in full. May be called by any thread. */
#ifndef LS_CORE_SPENT_H
#define LS_CORE_SPENT_H

#include "core/types.h"

typedef enum ls_spent_part {
  LS_SPENT_KERNELS,    /* only while the trace is on; added when a record is complete (ls_trace_last) */
  LS_SPENT_COPIES,     /* of whole buffers on the host; while the trace is on, also between host and device */
  LS_SPENT_ALLOCATION, /* allocating, initialising and freeing the memory of buffers */
  LS_SPENT_PARTS
} ls_spent_part;

void ls_spend(ls_spent_part part, f64 seconds);
f64 ls_spent(ls_spent_part part);

#endif
