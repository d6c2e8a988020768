/* A table of numbers that grows in its file, a row at a time: what a simulation has come to is there to be
 * read while it runs, and after whatever ends it. Until it is closed the rows are in FILE.part, which then
 * takes the place of FILE: so no run that ends early costs an older file. The name is fixed, unlike those of
 * core/replace.h, so that a run from a checkpoint finds the rows. What is no plain file (a device, a pipe) is
 * written in place, and so are the parts of other files. */
#ifndef LS_MODEL_STREAM_H
#define LS_MODEL_STREAM_H

#include <stdio.h>

#include "core/error.h"
#include "core/types.h"

typedef struct ls_stream ls_stream;

/* What the file has. */
typedef struct ls_stream_form {
  u32 columns;
  const char *const *names; /* of the columns; .npy has none */
  u64 group; /* 0, or how many rows belong together: .npy has three dimensions then, groups x rows x columns
              */
  const char *of; /* NULL, or the file to whose end this one will be appended: its name says the format, and
                     this one has rows alone, without what a file begins with */
} ls_stream_form;

/* Where a stream stood. */
typedef struct ls_stream_place {
  u64 bytes, rows;
} ls_stream_place;

/* The name says the format: .csv, with the names as first line, or .npy, whose rows are counted anew once a
 * second and at the end. With `place`, it goes on after what stood before that place in FILE.part if that is
 * long enough, else in FILE: a stream of that form has written it. LS_EARG: another name; LS_EINPUT: another
 * file; LS_EIO, LS_EMEM. */
ls_status ls_stream_open(const char *path, const ls_stream_form *form, const ls_stream_place *place,
                         ls_stream **out);
/* x: as many numbers as there are columns. LS_EIO, then and in each call after it. */
ls_status ls_stream_row(ls_stream *s, const f64 *x);
ls_status
ls_stream_flush(ls_stream *s); /* all rows are in the file now; else within a second or so of the next */
/* Puts the rows of such a file, of which there are so many, behind those of s. LS_EIO, LS_EINPUT,
 * LS_EINTERRUPTED. */
ls_status ls_stream_append(ls_stream *s, const char *part, u64 rows);
u64 ls_stream_rows(const ls_stream *s);
/* Where it stands, when all rows are in the file. */
ls_status ls_stream_tell(ls_stream *s, ls_stream_place *out);
u32 ls_stream_columns(const ls_stream *s);
/* Puts the file in its place and frees s, also where that or a write has failed (LS_EIO): then FILE is as it
 * was. NULL is fine. */
ls_status ls_stream_close(ls_stream *s);
/* The same, but FILE stays as it was: FILE.part keeps the rows so far, and is removed if there are none. */
ls_status ls_stream_leave(ls_stream *s);

/* A field of a line of CSV, in quotation marks where it needs them. */
void ls_stream_name(FILE *f, const char *name);

#endif
