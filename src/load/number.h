/* Numbers as text files hold them. */
#ifndef LS_LOAD_NUMBER_H
#define LS_LOAD_NUMBER_H

#include "core/types.h"

/* A decimal number: whole (no point, no exponent) with its value in i, or else digits * 10^exponent. */
typedef struct ls_number {
  bool whole;
  bool wide; /* whole, but beyond 64 bits: i means nothing */
  i64 i;     /* of a whole one */
  f64 d;     /* the nearest double; may be infinite. Of whole ones only where wide */
  bool minus;
  bool cut; /* there were more digits than u64 holds */
  u64 digits;
  i32 exponent;
} ls_number;

/* Reads a number at p, which must be followed by something that is none (the caller's line end). Returns
 * where it ends, or NULL where there is no number. Takes no "inf", "nan" or hexadecimal. */
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

/* An unsigned whole number without sign; too large ones give UINT64_MAX. NULL where there is none. */
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

/* x * scale as an integer; false where that isn't exact or leaves 64 bits (*overflow tells which). scale is
 * a positive whole number. */
bool ls_number_scaled(const ls_number *x, u64 scale, i64 *out, bool *overflow);

/* The shortest text from which x is read back the same; `out` holds 32 bytes. Returns its length. x is
 * finite. Independent of the locale, as all here is. */
int ls_number_write(f64 x, char *out);
int ls_number_write_f32(f32 x, char *out);

#endif
