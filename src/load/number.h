/* Reads and writes numbers of text files. */
#ifndef LS_LOAD_NUMBER_H
#define LS_LOAD_NUMBER_H

#include "core/types.h"

/* A decimal number: either whole (no point, no exponent) with its value in i, or digits * 10^exponent. */
typedef struct ls_number {
  bool whole;
  bool wide; /* whole, but beyond 64 bits: i is undefined */
  i64 i;     /* the value if whole */
  f64 d;     /* the nearest double; may be infinite. Set if `whole` is false or `wide` is true */
  bool minus;
  bool cut; /* there were more digits than u64 holds */
  u64 digits;
  i32 exponent;
} ls_number;

/* Reads a number at p and returns its end, or NULL if there is none. A character that is not part of a number
 * must follow (such as a line end). Does not accept "inf", "nan" or hexadecimal. */
const char *ls_number_read_any(const char *p, ls_number *x);

/* The same, fast for short whole numbers. */
static inline const char *ls_number_read(const char *p, ls_number *x) {
  const char *q = p + (*p == '-');
  u64 v = 0;
  const char *first = q;
  while ((unsigned)(*q - '0') < 10) v = v * 10 + (u64)(*q++ - '0');
  if (q == first || q - first > 18 || *q == '.' || (*q | 32) == 'e') return ls_number_read_any(p, x);
  x->whole = true;
  x->wide = false;
  x->i = *p == '-' ? -(i64)v : (i64)v;
  return q;
}

/* Reads a whole number without sign, and returns its end; one that is too large gives UINT64_MAX. NULL: there
 * is none. */
static inline const char *ls_natural_read(const char *p, u64 *out) {
  u64 v = 0;
  const char *q = p;
  while ((unsigned)(*q - '0') < 10) v = v * 10 + (u64)(*q++ - '0');
  if (q == p) return NULL;
  if (q - p > 19) { /* leading zeros may make it long; else it's beyond 64 bits */
    while (*p == '0') p++;
    if (q - p > 19) v = UINT64_MAX;
  }
  *out = v;
  return q;
}

/* *out: x * scale as an integer. False if that is not exact, or overflows 64 bits (then *overflow is true).
 * scale is a positive whole number. */
bool ls_number_scaled(const ls_number *x, u64 scale, i64 *out, bool *overflow);

/* Writes the shortest text that is read back as x, which is finite, to out[32]; returns its length.
 * Independent of the locale, as is everything here. */
int ls_number_write(f64 x, char *out);
int ls_number_write_f32(f32 x, char *out);

#endif
