/* Basic statistics of a graph: degrees, self loops and parallel edges, weights, weak components. */
#ifndef LS_DATA_STATS_H
#define LS_DATA_STATS_H

#include "data/graph.h"
#include "data/reduce.h"

enum { LS_DEGREE_BINS = 33 };

typedef struct ls_degrees {
  u32 min, max; /* 0 if there are no vertices */
  f64 mean;
  u32 top;                  /* the first vertex of degree max */
  u64 bins[LS_DEGREE_BINS]; /* number of vertices of degree 0 in bin 0, 2^(k-1) .. 2^k - 1 in bin k */
} ls_degrees;

typedef struct ls_graph_stats {
  ls_degrees out, in;
  u64 self_loops;
  u64 parallel;               /* edges beyond the first of each pair (u, v) */
  u32 isolated;               /* vertices without any edge */
  u32 weak, largest;          /* number of weakly connected components; vertices of the largest one */
  ls_number wmin, wmax, wsum; /* set if m > 0 and there are weights */
  u64 negative;               /* number of weights below 0 */
} ls_graph_stats;

/* Computes the transpose if it does not exist yet. Fails with LS_EMEM or LS_EINTERRUPTED. */
ls_status ls_graph_statistics(ls_graph *g, ls_graph_stats *out);

#endif
