/* A state: the buffers of a schema for one graph. What an algorithm works on. */
#ifndef LS_RUN_STATE_H
#define LS_RUN_STATE_H

#include "data/graph.h"
#include "run/row.h"

typedef struct ls_state {
  const ls_schema *schema;
  ls_graph *graph;
  ls_dtype type; /* what LS_W stands for */
  ls_buffer *buffers[LS_MAX_FIELDS];
  bool closed;
} ls_state;

/* Makes the buffers (their memory comes when it is first used) after checking that the current device has
 * room for all of them; the fields start as the schema says. type: one that the schema takes, else LS_EARG;
 * LS_NONE: the graph's weight type (i32 where it has none), or, where the schema does not take that, i64 for
 * integers and f64 for reals. */
ls_status ls_state_new(const ls_schema *schema, ls_graph *g, ls_dtype type, ls_state **out);
void ls_state_close(ls_state *s); /* gives the buffers back */
void ls_state_free(ls_state *s);
ls_buffer *ls_state_field(const ls_state *s, const char *name); /* NULL: none of that name */

/* The graph's transpose, made on the current device where that is quicker than on the host. With weights and
 * times only on the host. */
ls_status ls_transpose_here(ls_graph *g, bool weights);

#endif
