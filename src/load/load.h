/* Reading and writing graphs: one file a format behind one table.
 *
 * A format is recognised by its extension, or, failing that and for standard input ("-"), by the first
 * bytes. A name that ends in .gz is decompressed on the way. A failure names the file, the line (or the byte
 * of a binary file), what was expected and what was found, and leaves nothing behind. */
#ifndef LS_LOAD_LOAD_H
#define LS_LOAD_LOAD_H

#include "load/format.h"

const ls_format *ls_format_at(size_t i);              /* the table; NULL behind its end */
const ls_format *ls_format_find(const char *name);    /* NULL where none has the name */
const ls_format *ls_format_of_path(const char *path); /* by the extension; likewise */

/* o NULL: as all zeros with weights LS_NONE. Both work where they are called, for as long as it takes: the
 * caller may use ls_work. They show progress and end with LS_EINTERRUPTED when ls_interrupted. */
ls_status ls_graph_load(const char *path, const ls_load_options *o, ls_graph **out);
/* format NULL: by the extension. Written beside and renamed, so that a full disk costs no old file. "-" is
 * standard output. */
ls_status ls_graph_save(ls_graph *g, const char *path, const char *format);

/* A .lsg that was opened in parts: is this graph one? *checksum is its header's, which no two files share. */
bool ls_lsg_in_parts(const ls_graph *g, u64 *checksum);
bool ls_lsg_in_edges(const ls_graph *g); /* and the file has its transpose */
u32 ls_lsg_offset(const ls_graph *g,
                  u32 v); /* of such a graph: offset v <= n, as the file has it, unchecked */
/* As ls_graph_rows, and of its reversal; only these rows are read and checked. *edge: the first edge's number
 * in g. */
ls_status ls_lsg_rows(const ls_graph *g, u32 first, u32 past, bool in_edges, ls_graph **out, u64 *edge);

/* The rows first to past - 1, whose edges are low to high - 1; last: no reader comes behind. */
typedef struct ls_lsg_part {
  u32 first, past;
  u64 low, high;
  bool last;
} ls_lsg_part;
enum { LS_LSG_SUM = 5, LS_LSG_SUMS = 5 * LS_LSG_SUM };
/* What a reader of these rows finds for the checksums of their arrays (of in-edges or not). */
ls_status ls_lsg_sums(const ls_graph *g, const ls_lsg_part *p, bool in_edges, u64 out[LS_LSG_SUMS]);
/* all: what `count` readers have found, in the order of their rows, which are all rows. Is the file as it was
 * written? */
ls_status ls_lsg_check_sums(const ls_graph *g, bool in_edges, const u64 *all, int count);

#endif
