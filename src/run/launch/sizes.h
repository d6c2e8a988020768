/* The sizes of a call: the values of n, m and the other names in a row's extents. */
#ifndef LS_RUN_SIZES_H
#define LS_RUN_SIZES_H

#include "core/extent.h"
#include "run/launch/dispatch.h"

enum { LS_MAX_SIZES = LS_MAX_ARGS }; /* the build checks that no row has more */

typedef struct ls_sizes {
  int count;
  struct {
    const char *name; /* not NUL-terminated */
    size_t len;
    u64 value;
  } size[LS_MAX_SIZES];
} ls_sizes;

/* Checks the types and extents of a call's arguments against its row and each other; finds the sizes. */
ls_status ls_sizes_solve(const ls_call *c, ls_sizes *out);
/* Does the call write every element of argument i, independent of the old contents? (Not if n is 0: then it
 * writes nothing.) */
bool ls_call_makes(const ls_call *c, const ls_sizes *s, int i);
/* A size by name; `missing` if there is none. */
u64 ls_sizes_get(const ls_sizes *s, const char *name, u64 missing);

/* Number of elements of an extent. LS_EARG: a size is unknown, or overflow. */
ls_status ls_extent_elements(const ls_sizes *s, const char *extent, u64 *out);
/* The shape of an extent: a product of exactly two sizes is a matrix, *rows by *cols; anything else is a
 * vector, *cols = 0. */
ls_status ls_extent_shape(const ls_sizes *s, const char *extent, u64 *rows, u64 *cols);
bool ls_sizes_find(const void *sizes, ls_size_name name, u64 *value); /* an ls_size_of */
/* Adds the sizes that follow from the lengths of a row's buffers. buffers NULL: only the names matter, each
 * size is 1. (The build has checked that all sizes of every row follow.) */
void ls_sizes_follow(const ls_prim *p, ls_buffer *const *buffers, ls_sizes *s);
void ls_sizes_set(ls_sizes *s, const char *name, size_t len, u64 value);

#endif
