#include "data/reduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

/* Sums are computed in this many parts whatever the number of threads, so that rounding does not depend on
 * it. */
enum { PARTS = 256 };

/* --- numbers ---------------------------------------------------------------------------------------------
 */

ls_number ls_number_at(ls_dtype t, const void *p, u64 i) {
  switch (t) {
#define AT(tag, T, least, greatest, none)                                                                    \
  case tag: return (ls_number){.i = ((const T *)p)[i]};
    LS_INTEGERS(AT)
#undef AT
  case LS_F32: return (ls_number){.real = true, .r = (f64)((const f32 *)p)[i]};
  default: return (ls_number){.real = true, .r = ((const f64 *)p)[i]};
  }
}

/* Is r an integer that can be converted to ls_i128? */
static bool whole(f64 r) { return fabs(r) < 0x1p126 && r == trunc(r); }

static ls_status does_not_fit(ls_dtype t, ls_number x, ls_i128 least, ls_i128 greatest) {
  char a[LS_NUMBER_CHARS], b[LS_NUMBER_CHARS], c[LS_NUMBER_CHARS];
  return ls_fail(LS_EARG, "%s does not fit %s (%s to %s)", ls_number_text(LS_F64, x, a), ls_dtype_name(t),
                 ls_number_text(t, (ls_number){.i = least}, b),
                 ls_number_text(t, (ls_number){.i = greatest}, c));
}

ls_status ls_number_put(ls_dtype t, void *p, u64 i, ls_number x) {
  char text[LS_NUMBER_CHARS];
  switch (t) {
#define PUT(tag, T, least, greatest, none)                                                                   \
  case tag:                                                                                                  \
    if (x.real && isfinite(x.r) && x.r != trunc(x.r))                                                        \
      return ls_fail(LS_EARG, "%s is not an integer, which %s needs", ls_number_text(LS_F64, x, text), #T);  \
    if (x.real && !whole(x.r)) return does_not_fit(t, x, least, greatest);                                   \
    if (x.real) x.i = (ls_i128)x.r;                                                                          \
    if (x.i < (ls_i128)least || x.i > (ls_i128)greatest) return does_not_fit(t, x, least, greatest);         \
    ((T *)p)[i] = (T)x.i;                                                                                    \
    return LS_OK;
    LS_INTEGERS(PUT)
#undef PUT
  default: break;
  }
  f64 r = ls_number_real(x);
  if (t == LS_F64) {
    ((f64 *)p)[i] = r;
  } else {
    if (isfinite(r) && !isfinite((f32)r))
      return ls_fail(LS_EARG, "%s does not fit f32 (at most 3.4e38)", ls_number_text(LS_F64, x, text));
    ((f32 *)p)[i] = (f32)r;
  }
  return LS_OK;
}

bool ls_number_is_missing(ls_dtype t, ls_number x, u8 missing) {
  if (missing == LS_MISSING_NONE) return false;
  const bool least = missing == LS_MISSING_LEAST;
  switch (t) {
#define END(tag, T, lowest, greatest, none)                                                                  \
  case tag: return x.i == (least ? (ls_i128)lowest : (ls_i128)greatest);
    LS_INTEGERS(END)
#undef END
  default: return isinf(x.r) && signbit(x.r) == least;
  }
}

ls_number ls_number_greatest(ls_dtype t) {
  switch (t) {
#define GREATEST(tag, T, least, greatest, none)                                                              \
  case tag: return (ls_number){.i = (ls_i128)greatest};
    LS_INTEGERS(GREATEST)
#undef GREATEST
  default: return (ls_number){.real = true, .r = INFINITY};
  }
}

bool ls_number_is_none(ls_dtype t, ls_number x) {
  switch (t) {
#define NONE(tag, T, least, greatest, none)                                                                  \
  case tag: return none && x.i == (ls_i128)greatest;
    LS_INTEGERS(NONE)
#undef NONE
  default: return !isfinite(x.r);
  }
}

bool ls_number_same(ls_number a, ls_number b) {
  if (a.real && b.real) return a.r == b.r || (isnan(a.r) && isnan(b.r));
  if (a.real) return whole(a.r) && (ls_i128)a.r == b.i;
  if (b.real) return whole(b.r) && (ls_i128)b.r == a.i;
  return a.i == b.i;
}

char *ls_number_text(ls_dtype t, ls_number x, char out[LS_NUMBER_CHARS]) {
  if (x.real) {
    if (isnan(x.r)) return strcpy(out, "nan");
    if (t != LS_F32) return ls_exact(x.r, out), out;
    for (int digits = 6; digits <= 9; digits++) {
      snprintf(out, LS_NUMBER_CHARS, "%.*g", digits, x.r);
      if (strtof(out, NULL) == (f32)x.r) break;
    }
    return out;
  }
  char digits[LS_NUMBER_CHARS];
  int n = 0, at = 0;
  unsigned __int128 left = x.i < 0 ? -(unsigned __int128)x.i : (unsigned __int128)x.i;
  do digits[n++] = (char)('0' + (int)(left % 10));
  while ((left /= 10) != 0);
  if (x.i < 0) out[at++] = '-';
  while (n > 0) out[at++] = digits[--n];
  out[at] = '\0';
  return out;
}

/* --- extremes --------------------------------------------------------------------------------------------
 */

/* skipped: is p[i] ignored? number: makes an ls_number of a T */
#define RANGE(T, least, greatest, skipped, number)                                                              \
  static u64 range_##T(const T *p, u64 count, bool known, ls_number *min, ls_number *max) {                     \
    T lo = greatest, hi = least;                                                                                \
    u64 seen = 0;                                                                                               \
    _Pragma("omp parallel for reduction(min:lo) reduction(max:hi) reduction(+:seen) if(count > LS_LONG)") for ( \
        u64 i = 0; i < count; i++) {                                                                            \
      if (skipped) continue;                                                                                    \
      if (p[i] < lo) lo = p[i];                                                                                 \
      if (p[i] > hi) hi = p[i];                                                                                 \
      seen++;                                                                                                   \
    }                                                                                                           \
    *min = number(lo);                                                                                          \
    *max = number(hi);                                                                                          \
    return seen;                                                                                                \
  }
