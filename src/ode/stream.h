/* A table of numbers that is written to a file row by row, so that the results of a simulation can be read
 * while it runs, and also after a crash. The rows go to FILE.part, which is renamed to FILE when the stream
 * is closed, so that a run that ends early never destroys an older file. Unlike in core/atomic_file.h this
 * name is fixed, so that a run from a checkpoint finds the rows. A device or pipe is written directly, and so
 * is a part of another file. */
#ifndef LS_ODE_STREAM_H
#define LS_ODE_STREAM_H

#include <stdio.h>

#include "core/error.h"
#include "core/types.h"

typedef struct ls_stream ls_stream;

/* The layout of a file. */
typedef struct ls_stream_form {
  u32 columns;
  const char *const *names; /* [columns]; not used by .npy */
  u64 group;      /* 0, or rows per group: .npy then has three dimensions, groups x rows x columns */
  const char *of; /* NULL, or the file to which this one will be appended: its name determines the format, and
                     this file has only rows, without a header */
} ls_stream_form;

/* A position in a stream. */
typedef struct ls_stream_place {
  u64 bytes, rows;
} ls_stream_place;

/* Opens FILE for writing. Its name determines the format: .csv, with the names as first line, or .npy, whose
 * header is updated about once a second and at the end. If `place` is not NULL, continues a file of the same
 * form at that position: FILE.part if it is long enough, else a copy of FILE. LS_EARG: the name ends in
 * neither .csv nor .npy; LS_EINPUT: the file has a different header or is too short; LS_EIO, LS_EMEM. */
ls_status ls_stream_open(const char *path, const ls_stream_form *form, const ls_stream_place *place,
                         ls_stream **out);
/* Appends the row x[columns]. After LS_EIO all further calls return LS_EIO. */
ls_status ls_stream_row(ls_stream *s, const f64 *x);
/* Writes all rows to the file, which otherwise happens about once a second. */
ls_status ls_stream_flush(ls_stream *s);
/* Appends the `rows` rows of the file `part`, which was written with ls_stream_form.of. LS_EIO, LS_EINPUT,
 * LS_EINTERRUPTED. */
ls_status ls_stream_append(ls_stream *s, const char *part, u64 rows);
u64 ls_stream_rows(const ls_stream *s);
/* Flushes, then gives the position. */
ls_status ls_stream_tell(ls_stream *s, ls_stream_place *out);
u32 ls_stream_columns(const ls_stream *s);
/* Renames FILE.part to FILE and frees s. If that or an earlier write failed (LS_EIO), FILE is unchanged, and
 * s is freed all the same. NULL is fine. */
ls_status ls_stream_close(ls_stream *s);
/* Frees s, but leaves FILE unchanged: FILE.part keeps the rows so far, and is removed if there are none. */
ls_status ls_stream_leave(ls_stream *s);

/* Writes a field of a CSV line, quoted if necessary. */
void ls_stream_name(FILE *f, const char *name);

#endif
