/* How generators build: they say what one edge or one row is, and this builds the graph in parallel. */
#ifndef LS_GEN_MAKE_H
#define LS_GEN_MAKE_H

#include "gen/gen.h"

/* What a seed is used for: one key each. */
enum { LS_USE_WEIGHT, LS_USE_EDGE, LS_USE_SOURCE, LS_USE_TARGET, LS_USE_ORDER, LS_USE_TIME };

typedef struct ls_make {
  const char *name; /* the graph's */
  u32 n;
  u64 seed;
  ls_gen_weights weights;
  const void *arg; /* the generator's parameters */
  /* Where v -> u has its weight in the range, as a fraction of 2^64; NULL: anywhere. For rows. */
  u64 (*draw)(const void *arg, u32 v, u32 u);
} ls_make;

/* m edges, the e-th from edge(arg, e, ...), sorted into rows. */
typedef void (*ls_make_edge)(const void *arg, u64 e, u32 *u, u32 *v);
ls_status ls_make_from_edges(const ls_make *k, u64 m, ls_make_edge edge, ls_graph **out);

/* Rows as they are: row returns v's out-degree and, where to is not NULL, writes the targets. */
typedef u32 (*ls_make_row)(const void *arg, u32 v, u32 *to);
ls_status ls_make_from_rows(const ls_make *k, ls_make_row row, ls_graph **out);

/* LS_EARG or LS_EMEM where that many vertices, edges or bytes can't be had: asked before anything is
 * allocated, since a machine that promises more memory than it has kills the process later. */
ls_status ls_make_room(const char *name, u64 n, u64 m, u64 bytes);

/* Runs body(arg, first, last) over blocks of 0 .. count-1 in parallel, with progress; LS_EINTERRUPTED. */
ls_status ls_make_blocks(const char *what, u64 count, void (*body)(void *arg, u64 first, u64 last),
                         void *arg);

#endif
