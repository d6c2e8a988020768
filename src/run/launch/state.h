/* A state, on which an algorithm works: the buffers of a schema. Their sizes come from a graph, or are
 * given. */
#ifndef LS_RUN_STATE_H
#define LS_RUN_STATE_H

#include "data/graph.h"
#include "run/launch/sizes.h"

typedef struct ls_state {
  const ls_schema *schema;
  ls_graph *graph; /* NULL: none */
  ls_sizes sizes;  /* all sizes that the schema names, in its order */
  ls_dtype type;   /* of the fields declared with LS_W; LS_NONE: no field is, and there is no graph */
  ls_buffer *buffers[LS_MAX_FIELDS];
} ls_state;

/* The sizes that a schema's extents name, in their order; the build checks that there are not more. */
enum { LS_SCHEMA_SIZES = 8 };
int ls_schema_sizes(const ls_schema *schema, ls_size_name out[LS_SCHEMA_SIZES]);
bool ls_graph_gives_size(ls_size_name name); /* n or m */

/* Creates the buffers (their memory is allocated on first use) after checking that the current device has
 * room for all of them; the fields start with the contents that the schema says. A field whose extent is a
 * product of two sizes is a matrix. g: NULL, or a graph, which gives n and m; all other sizes are in `given`
 * (NULL: none). LS_EARG: a size is missing or not one of the schema's, or the schema does not take the type.
 * type LS_NONE: the graph's weight type (i32 if it has none) or, if the schema does not take that, i64 for
 * integers and f64 for reals; without a graph, the only type of the schema. */
ls_status ls_state_new(const ls_schema *schema, ls_graph *g, const ls_sizes *given, ls_dtype type,
                       ls_state **out);
void ls_state_free(ls_state *s);
ls_buffer *ls_state_field(const ls_state *s, const char *name); /* NULL: none of that name */
bool ls_state_size(const ls_state *s, const char *name, u64 *out);
/* "vars 8, cells 5000": the sizes that do not come from a graph; "" if there are none. */
enum { LS_SIZES_TEXT = 256 };
const char *ls_state_sizes_text(const ls_state *s, char out[LS_SIZES_TEXT]);

/* Makes the graph's transpose, on the current device if that is faster than on the host. `weights`: also
 * transposes weights and times, always on the host. */
ls_status ls_transpose_here(ls_graph *g, bool weights);

#endif
