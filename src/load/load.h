/* Reading and writing graphs: one file a format behind one table.
 *
 * A format is recognised by its extension, or, failing that and for standard input ("-"), by the first
 * bytes. A name that ends in .gz is decompressed on the way. A failure names the file, the line (or the byte
 * of a binary file), what was expected and what was found, and leaves nothing behind. */
#ifndef LS_LOAD_LOAD_H
#define LS_LOAD_LOAD_H

#include "data/graph.h"

typedef struct ls_load_options {
  ls_dtype weights;   /* LS_NONE: the loader picks (i32 when all fit, else i64, else f64) */
  bool drop_weights;  /* read none even where the file has them */
  f64 scale;          /* 0: none; else decimal weights are stored as integers, weight * scale, if exact */
  const char *format; /* NULL: recognise */
} ls_load_options;

typedef struct ls_format {
  const char *name;          /* "gr" */
  const char *extensions;    /* ".gr" ; several are separated by a space */
  const char *doc;           /* one line for help */
  bool (*looks_like)(const char *head, size_t bytes); /* by the first bytes; NULL: never */
  ls_status (*load)(const char *path, const ls_load_options *o, ls_graph **out);
  ls_status (*save)(const ls_graph *g, const char *path); /* NULL: no saver */
} ls_format;

/* The table, ended by a format without a name. */
extern const ls_format ls_formats[];

ls_status ls_graph_load(const char *path, const ls_load_options *o, ls_graph **out);
/* format NULL: by the extension. Written beside and renamed, so that a full disk costs no old file. */
ls_status ls_graph_save(ls_graph *g, const char *path, const char *format);

#endif
