/* Builds graphs in parallel, from generators that define one edge or one row at a time. */
#ifndef LS_GEN_MAKE_H
#define LS_GEN_MAKE_H

#include "gen/gen.h"

/* The uses of a seed, each with its own key. */
enum { LS_USE_WEIGHT, LS_USE_EDGE, LS_USE_SOURCE, LS_USE_TARGET, LS_USE_ORDER, LS_USE_TIME };

typedef struct ls_make {
  const char *name; /* the graph's */
  u32 n;
  u64 seed;
  ls_gen_weights weights;
  const void *arg; /* the generator's parameters */
  /* Position of the weight of v -> u in the range, as a fraction of 2^64; NULL: random. Only for
   * ls_make_from_rows. */
  u64 (*draw)(const void *arg, u32 v, u32 u);
  /* The row function of a generator whose i32 weights and times (if weights.timed) are not drawn: also writes
   * these, if w and t are not NULL. Only for ls_make_from_rows, whose `row` is then NULL. */
  u32 (*worth)(const void *arg, u32 v, u32 *to, i32 *w, i32 *t);
} ls_make;

/* m edges, the e-th from edge(arg, e, ...), sorted into rows. */
typedef void (*ls_make_edge)(const void *arg, u64 e, u32 *u, u32 *v);
ls_status ls_make_from_edges(const ls_make *k, u64 m, ls_make_edge edge, ls_graph **out);

/* Rows in the order given: row returns the out-degree of v and, if `to` is not NULL, writes the targets. */
typedef u32 (*ls_make_row)(const void *arg, u32 v, u32 *to);
ls_status ls_make_from_rows(const ls_make *k, ls_make_row row, ls_graph **out);

/* LS_EARG if there are too many vertices or edges, LS_EMEM if `bytes` are not available. To be called before
 * anything is allocated, because a machine that overcommits memory would kill the process later. */
ls_status ls_make_room(const char *name, u64 n, u64 m, u64 bytes);

/* Runs body(arg, first, last) over blocks of 0 .. count-1 in parallel, with progress. Fails with
 * LS_EINTERRUPTED. */
ls_status ls_make_blocks(const char *what, u64 count, void (*body)(void *arg, u64 first, u64 last),
                         void *arg);

#endif