#define WHOLE(x) ((ls_number){.i = (x)})
#define REAL(x) ((ls_number){.real = true, .r = (f64)(x)})
#define WHOLE_RANGE(tag, T, least, greatest, none)                                                           \
  RANGE(T, least, greatest, known &&none &&p[i] == greatest, WHOLE)
#define REAL_RANGE(tag, T, ...)                                                                              \
  RANGE(T, -(T)INFINITY, (T)INFINITY, known ? !isfinite(p[i]) : isnan(p[i]), REAL)
LS_INTEGERS(WHOLE_RANGE)
LS_REALS(REAL_RANGE)
#undef RANGE

u64 ls_reduce_range(ls_dtype t, const void *p, u64 count, bool known, ls_number *min, ls_number *max) {
  switch (t) {
#define CASE(tag, T, ...)                                                                                    \
  case tag: return range_##T(p, count, known, min, max);
    LS_INTEGERS(CASE)
    CASE(LS_F32, f32)
#undef CASE
  default: return range_f64(p, count, known, min, max);
  }
}

/* --- sums ------------------------------------------------------------------------------------------------
 */

/* Neumaier's compensated sum: c accumulates the rounding errors of the additions to s. */
typedef struct {
  f64 s, c;
} compensated;

static void add(compensated *k, f64 x) {
  f64 t = k->s + x;
  k->c += fabs(k->s) >= fabs(x) ? (k->s - t) + x : (x - t) + k->s;
  k->s = t;
}

static u64 part_begin(u64 count, int part) {
  return (u64)((unsigned __int128)count * (unsigned)part / PARTS);
}

#define SUM(tag, T, ...)                                                                                     \
  static ls_number sum_##T(const T *p, u64 count) {                                                          \
    ls_i128 parts[PARTS], sum = 0;                                                                           \
    _Pragma("omp parallel for if(count > LS_LONG)") for (int k = 0; k < PARTS; k++) {                        \
      ls_i128 s = 0;                                                                                         \
      for (u64 i = part_begin(count, k), end = part_begin(count, k + 1); i < end; i++) s += p[i];            \
      parts[k] = s;                                                                                          \
    }                                                                                                        \
    for (int k = 0; k < PARTS; k++) sum += parts[k];                                                         \
    return (ls_number){.i = sum};                                                                            \
  }
LS_INTEGERS(SUM)
#undef SUM

