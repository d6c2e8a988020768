/* Generators of graphs. Each gives the same graph for the same seed on every machine and with any number of
 * threads: randomness is a counter-based hash of (seed, edge number, use), never a shared stream. */
#ifndef LS_GEN_GEN_H
#define LS_GEN_GEN_H

#include "data/graph.h"

/* Weights of generated edges: none, or uniform in [lo, hi] (integers for i32 and i64). Times: none, or
 * uniform in [tlo, thi], as i32 if all fit, else i64. */
typedef struct ls_gen_weights {
  ls_dtype type; /* LS_NONE: unweighted */
  f64 lo, hi;
  bool timed;
  f64 tlo, thi; /* whole numbers, 0 <= tlo <= thi <= 2^53 */
} ls_gen_weights;

/* R-MAT: 2^scale vertices, degree * 2^scale edges; a + b + c + d = 1 (Graph500: .57 .19 .19 .05), ids
 * scrambled by a bijection. Chakrabarti, Zhan, Faloutsos 2004. */
ls_status ls_gen_rmat(u32 scale, f64 degree, f64 a, f64 b, f64 c, u64 seed, ls_gen_weights w, ls_graph **out);
ls_status ls_gen_uniform(u32 n, u64 m, u64 seed, ls_gen_weights w, ls_graph **out); /* m independent pairs */
ls_status ls_gen_power_law(u32 n, f64 degree, f64 exponent, u64 seed, ls_gen_weights w, ls_graph **out);
ls_status ls_gen_ring(u32 n, u64 seed, ls_gen_weights w, ls_graph **out);
ls_status ls_gen_path(u32 n, u64 seed, ls_gen_weights w, ls_graph **out);
ls_status ls_gen_star(u32 n, bool inward, u64 seed, ls_gen_weights w, ls_graph **out);
ls_status ls_gen_complete(u32 n, u64 seed, ls_gen_weights w, ls_graph **out);
/* rows x cols; each street is two-way or, with probability one_way, a single edge in a random direction.
 * wrap: a torus; a side of one or two vertices does not wrap. */
ls_status ls_gen_grid(u32 rows, u32 cols, bool wrap, f64 one_way, u64 seed, ls_gen_weights w, ls_graph **out);
/* Similar to a road network: mean degree 2.44, connected, a diameter of about 1.3 sqrt(n) hops; see road.c.
 */
ls_status ls_gen_road(u32 n, u64 seed, ls_gen_weights w, ls_graph **out);
ls_status ls_gen_dag(u32 n, u64 m, u64 seed, ls_gen_weights w,
                     ls_graph **out); /* edges lead forwards in a random order of the vertices */
ls_status ls_gen_copies(ls_graph *g, u32 k, ls_graph **out); /* k disjoint copies */

#endif
