/* Reads and writes vectors and matrices. The ending of the file name determines the format: NumPy's .npy, the
 * array form of Matrix Market (.mtx), .csv and .txt (one row per line), .bin (raw bytes). With a further .gz
 * the file is compressed. */
#ifndef LS_LOAD_ARRAY_H
#define LS_LOAD_ARRAY_H

#include "data/buffer.h"
#include "data/reduce.h"

typedef struct ls_array_options {
  ls_dtype type;         /* LS_NONE: the file's own; for text i32 if all values fit, else i64, else f64 */
  u64 cols;              /* for .bin, which does not store it; 0: a vector */
  u64 from, to;          /* for .npy and .bin: only the rows [from, to); both 0: all rows */
  const ls_number *none; /* for .csv: the value of an empty field; NULL: an empty field is an error */
} ls_array_options;

/* The message of a failure names the file, the line (of a text), what was expected and what was found. Runs
 * on the calling thread for as long as it takes (see ls_work); LS_EINTERRUPTED if ls_interrupted. */
ls_status ls_array_load(const char *path, const ls_array_options *o, ls_buffer **out);

/* p: the contents of b, on the host. The file is replaced only if writing succeeds. none: for .csv, elements
 * of this value become empty fields; NULL: all are written. */
ls_status ls_array_save(const ls_buffer *b, const void *p, const char *path, const ls_number *none);

/* A file that is written some rows at a time: .npy, .csv, .txt or .bin, also with .gz. cols 0: a vector. */
typedef struct ls_array_writer ls_array_writer;
ls_status ls_array_begin(const char *path, ls_dtype type, u64 rows, u64 cols, const ls_number *none,
                         ls_array_writer **out);
ls_status ls_array_put(ls_array_writer *w, const void *p, u64 rows); /* the next rows */
/* Renames the temporary file to the path if st is LS_OK and all rows were put; else removes it. Frees the
 * writer. */
ls_status ls_array_end(ls_array_writer *w, ls_status st);

#endif