#define SUM(tag, T, ...)                                                                                     \
  static ls_number sum_##T(const T *p, u64 count) {                                                          \
    compensated parts[PARTS], sum = {0, 0};                                                                  \
    f64 plain = 0; /* the result if there are infinities or NaNs, which break the compensation */            \
    _Pragma("omp parallel for if(count > LS_LONG)") for (int k = 0; k < PARTS; k++) {                        \
      compensated s = {0, 0};                                                                                \
      for (u64 i = part_begin(count, k), end = part_begin(count, k + 1); i < end; i++) add(&s, (f64)p[i]);   \
      parts[k] = s;                                                                                          \
    }                                                                                                        \
    for (int k = 0; k < PARTS; k++) {                                                                        \
      plain += parts[k].s;                                                                                   \
      add(&sum, parts[k].s);                                                                                 \
      add(&sum, parts[k].c);                                                                                 \
    }                                                                                                        \
    return (ls_number){.real = true, .r = isfinite(plain) ? sum.s + sum.c : plain};                          \
  }
LS_REALS(SUM)
#undef SUM

ls_number ls_reduce_sum(ls_dtype t, const void *p, u64 count) {
  switch (t) {
#define CASE(tag, T, ...)                                                                                    \
  case tag: return sum_##T(p, count);
    LS_INTEGERS(CASE)
    CASE(LS_F32, f32)
#undef CASE
  default: return sum_f64(p, count);
  }
}

/* --- histograms ------------------------------------------------------------------------------------------
 */

#define HISTOGRAM(tag, T, least, greatest, none)                                                             \
  static void histogram_##T(const T *p, u64 count, u32 bins, ls_histogram *h) {                              \
    u64 lo = (u64)h->lo.i, span = (u64)h->hi.i - lo, width = span / bins + 1;                                \
    h->bins = (u32)(span / width) + 1;                                                                       \
    h->width = (ls_number){.i = width};                                                                      \
    u64 *in = h->count;                                                                                      \
    _Pragma(                                                                                                 \
        "omp parallel for reduction(+:in[:LS_MAX_BINS]) if(count > LS_LONG)") for (u64 i = 0; i < count;     \
                                                                                   i++) if (!none ||         \
                                                                                            p[i] !=          \
                                                                                                greatest)    \
        in[((u64)p[i] - lo) / width]++;                                                                      \
  }
LS_INTEGERS(HISTOGRAM)
#undef HISTOGRAM

/* Computes with halves, so that hi - lo does not overflow even for the largest doubles. */
#define HISTOGRAM(tag, T, ...)                                                                               \
  static void histogram_##T(const T *p, u64 count, u32 bins, ls_histogram *h) {                              \
    f64 lo = h->lo.r / 2, half = h->hi.r / 2 - lo;                                                           \
    h->bins = half > 0 ? bins : 1;                                                                           \
    h->width = (ls_number){.real = true, .r = half / h->bins * 2};                                           \
    f64 scale = half > 0 ? bins / half : 0;                                                                  \
    if (!isfinite(scale)) h->bins = 1, scale = 0; /* the span is subnormal */                                \
    u32 last = h->bins - 1;                                                                                  \
    u64 *in = h->count;                                                                                      \
    _Pragma("omp parallel for reduction(+:in[:LS_MAX_BINS]) if(count > LS_LONG)") for (u64 i = 0; i < count; \
                                                                                       i++) {                \
      if (!isfinite(p[i])) continue;                                                                         \
      f64 k = ((f64)p[i] / 2 - lo) * scale;                                                                  \
      in[k < last ? (u32)k : last]++;                                                                        \
    }                                                                                                        \
  }
LS_REALS(HISTOGRAM)
#undef HISTOGRAM

void ls_reduce_histogram(ls_dtype t, const void *p, u64 count, u32 bins, ls_histogram *out) {
  memset(out, 0, sizeof *out);
  u64 known = ls_reduce_range(t, p, count, true, &out->lo, &out->hi);
  out->unknown = count - known;
  if (known == 0) return;
  switch (t) {
#define CASE(tag, T, ...)                                                                                    \
  case tag: histogram_##T(p, count, bins, out); break;
    LS_TYPES(CASE)
#undef CASE
  default: break;
  }
}

/* --- searches --------------------------------------------------------------------------------------------
 */

#define SEARCH(tag, T, ...)                                                                                  \
  static u64 find_##T(const T *p, u64 count, u64 from, T x) {                                                \
    while (from < count && p[from] != x) from++;                                                             \
    return from;                                                                                             \
  }                                                                                                          \
  static u64 count_##T(const T *p, u64 count, T x) {                                                         \
    u64 n = 0;                                                                                               \
    _Pragma("omp parallel for reduction(+:n) if(count > LS_LONG)") for (u64 i = 0; i < count; i++) n +=      \
        p[i] == x;                                                                                           \
    return n;                                                                                                \
  }                                                                                                          \
  static void fill_##T(T *p, u64 count, T x) {                                                               \
    _Pragma("omp parallel for if(count > LS_LONG)") for (u64 i = 0; i < count; i++) p[i] = x;                \
  }
