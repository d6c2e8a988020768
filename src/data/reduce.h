/* Operations on whole arrays on the host: extremes, sums, histograms, searches, differences.
 *
 * All functions take a type, a pointer and a count, allocate no memory, and give the same result with any
 * number of threads. Arrays longer than LS_LONG are processed by all cores; for these, callers should go
 * through ls_work. */
#ifndef LS_DATA_REDUCE_H
#define LS_DATA_REDUCE_H

#include "core/error.h"
#include "core/types.h"

enum { LS_LONG = 10 * 1000 * 1000, LS_MAX_BINS = 1024 };

typedef __int128 ls_i128;

/* The exact value of an element of any type, or of a sum of integers. */
typedef struct ls_number {
  bool real;
  f64 r;     /* real */
  ls_i128 i; /* not real */
} ls_number;

/* The nearest f64. */
static inline f64 ls_number_real(ls_number x) { return x.real ? x.r : (f64)x.i; }
ls_number ls_number_at(ls_dtype t, const void *p, u64 i);
/* Stores x as element i. LS_EARG if the type is an integer type and x is a fraction or out of range, or if x
 * is finite but infinite as f32. Other reals are rounded. */
ls_status ls_number_put(ls_dtype t, void *p, u64 i, ls_number x);
/* Does x mean "none" or "no path"? True for the greatest value of u16, u32 and the signed integers, and for
 * reals that are not finite. */
bool ls_number_is_none(ls_dtype t, ls_number x);
/* A property of a buffer: which value of its elements means "no vertex" or "no path". */
typedef enum ls_missing {
  LS_MISSING_NONE,     /* no value is special */
  LS_MISSING_GREATEST, /* the greatest of the type (reals: inf) */
  LS_MISSING_LEAST     /* the least of the type (reals: -inf) */
} ls_missing;
bool ls_number_is_missing(ls_dtype t, ls_number x, u8 missing);
ls_number ls_number_greatest(ls_dtype t);      /* inf of a real type */
bool ls_number_same(ls_number a, ls_number b); /* exact, across types; NaN is the same as NaN */
/* Formats x with the fewest digits that read back as the same value. Returns `out`. */
enum { LS_NUMBER_CHARS = 48 };
char *ls_number_text(ls_dtype t, ls_number x, char out[LS_NUMBER_CHARS]);

/* The least and the greatest element. NaNs are ignored; if `known`, so are infinities and values that mean
 * "none" or "no path" (ls_number_is_none). Returns how many elements were not ignored; if 0, *min and *max
 * are meaningless. */
u64 ls_reduce_range(ls_dtype t, const void *p, u64 count, bool known, ls_number *min, ls_number *max);

/* The sum: of integers exactly; of reals in f64 by compensated summation (Neumaier 1974). */
ls_number ls_reduce_sum(ls_dtype t, const void *p, u64 count);

/* The number of known elements (see above) in each of at most `bins` <= LS_MAX_BINS equal intervals from the
 * least to the greatest. For integers, interval widths are integers, so there may be fewer bins. */
typedef struct ls_histogram {
  u32 bins;
  u64 unknown;     /* elements in no bin */
  ls_number width; /* bin k begins at lo + k * width */
  ls_number lo, hi;
  u64 count[LS_MAX_BINS];
} ls_histogram;

void ls_reduce_histogram(ls_dtype t, const void *p, u64 count, u32 bins, ls_histogram *out);

/* Both first convert x to type t. ls_reduce_find: the least index i >= from of an element that equals x;
 * `count` if there is none. ls_reduce_count: the number of elements that equal x. */
u64 ls_reduce_find(ls_dtype t, const void *p, u64 count, u64 from, ls_number x);
u64 ls_reduce_count(ls_dtype t, const void *p, u64 count, ls_number x);

/* Returns how many elements differ; `places` gets the indices of the first `max` of them. Types may
 * differ. */
u64 ls_reduce_diff(ls_dtype ta, const void *a, ls_dtype tb, const void *b, u64 count, u64 max, u64 *places);

/* Sets `places` to the indices of the `max` greatest elements, the greatest first (ties: the lower index
 * first). NaNs are ignored. Returns how many were found. */
u64 ls_reduce_top(ls_dtype t, const void *p, u64 count, u64 max, u64 *places);

void ls_fill(ls_dtype t, void *p, u64 count, ls_number x); /* no effect if ls_number_put rejects x */

#endif
