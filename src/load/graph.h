/* Checks, conversions and the construction of graphs, shared by the loaders. */
#ifndef LS_LOAD_GRAPH_H
#define LS_LOAD_GRAPH_H

#include "load/format.h"
#include "core/source.h"

/* LS_EMEM, with the bytes wanted and present, if the machine lacks the memory for such a graph: a file of
 * thirty bytes may announce four billion vertices. */
ls_status ls_load_room(const ls_source *s, u64 n, u64 m, ls_dtype wtype);

/* Maximum size of a graph in bytes; 0 (initially): the machine's memory. For tests and fuzzing. */
extern u64 ls_load_most_bytes;

/* A .lsg of at least this many bytes is mapped, a smaller one is read; 64 MiB except in tests. */
extern u64 ls_lsg_map_bytes;

/* Creates the graph, named after its file, with label_base and the scale of the options. Takes ownership of
 * the arrays, also on failure. */
ls_status ls_load_finish(const ls_source *s, const ls_load_options *o, u32 n, u64 m, u32 *off, u32 *to,
                         void *w, ls_dtype wtype, i64 label_base, ls_graph **out);

/* Reads `count` elements of `size` bytes into a new array, which grows as data arrives if the file's size is
 * unknown. what: its name for the message if the input ends early. */
ls_status ls_load_array(ls_source *s, u64 count, size_t size, const char *what, void **out);

/* Checks that `off` has valid row offsets of m edges, and that all targets in `to` are below n; the message
 * names the first error. Runs in parallel. at, to_at: positions of `off` and `to` in the file, in bytes. */
ls_status ls_load_check_rows(const char *path, u32 n, u64 m, const u32 *off, u64 at, const u32 *to,
                             u64 to_at);

/* Check `count` edges, whose values are at the pointer and whose numbers begin at `first`: all targets are
 * below n, all weights finite, no time negative. at: the byte of the file where the array of all edges
 * begins. The message names the first wrong edge. */
ls_status ls_load_check_ends(const char *path, u64 at, u64 first, u64 count, u32 n, const u32 *to);
ls_status ls_load_check_weights(const char *path, u64 at, u64 first, u64 count, ls_dtype type, const void *w);
ls_status ls_load_check_times(const char *path, u64 at, u64 first, u64 count, ls_dtype type, const void *t);

/* Checks that roff, rto, rw and rt are the transpose of off, to, w and t; both have been checked as above.
 * The order of edges in a row is free, because the rows of a reversed graph are the transpose of another
 * graph. The message names the first vertex whose edges differ. */
ls_status ls_load_check_transpose(const char *path, const ls_graph *g);

/* Is this a valid scale of weights, a positive whole number up to 1e18? */
bool ls_load_is_scale(f64 scale);

/* Converts the m weights w of a binary file, of type `from` and at byte `at`, to the type and scale of the
 * options. *out is a new array, or `w` itself if nothing changes, or NULL on failure: LS_EINPUT if the type
 * can't hold a weight exactly (reals may be rounded to f32). */
ls_status ls_load_convert(const char *path, u64 at, u64 m, ls_dtype from, void *w, const ls_load_options *o,
                          ls_dtype *type, void **out);

#endif
