/* A graph format: how it is recognised, loaded and saved. load.c joins them. */
#ifndef LS_LOAD_FORMAT_H
#define LS_LOAD_FORMAT_H

#include "data/graph.h"

struct ls_source; /* core/source.h */
struct ls_sink;   /* core/sink.h */

typedef struct ls_load_options {
  ls_dtype weights;  /* LS_NONE: the loader picks (i32 when all fit, else i64, else f64) */
  bool drop_weights; /* read none even where the file has them */
  bool scaled; /* decimal weights are stored as integers, by the least power of ten that makes all exact */
  f64 scale;   /* 0: none; else decimal weights are stored as integers, weight * scale, if exact; a
                * positive whole number */
  const char *format; /* NULL: recognise */
  bool verify;        /* of .lsg: check all contents by their checksums, and the transpose, however large */
  bool in_parts; /* of an uncompressed .lsg: nothing but its header is read; parts of it by ls_lsg_rows, and
                  * all when all is used */
  bool based;    /* of an edge list: ids count from `base`, whatever the file's header says */
  u32 base;      /* 0 or 1 */
  char *notes;   /* [LS_LOAD_NOTES], "" at first: what the loader took for granted, one line each; NULL:
                    unwanted */
} ls_load_options;

enum { LS_LOAD_NOTES = 2048 };
/* Adds a line to the notes; drops it if there is no room. */
void ls_load_note(const ls_load_options *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

typedef struct ls_format {
  const char *name;                                   /* "gr" */
  const char *extensions;                             /* ".gr" ; several are separated by a space */
  const char *doc;                                    /* one line for help */
  bool (*looks_like)(const char *head, size_t bytes); /* by the first bytes; NULL: never */
  ls_status (*load)(struct ls_source *, const ls_load_options *, ls_graph **out);
  ls_status (*save)(const ls_graph *, struct ls_sink *); /* arrays are on the host; NULL: it is only read */
  bool times;                                            /* it holds the edges' times too */
  bool bases;                                            /* it takes the option `base` */
} ls_format;

#endif
