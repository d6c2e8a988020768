/* Converts lists of edges to compressed sparse rows (CSR). */
#ifndef LS_DATA_CSR_H
#define LS_DATA_CSR_H

#include "core/error.h"
#include "core/types.h"

/* A contiguous part of the edge list, in input order: count edges key[i] -> other[i] with weight w[i]. */
typedef struct ls_edge_run {
  u64 count;
  const u32 *key;   /* the vertex to whose row the edge belongs; below n */
  const u32 *other; /* the other end, which the row lists; NULL if `rows` is given */
  const void *w;    /* NULL: unweighted */
  void *block; /* ls_malloc'ed memory of key, other and w, freed once copied; NULL: owned by the caller */
} ls_edge_run;

/* Sorts the runs, in order, into rows. The sort is stable and parallel; the result does not depend on the
 * number of threads. To transpose a graph: the runs' keys are its targets, in order, and `rows` its row
 * offsets; the other end of an edge is then the row that contains it. Otherwise `rows` is NULL. wsize is 0, 4
 * or 8 bytes. The outputs belong to the caller: u32[n+1], u32[m], and m weights or NULL. Blocks are freed
 * even on failure. Uses 4 bytes per edge in addition to runs and outputs. Fails with LS_EMEM or
 * LS_EINTERRUPTED. */
ls_status ls_csr_sort(u32 n, ls_edge_run *runs, size_t nruns, const u32 *rows, size_t wsize, u32 **off,
                      u32 **to, void **w);

#endif
