/* Sorting edges into rows: the one place where a list of edges becomes compressed sparse rows. */
#ifndef LS_DATA_CSR_H
#define LS_DATA_CSR_H

#include "core/error.h"
#include "core/types.h"

/* A stretch of the edge list, in the order of the input: count edges key[i] -> other[i] with weight w[i]. */
typedef struct ls_edge_run {
  u64 count;
  const u32 *key;   /* the vertex whose row the edge goes to; below n */
  const u32 *other; /* what the row lists; NULL where `rows` is given */
  const void *w;    /* NULL: unweighted */
  void *block;      /* ls_malloc'ed memory of the three, freed once they are placed; NULL: the caller's */
} ls_edge_run;

/* Sorts the runs, one after the other, into rows; stable, in parallel, and the same for any number of
 * threads. With `rows` (the offsets of a graph whose edges the runs' keys are, in order) an edge's other end
 * is the row that it stands in: this transposes. wsize is 0, 4 or 8 bytes. The outputs are the caller's:
 * u32[n+1], u32[m], and m weights or NULL. Blocks are freed also on failure. Memory beside runs and outputs:
 * 4 bytes an edge. Fails with LS_EMEM or LS_EINTERRUPTED. */
ls_status ls_csr_sort(u32 n, ls_edge_run *runs, size_t nruns, const u32 *rows, size_t wsize, u32 **off,
                      u32 **to, void **w);

#endif
