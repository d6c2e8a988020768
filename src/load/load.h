/* Reading and writing graphs: one file a format behind one table.
 *
 * A format is recognised by its extension, or, failing that and for standard input ("-"), by the first
 * bytes. A name that ends in .gz is decompressed on the way. A failure names the file, the line (or the byte
 * of a binary file), what was expected and what was found, and leaves nothing behind. */
#ifndef LS_LOAD_LOAD_H
#define LS_LOAD_LOAD_H

#include "data/graph.h"

struct ls_source; /* load/source.h */
struct ls_sink;   /* load/sink.h */

typedef struct ls_load_options {
  ls_dtype weights;  /* LS_NONE: the loader picks (i32 when all fit, else i64, else f64) */
  bool drop_weights; /* read none even where the file has them */
  bool scaled; /* decimal weights are stored as integers, by the least power of ten that makes all exact */
  f64 scale;   /* 0: none; else decimal weights are stored as integers, weight * scale, if exact; a
                * positive whole number */
  const char *format; /* NULL: recognise */
  bool verify;        /* of .lsg: check all contents by their checksums, and the transpose, however large */
} ls_load_options;

typedef struct ls_format {
  const char *name;                                   /* "gr" */
  const char *extensions;                             /* ".gr" ; several are separated by a space */
  const char *doc;                                    /* one line for help */
  bool (*looks_like)(const char *head, size_t bytes); /* by the first bytes; NULL: never */
  ls_status (*load)(struct ls_source *, const ls_load_options *, ls_graph **out);
  ls_status (*save)(const ls_graph *, struct ls_sink *); /* arrays are on the host */
  bool times;                                            /* it holds the edges' times too */
} ls_format;

const ls_format *ls_format_at(size_t i);              /* the table; NULL behind its end */
const ls_format *ls_format_find(const char *name);    /* NULL where none has the name */
const ls_format *ls_format_of_path(const char *path); /* by the extension; likewise */

/* o NULL: as all zeros with weights LS_NONE. Both work where they are called, for as long as it takes: the
 * caller may use ls_work. They show progress and end with LS_EINTERRUPTED when ls_interrupted. */
ls_status ls_graph_load(const char *path, const ls_load_options *o, ls_graph **out);
/* format NULL: by the extension. Written beside and renamed, so that a full disk costs no old file. "-" is
 * standard output. */
ls_status ls_graph_save(ls_graph *g, const char *path, const char *format);

#endif
