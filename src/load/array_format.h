/* What the readers of array files share, and what array.c calls of them. */
#ifndef LS_LOAD_ARRAY_FORMAT_H
#define LS_LOAD_ARRAY_FORMAT_H

#include "core/source.h"
#include "data/buffer.h"
#include "data/reduce.h"

/* The rest of a source in memory; behind it stand '\n' and 0. To be given to ls_free. */
ls_status ls_array_bytes(ls_source *s, char **out, size_t *bytes);

/* Rows of a binary file: those from .. to - 1 (both 0: all), of `rows` that follow. */
ls_status ls_array_read_elements(ls_source *s, ls_dtype type, u64 rows, u64 cols, u64 from, u64 to,
                                 ls_buffer **out);

ls_status ls_array_read_npy(ls_source *s, ls_dtype type, u64 from, u64 to, ls_buffer **out);
ls_status ls_array_read_mtx(ls_source *s, ls_dtype type, ls_buffer **out);
/* .csv, .txt. none: what an empty field of .csv is read as; NULL: it is an error */
ls_status ls_array_read_lines(ls_source *s, ls_dtype type, bool csv, const ls_number *none, ls_buffer **out);

/* The elements of `from`, which the file holds as they are, in the type that is wanted: out is from, or a new
 * buffer (from is released). LS_EARG: one does not fit. */
ls_status ls_array_as(ls_buffer *from, ls_dtype type, ls_buffer **out);

#endif
