/* Reads and writes graphs in several formats: one source file per format, and one table.
 *
 * A format is recognised by its extension or, if that fails and for standard input ("-"), by the first bytes.
 * A file whose name ends in .gz is decompressed. The message of a failure names the file, the line (or the
 * byte of a binary file), what was expected and what was found; there is no partial result. */
#ifndef LS_LOAD_LOAD_H
#define LS_LOAD_LOAD_H

#include "load/format.h"

const ls_format *ls_format_at(size_t i);              /* the i-th of the table; NULL after the last */
const ls_format *ls_format_find(const char *name);    /* by name; NULL: there is none */
const ls_format *ls_format_of_path(const char *path); /* by extension; NULL: there is none */

/* o NULL: all options are zero, weights LS_NONE. Both functions run on the calling thread for as long as they
 * take (see ls_work), show progress, and return LS_EINTERRUPTED if ls_interrupted. */
ls_status ls_graph_load(const char *path, const ls_load_options *o, ls_graph **out);
/* format NULL: chosen by the extension. Writes a temporary file and then renames it, so that a full disk
 * never destroys an old file. "-" is standard output. */
ls_status ls_graph_save(ls_graph *g, const char *path, const char *format);

/* Is this graph a .lsg that was opened in parts? *checksum is that of its header, which identifies the file.
 */
bool ls_lsg_in_parts(const ls_graph *g, u64 *checksum);
bool ls_lsg_in_edges(const ls_graph *g); /* was g opened in parts from a file that has the transpose? */
/* The offset of row v <= n of such a graph, as in the file, unchecked. */
u32 ls_lsg_offset(const ls_graph *g, u32 v);
/* Like ls_graph_rows (in_edges: of the reversed graph), but reads and checks only these rows. *edge: the
 * number of the first edge in g. */
ls_status ls_lsg_rows(const ls_graph *g, u32 first, u32 past, bool in_edges, ls_graph **out, u64 *edge);

/* The rows [first, past) of one reader, which have the edges [low, high); last: no rows follow. */
typedef struct ls_lsg_part {
  u32 first, past;
  u64 low, high;
  bool last;
} ls_lsg_part;
enum { LS_LSG_SUM = 5, LS_LSG_SUMS = 5 * LS_LSG_SUM };
/* Computes what a reader of these rows contributes to the checksums of the arrays (in_edges: of the
 * transpose). */
ls_status ls_lsg_sums(const ls_graph *g, const ls_lsg_part *p, bool in_edges, u64 out[LS_LSG_SUMS]);
/* Verifies the checksums of a file that `count` readers have read, each a range of rows. all: their
 * contributions (ls_lsg_sums), in the order of rows. LS_EINPUT: the file is damaged, or the readers have
 * different files. */
ls_status ls_lsg_check_sums(const ls_graph *g, bool in_edges, const u64 *all, int count);

#endif
