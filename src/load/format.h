/* A graph format: how it is recognised, loaded and saved. load.c has a table of all. */
#ifndef LS_LOAD_FORMAT_H
#define LS_LOAD_FORMAT_H

#include "data/graph.h"

struct ls_source; /* core/source.h */
struct ls_sink;   /* core/sink.h */

typedef struct ls_load_options {
  ls_dtype weights;  /* LS_NONE: the loader picks (i32 when all fit, else i64, else f64) */
  bool drop_weights; /* ignore the weights of the file */
  bool scaled; /* store decimal weights as integers, times the least power of ten that makes all exact */
  f64 scale;   /* 0: none; else store decimal weights as integers, weight * scale, which must be exact;
                * the scale is a positive whole number */
  const char *format; /* name of the format; NULL: recognise it */
  bool verify;   /* for .lsg: check the checksums of all contents, and the transpose, even of a large file */
  bool in_parts; /* for an uncompressed .lsg: read only the header now, parts by ls_lsg_rows, and the whole
                  * file when its arrays are used as a whole */
  bool based;    /* for an edge list: ids count from `base`, whatever the file's header says */
  u32 base;      /* 0 or 1 */
  char *notes;   /* [LS_LOAD_NOTES], initially "": what the loader assumed, one line each; NULL: not wanted */
} ls_load_options;

enum { LS_LOAD_NOTES = 2048 };
/* Adds a line to the notes; drops it if there is no room. */
void ls_load_note(const ls_load_options *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

typedef struct ls_format {
  const char *name;                                   /* "gr" */
  const char *extensions;                             /* ".gr" ; several are separated by a space */
  const char *doc;                                    /* one line for help */
  bool (*looks_like)(const char *head, size_t bytes); /* recognises the first bytes; NULL: never */
  ls_status (*load)(struct ls_source *, const ls_load_options *, ls_graph **out);
  ls_status (*save)(const ls_graph *, struct ls_sink *); /* arrays are on the host; NULL: read-only */
  bool times;                                            /* it can store the times of edges */
  bool bases;                                            /* it takes the option `base` */
} ls_format;

#endif
