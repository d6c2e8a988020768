/* A state: the buffers of a schema, of sizes that a graph gives, or whoever makes the state. What an
 * algorithm works on. */
#ifndef LS_RUN_STATE_H
#define LS_RUN_STATE_H

#include "data/graph.h"
#include "run/sizes.h"

typedef struct ls_state {
  const ls_schema *schema;
  ls_graph *graph; /* NULL: none */
  ls_sizes sizes;  /* all that the schema names, in its order */
  ls_dtype type;   /* what LS_W stands for; LS_NONE: nothing, without a graph */
  ls_buffer *buffers[LS_MAX_FIELDS];
  bool closed;
} ls_state;

/* The sizes that a schema's extents name, in their order; the build sees that they are not more. */
enum { LS_SCHEMA_SIZES = 8 };
int ls_schema_sizes(const ls_schema *schema, ls_size_name out[LS_SCHEMA_SIZES]);
bool ls_graph_gives_size(ls_size_name name); /* n or m */

/* Makes the buffers (their memory comes when it is first used) after checking that the current device has
 * room for all of them; the fields start as the schema says. A field whose extent is a product of two sizes
 * is a matrix. g: NULL or a graph, which gives n and m; all other sizes are in `given` (NULL: there are
 * none). LS_EARG: one is missing or one too many, or a type that the schema does not take. type LS_NONE: the
 * graph's weight type (i32 where it has none), or, where the schema does not take that, i64 for integers and
 * f64 for reals; without a graph the schema's only one. */
ls_status ls_state_new(const ls_schema *schema, ls_graph *g, const ls_sizes *given, ls_dtype type,
                       ls_state **out);
void ls_state_close(ls_state *s); /* gives the buffers back */
void ls_state_free(ls_state *s);
ls_buffer *ls_state_field(const ls_state *s, const char *name); /* NULL: none of that name */
bool ls_state_size(const ls_state *s, const char *name, u64 *out);
/* "vars 8, cells 5000": the sizes that no graph has given; "" where there are none. */
enum { LS_SIZES_TEXT = 256 };
const char *ls_state_sizes_text(const ls_state *s, char out[LS_SIZES_TEXT]);

/* The graph's transpose, made on the current device where that is quicker than on the host. With weights and
 * times only on the host. */
ls_status ls_transpose_here(ls_graph *g, bool weights);

#endif
