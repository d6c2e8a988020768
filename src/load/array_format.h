/* The readers of array files, which array.c calls, and what they share. */
#ifndef LS_LOAD_ARRAY_FORMAT_H
#define LS_LOAD_ARRAY_FORMAT_H

#include "core/source.h"
#include "data/buffer.h"
#include "data/reduce.h"

/* The rest of a binary file consists of `rows` rows: reads the rows [from, to) of them (both 0: all). */
ls_status ls_array_read_elements(ls_source *s, ls_dtype type, u64 rows, u64 cols, u64 from, u64 to,
                                 ls_buffer **out);

ls_status ls_array_read_npy(ls_source *s, ls_dtype type, u64 from, u64 to, ls_buffer **out);
ls_status ls_array_read_mtx(ls_source *s, ls_dtype type, ls_buffer **out);
/* Reads .csv or .txt. none: the value of an empty field of .csv; NULL: an empty field is an error. */
ls_status ls_array_read_lines(ls_source *s, ls_dtype type, bool csv, const ls_number *none, ls_buffer **out);

/* Converts `from` to the type; LS_NONE: converts nothing. *out is `from` itself or a new buffer. If it
 * is a new buffer, and on failure, `from` is released. LS_EARG: an element does not fit. */
ls_status ls_array_as(ls_buffer *from, ls_dtype type, ls_buffer **out);

#endif