LS_TYPES(SEARCH)
#undef SEARCH

typedef union {
#define MEMBER(tag, T, ...) T T;
  LS_TYPES(MEMBER)
#undef MEMBER
} element;

u64 ls_reduce_find(ls_dtype t, const void *p, u64 count, u64 from, ls_number x) {
  element e;
  if (ls_number_put(t, &e, 0, x)) return count;
  switch (t) {
#define CASE(tag, T, ...)                                                                                    \
  case tag: return find_##T(p, count, from, e.T);
    LS_TYPES(CASE)
#undef CASE
  default: return count;
  }
}

u64 ls_reduce_count(ls_dtype t, const void *p, u64 count, ls_number x) {
  element e;
  if (ls_number_put(t, &e, 0, x)) return 0;
  switch (t) {
#define CASE(tag, T, ...)                                                                                    \
  case tag: return count_##T(p, count, e.T);
    LS_TYPES(CASE)
#undef CASE
  default: return 0;
  }
}

void ls_fill(ls_dtype t, void *p, u64 count, ls_number x) {
  element e;
  if (ls_number_put(t, &e, 0, x)) return;
  switch (t) {
#define CASE(tag, T, ...)                                                                                    \
  case tag: fill_##T(p, count, e.T); break;
    LS_TYPES(CASE)
#undef CASE
  default: break;
  }
}

u64 ls_reduce_diff(ls_dtype ta, const void *a, ls_dtype tb, const void *b, u64 count, u64 max, u64 *places) {
  enum { BLOCK = 4096 };
  size_t size = ls_dtype_size(ta);
  u64 found = 0;
  for (u64 begin = 0; begin < count; begin += BLOCK) {
    u64 end = count - begin < BLOCK ? count : begin + BLOCK;
    if (ta == tb &&
        memcmp((const u8 *)a + begin * size, (const u8 *)b + begin * size, (end - begin) * size) == 0)
      continue;
    for (u64 i = begin; i < end; i++) {
      if (ls_number_same(ls_number_at(ta, a, i), ls_number_at(tb, b, i))) continue;
      if (found < max) places[found] = i;
      found++;
    }
  }
  return found;
}

/* --- the greatest elements --------------------------------------------------------------------------------
 */

/* Does element i come before element k in ls_reduce_top's order? */
static bool greater(ls_dtype t, const void *p, u64 i, u64 k) {
  const ls_number a = ls_number_at(t, p, i), b = ls_number_at(t, p, k);
  if (a.real ? a.r != b.r : a.i != b.i) return a.real ? a.r > b.r : a.i > b.i;
  return i < k;
}

/* Restores the heap property below `at`. The heap holds indices; its root is the least element. */
static void sift(ls_dtype t, const void *p, u64 *heap, u64 size, u64 at) {
  for (;;) {
    u64 least = at;
    for (u64 child = 2 * at + 1; child <= 2 * at + 2 && child < size; child++)
      if (greater(t, p, heap[least], heap[child])) least = child;
    if (least == at) return;
    const u64 place = heap[at];
    heap[at] = heap[least], heap[least] = place;
    at = least;
  }
}

u64 ls_reduce_top(ls_dtype t, const void *p, u64 count, u64 max, u64 *places) {
  u64 size = 0;
  for (u64 i = 0; i < count && max > 0; i++) {
    const ls_number x = ls_number_at(t, p, i);
    if (x.real && isnan(x.r)) continue;
    if (size < max) {
      places[size++] = i;
      if (size == max)
        for (u64 k = size; k-- > 0;) sift(t, p, places, size, k);
    } else if (greater(t, p, i, places[0])) {
      places[0] = i;
      sift(t, p, places, size, 0);
    }
  }
  if (size < max)
    for (u64 k = size; k-- > 0;) sift(t, p, places, size, k);
  for (u64 left = size; left > 1; left--) { /* heap sort: move the least element to the end */
    const u64 place = places[0];
    places[0] = places[left - 1], places[left - 1] = place;
    sift(t, p, places, left - 1, 0);
  }
  return size;
}
