/* What all loaders end with. */
#ifndef LS_LOAD_GRAPH_H
#define LS_LOAD_GRAPH_H

#include "load/format.h"
#include "core/source.h"

/* Is there memory for such a graph at all? A file of thirty bytes may announce four thousand million
 * vertices. LS_EMEM with the bytes wanted and present. */
ls_status ls_load_room(const ls_source *s, u64 n, u64 m, ls_dtype wtype);

/* The bytes a graph may take; 0 (the start): the machine's memory. For tests and fuzzing. */
extern u64 ls_load_most_bytes;

/* A .lsg of at least so many bytes is mapped, smaller ones are read; 64 MiB but in tests. */
extern u64 ls_lsg_map_bytes;

/* Takes the arrays over (also on failure), names the graph after its file, keeps base and scale. */
ls_status ls_load_finish(const ls_source *s, const ls_load_options *o, u32 n, u64 m, u32 *off, u32 *to,
                         void *w, ls_dtype wtype, i64 label_base, ls_graph **out);

/* Reads `count` elements of `size` bytes (4 or 8) into a new array, growing it as the data comes where the
 * file's size is unknown. `what` names it in the message if the input ends early. */
ls_status ls_load_array(ls_source *s, u64 count, size_t size, const char *what, void **out);

/* Are these the offsets of m edges, ends below n? Says which is wrong first. In parallel; `at` is the byte
 * where off begins, `to_at` where the ends do. */
ls_status ls_load_check_rows(const char *path, u32 n, u64 m, const u32 *off, u64 at, const u32 *to,
                             u64 to_at);

/* Of `count` edges from `first` on, whose values lie at the pointer, and whose array begins at byte `at` of
 * the file: do all lead to vertices below n, are all weights finite numbers, is no time negative? Says which
 * edge is wrong first. */
ls_status ls_load_check_ends(const char *path, u64 at, u64 first, u64 count, u32 n, const u32 *to);
ls_status ls_load_check_weights(const char *path, u64 at, u64 first, u64 count, ls_dtype type, const void *w);
ls_status ls_load_check_times(const char *path, u64 at, u64 first, u64 count, ls_dtype type, const void *t);

/* Do roff, rto, rw and rt tell the same edges as off, to, w and t? Both have been checked as above. In which
 * order a row tells them is free: the rows of a reversed graph are another's transpose. Says at which vertex
 * they differ first. */
ls_status ls_load_check_transpose(const char *path, const ls_graph *g);

/* What a weight may have been multiplied by: a positive whole number up to 1e18. */
bool ls_load_is_scale(f64 scale);

/* Weights of a binary file, m of type `from` at byte `at`, in the type that the options ask for, and scaled.
 * *out is a new array, or `w` itself where nothing changes, or NULL on failure: a weight that the type can't
 * hold exactly. */
ls_status ls_load_convert(const char *path, u64 at, u64 m, ls_dtype from, void *w, const ls_load_options *o,
                          ls_dtype *type, void **out);

#endif
