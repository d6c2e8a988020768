/* Extents: how many elements a buffer has, as a sum of products of named sizes: "n+1", "3*n", "cells*vars",
 * "tiles*tiles*1024", "n*sources + 1". Values are u64; overflow is an error. */
#ifndef LS_CORE_EXTENT_H
#define LS_CORE_EXTENT_H

#include "core/error.h"
#include "core/types.h"

enum { LS_EXTENT_TERMS = 4, LS_EXTENT_NAMES = 4 /* of a term */ };

typedef struct ls_size_name {
  const char *text; /* not zero-terminated */
  u32 len;
} ls_size_name;

/* The sum of factor * name[0] * name[1] ... over the terms. */
typedef struct ls_extent {
  int terms;
  struct {
    u64 factor;
    int names;
    ls_size_name name[LS_EXTENT_NAMES];
  } term[LS_EXTENT_TERMS];
} ls_extent;

/* A size by its name; false: it is not known. */
typedef bool (*ls_size_of)(const void *ctx, ls_size_name name, u64 *value);

/* Reads an extent, whose names point into `text`. The message of LS_EARG says what is expected, and where. */
ls_status ls_extent_read(const char *text, ls_extent *out);

/* Like ls_extent_read, but each text is parsed only once and cached by its address: `text` must stay
 * unchanged. NULL if it is malformed. */
const ls_extent *ls_extent_of(const char *text);

/* LS_EARG: a size is not known, or the extent needs more than 64 bits. */
ls_status ls_extent_value(const ls_extent *x, ls_size_of size, const void *ctx, u64 *out);

/* How many of the extent's sizes are unknown: 0; 1, with its name, if it occurs in only one term, so that the
 * extent determines it; 2 otherwise. */
int ls_extent_unknown(const ls_extent *x, ls_size_of size, const void *ctx, ls_size_name *name);

/* Returns the value of the unknown size `name` for which the extent is `count`; if there is none, the largest
 * value for which the extent is less. 0 if the extent does not depend on that size. */
u64 ls_extent_solve(const ls_extent *x, ls_size_name name, ls_size_of size, const void *ctx, u64 count);

static inline bool ls_same_size(ls_size_name a, const char *text, u32 len) {
  return a.len == len && __builtin_memcmp(a.text, text, len) == 0;
}

#endif
