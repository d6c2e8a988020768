/* Arithmetic over whole arrays on the host: extremes, sums, histograms, searches, differences.
 *
 * Everything takes a type, a pointer and a count, keeps no memory of its own and gives the same answer with
 * any number of threads. Arrays longer than LS_LONG are worked on by all cores; callers run those through
 * ls_work. */
#ifndef LS_DATA_REDUCE_H
#define LS_DATA_REDUCE_H

#include "core/error.h"
#include "core/types.h"

enum { LS_LONG = 10 * 1000 * 1000, LS_MAX_BINS = 1024 };

typedef __int128 ls_i128;

/* An element of any type, or a sum of such, exactly. */
typedef struct ls_number {
  bool real;
  f64 r;     /* real */
  ls_i128 i; /* not real */
} ls_number;

ls_number ls_number_at(ls_dtype t, const void *p, u64 i);
/* Stores x as element i. LS_EARG: a fraction or a value out of range for an integer type, or a finite value
 * that f32 would make infinite. Other reals are rounded. */
ls_status ls_number_put(ls_dtype t, void *p, u64 i, ls_number x);
/* Does it mean "none" or "no path": the greatest of u16, u32 and the signed integers; of reals, what is not
 * finite? */
bool ls_number_is_none(ls_dtype t, ls_number x);
/* What a buffer says of its own elements: which value means that there is no vertex, or no path. */
typedef enum ls_missing {
  LS_MISSING_NONE,     /* all values are values */
  LS_MISSING_GREATEST, /* the greatest of the type (reals: inf) */
  LS_MISSING_LEAST     /* the least of the type (reals: -inf) */
} ls_missing;
bool ls_number_is_missing(ls_dtype t, ls_number x, u8 missing);
bool ls_number_same(ls_number a, ls_number b); /* exact, across types; NaN is the same as NaN */
/* As few digits as read back the same. Returns out. */
enum { LS_NUMBER_CHARS = 48 };
char *ls_number_text(ls_dtype t, ls_number x, char out[LS_NUMBER_CHARS]);

/* Least and greatest element. NaNs are passed over. With `known` so are infinities and the values that mean
 * "none" or "no path" (ls_number_is_none). Returns how many elements were looked at: if 0,
 * min and max are not set. */
u64 ls_reduce_range(ls_dtype t, const void *p, u64 count, bool known, ls_number *min, ls_number *max);

/* Integers exactly; reals in f64 by compensated summation (Neumaier 1974). */
ls_number ls_reduce_sum(ls_dtype t, const void *p, u64 count);

/* How many known elements (see above) lie in each of *bins <= LS_MAX_BINS equal intervals from the least to
 * the greatest; integers get intervals of whole numbers, so perhaps fewer bins. */
typedef struct ls_histogram {
  u32 bins;
  u64 unknown;     /* elements in no bin */
  ls_number width; /* bin k begins at lo + k * width */
  ls_number lo, hi;
  u64 count[LS_MAX_BINS];
} ls_histogram;

void ls_reduce_histogram(ls_dtype t, const void *p, u64 count, u32 bins, ls_histogram *out);

/* The first element from `from` on that equals x once x is made an element; count where there is none. */
u64 ls_reduce_find(ls_dtype t, const void *p, u64 count, u64 from, ls_number x);
u64 ls_reduce_count(ls_dtype t, const void *p, u64 count, ls_number x);

/* How many elements differ, and the places of the first `max` of them. Types may differ. */
u64 ls_reduce_diff(ls_dtype ta, const void *a, ls_dtype tb, const void *b, u64 count, u64 max, u64 *places);

/* The places of the `max` greatest elements, the greatest first; of equal ones the lower place first. NaNs
 * are passed over. Returns how many were found. */
u64 ls_reduce_top(ls_dtype t, const void *p, u64 count, u64 max, u64 *places);

void ls_fill(ls_dtype t, void *p, u64 count, ls_number x); /* x has passed ls_number_put */

#endif
