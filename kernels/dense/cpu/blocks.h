/* C = C + A * B over a semiring on a CPU. Included once for each W.
 *
 * A and B are copied into panels in the working form (semiring.h), at most PANEL_MOST deep. Then each thread takes some rows of
 * C, in strips of STRIP columns that stay in its L1 cache: four rows by four steps of depth at a time, so that there are sixteen
 * sums for eight loads. The compiler vectorises the innermost loop in three versions: for the processor that the program was
 * built for, for AVX2 and for AVX-512; the widest that the processor supports is selected at run time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "dense/dense.h"
#include "dense/plain.h"

#ifndef DENSE_BLOCKS_H
#define DENSE_BLOCKS_H
enum { STRIP = 512, STEP = 4, PANEL_MOST = 1024 };

#define WRAP_i16(a, b) ((i16)((u16)(a) + (u16)(b)))
#define WRAP_i32(a, b) ((i32)((u32)(a) + (u32)(b)))
#define WRAP_i64(a, b) ((i64)((u64)(a) + (u64)(b)))
#define WRAP_f32(a, b) ((a) + (b))
#define WRAP_f64(a, b) ((a) + (b))
#define WRAP(a, b) LS_JOIN(WRAP, W)(a, b)

#define IS_WHOLE ((W)0.5 == 0)

/* For one element type and semiring s: none_of, "no path" in the stored form; zero_of, in the working form; wrong: is x a value
 * that the working form cannot hold, or that breaks the promise `positive`? enter and leave: from the stored form to the working
 * form and back; leave sets *bad if the element is too large. */
#define WORKING(T, REAL, far, edge, most)                                                                    \
  static inline T none_of_##T(u32 s) {                                                                       \
    return s == MIN_PLUS ? greatest_##T : s == PLUS_TIMES ? 0 : least_##T;                                \
  }                                                                                                          \
  static inline T zero_of_##T(u32 s) {                                                                       \
    return REAL || s >= MAX_MIN ? none_of_##T(s) : s == MIN_PLUS ? far : -(far);                             \
  }                                                                                                          \
  static inline bool wrong_##T(u32 s, bool positive, T x) {                                                  \
    if (s > MAX_PLUS || x == none_of_##T(s)) return false;                                                   \
    if (positive && (REAL ? signbit((f64)x) != 0 : x < 0)) return true;                                      \
    return !(REAL) && (x >= (most) || x <= -(most));                                                         \
  }                                                                                                          \
  static inline T enter_##T(u32 s, T x) {                                                                    \
    if (REAL) return s != PLUS_TIMES && x != x ? none_of_##T(s) : x;                                         \
    if (s == MIN_PLUS) return x < (far) ? x : (far);                                                         \
    if (s == MAX_PLUS) return x > -(far) ? x : -(far);                                                       \
    return x;                                                                                                \
  }                                                                                                          \
  static inline T leave_##T(u32 s, T x, bool *bad) {                                                         \
    if (REAL) return s == PLUS_TIMES ? x + (T)0 : x;                                                         \
    if (s > MAX_PLUS) return x;                                                                              \
    if (s == MIN_PLUS ? x >= (edge) : x <= -(edge)) return none_of_##T(s);                                   \
    *bad |= x >= (most) || x <= -(most);                                                                     \
    return x;                                                                                                \
  }
WORKING(i16, false, FAR_i16, EDGE_i16, MOST_i16)
WORKING(i32, false, FAR_i32, EDGE_i32, MOST_i32)
WORKING(i64, false, FAR_i64, EDGE_i64, MOST_i64)
WORKING(f32, true, 0, 0, 0)
WORKING(f64, true, 0, 0, 0)
#define NONE_OF LS_JOIN(none_of, W)
#define ZERO_OF LS_JOIN(zero_of, W)
#define WRONG LS_JOIN(wrong, W)
#define ENTER LS_JOIN(enter, W)
#define LEAVE LS_JOIN(leave, W)

/* Rows [row, row_end) and columns [col, col_end) of C are not changed. */
typedef struct left_out {
  u32 row, row_end, col, col_end;
} left_out;

#ifdef __x86_64__
#define ON_AVX2 __attribute__((target("avx2")))
#define ON_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")))
#endif
#endif

/* c[0..3][j] = c[0..3][j] + a * b for columns j < cols, STEP steps of depth at a time. */
#define FOUR_STEPS(MERGE, r)                                                                                 \
  {                                                                                                          \
    W x = c##r[j];                                                                                           \
    MERGE(x, a##r[0], b0[j]);                                                                                \
    MERGE(x, a##r[1], b1[j]);                                                                                \
    MERGE(x, a##r[2], b2[j]);                                                                                \
    MERGE(x, a##r[3], b3[j]);                                                                                \
    c##r[j] = x;                                                                                             \
  }
#define FOUR_ROWS(MERGE)                                                                                     \
  W *restrict c0 = c, *restrict c1 = c + ld, *restrict c2 = c1 + ld, *restrict c3 = c2 + ld;                 \
  for (u64 k = 0; k < deep; k += STEP) {                                                                     \
    const W *restrict b0 = b + k * pitch, *restrict b1 = b0 + pitch, *restrict b2 = b1 + pitch,         \
                      *restrict b3 = b2 + pitch;                                                             \
    const W a0[STEP] = {a[k], a[k + 1], a[k + 2], a[k + 3]};                                                 \
    const W a1[STEP] = {a[deep + k], a[deep + k + 1], a[deep + k + 2], a[deep + k + 3]};                     \
    const W a2[STEP] = {a[2 * deep + k], a[2 * deep + k + 1], a[2 * deep + k + 2], a[2 * deep + k + 3]};     \
    const W a3[STEP] = {a[3 * deep + k], a[3 * deep + k + 1], a[3 * deep + k + 2], a[3 * deep + k + 3]};     \
    _Pragma("omp simd") for (i64 j = 0; j < (i64)cols; j++) {                                                \
      FOUR_STEPS(MERGE, 0) FOUR_STEPS(MERGE, 1) FOUR_STEPS(MERGE, 2) FOUR_STEPS(MERGE, 3)                    \
    }                                                                                                        \
  }
#define ROWS_ARGS W *c, u64 ld, const W *a, const W *b, u64 pitch, u32 deep, u32 cols
#define ROWS_BODIES(name, MERGE)                                                                             \
  static void LS_JOIN(name, W)(ROWS_ARGS) { FOUR_ROWS(MERGE) }
#ifdef __x86_64__
#define ROWS_WIDE(name, MERGE)                                                                               \
  ON_AVX2 static void LS_JOIN(name##_avx2, W)(ROWS_ARGS) { FOUR_ROWS(MERGE) }                                \
  ON_AVX512 static void LS_JOIN(name##_avx512, W)(ROWS_ARGS) { FOUR_ROWS(MERGE) }
#define WIDEST(name)                                                                                         \
  (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") \
       ? LS_JOIN(name##_avx512, W)                                                                           \
   : __builtin_cpu_supports("avx2") ? LS_JOIN(name##_avx2, W)                                                \
                                    : LS_JOIN(name, W))
#else
#define ROWS_WIDE(name, MERGE)
#define WIDEST(name) LS_JOIN(name, W)
#endif

#define MERGE_MIN_PLUS(x, p, q)  \
  {                              \
    const W t = WRAP(p, q);      \
    x = t < x ? t : x;           \
  }
#define MERGE_MAX_PLUS(x, p, q)  \
  {                              \
    const W t = WRAP(p, q);      \
    x = t > x ? t : x;           \
  }
#define MERGE_MAX_MIN(x, p, q)   \
  {                              \
    const W t = p < q ? p : q;   \
    x = t > x ? t : x;           \
  }
ROWS_BODIES(rows_min_plus, MERGE_MIN_PLUS)
ROWS_WIDE(rows_min_plus, MERGE_MIN_PLUS)
ROWS_BODIES(rows_max_plus, MERGE_MAX_PLUS)
ROWS_WIDE(rows_max_plus, MERGE_MAX_PLUS)
ROWS_BODIES(rows_max_min, MERGE_MAX_MIN)
ROWS_WIDE(rows_max_min, MERGE_MAX_MIN)

typedef void (*LS_JOIN(rows_fn, W))(ROWS_ARGS);

/* One product: the panels, and the parts of C to update. */
typedef struct LS_JOIN(product, W) {
  W *C;
  u64 ld;
  const W *left, *right; /* [rows][deep], [deep][cols] */
  u32 rows, cols, deep;
  left_out no;
  u32 semiring;
  bool positive;
  u32 *overflow;
  LS_JOIN(rows_fn, W) four;
} LS_JOIN(product, W);

/* Updates columns [from, to) of `count` rows (at most 4) from i on. Fewer than four rows are padded to four: a vector of four
 * costs the same as one. */
static void LS_JOIN(product_strip, W)(const LS_JOIN(product, W) * p, u32 i, u32 count, u32 from, u32 to) {
  W own[4][STRIP];
  const u32 cols = to - from;
  bool bad = false;
  for (u32 r = 0; r < 4; r++) {
    const W *c = p->C + (u64)(r < count ? i + r : i) * p->ld + from;
    for (u64 j = 0; j < cols; j++) bad |= WRONG(p->semiring, p->positive, c[j]), own[r][j] = ENTER(p->semiring, c[j]);
  }
  const W *a = p->left + (u64)i * p->deep, *b = p->right + from;
  if (p->semiring == PLUS_TIMES) {
    u32 over = 0;
    for (u32 r = 0; r < count; r++)
      for (u32 k = 0; k < p->deep; k++)
        for (u32 j = 0; j < cols; j++)
          own[r][j] = PLAIN_MERGE(PLUS_TIMES, own[r][j], a[(u64)r * p->deep + k], b[(u64)k * p->cols + j], &over);
    bad |= over;
  } else {
    p->four(own[0], STRIP, a, b, p->cols, p->deep, cols);
  }
  for (u32 r = 0; r < count; r++) {
    W *c = p->C + (u64)(i + r) * p->ld + from;
    for (u64 j = 0; j < cols; j++) c[j] = LEAVE(p->semiring, own[r][j], &bad);
  }
  if (bad) raise_flag(p->overflow);
}

/* Updates `count` rows (at most 4) from i on, in strips of columns, except for the columns that are left out. */
static void LS_JOIN(product_rows, W)(const LS_JOIN(product, W) * p, u32 i, u32 count) {
  for (u32 from = 0; from < p->cols;) {
    u32 to = p->cols - from < STRIP ? p->cols : from + STRIP;
    if (from >= p->no.col && from < p->no.col_end) {
      from = p->no.col_end;
      continue;
    }
    if (from < p->no.col && to > p->no.col && p->no.col < p->no.col_end) to = p->no.col;
    LS_JOIN(product_strip, W)(p, i, count, from, to);
    from = to;
  }
}

/* A matrix that may be a part of another: `ld` elements from one row to the next. */
typedef struct LS_JOIN(matrix, W) {
  W *at;
  u64 ld;
} LS_JOIN(matrix, W);

static int LS_JOIN(product_team, W)(const ls_launch *L, u64 work) { return L->serial || work < 1 << 22 ? 1 : L->threads; }

/* C = C + A * B, where A is rows x depth and B depth x cols. A and B may be parts of C: they are copied before C is
 * written. */
static ls_status LS_JOIN(multiply_blocks, W)(const ls_launch *L, LS_JOIN(matrix, W) C, LS_JOIN(matrix, W) A,
                                             LS_JOIN(matrix, W) B, u32 rows, u32 cols, u32 depth, left_out no, u32 semiring,
                                             bool positive, u32 *overflow) {
  if (!rows || !cols || !depth) return LS_OK;
  const u32 deep = (depth + STEP - 1) / STEP * STEP, most = rows + 3;
  W *left = ls_malloc((u64)most * deep * sizeof(W)), *right = ls_malloc((u64)deep * cols * sizeof(W));
  if (!left || !right) {
    ls_free(left);
    ls_free(right);
    return LS_EMEM;
  }
  const int team = LS_JOIN(product_team, W)(L, (u64)rows * cols * depth);
  LS_JOIN(product, W) p = {.C = C.at, .ld = C.ld, .left = left, .right = right, .rows = rows, .cols = cols, .deep = deep};
  p.no = no, p.semiring = semiring, p.positive = positive, p.overflow = overflow;
  p.four = semiring == MIN_PLUS   ? WIDEST(rows_min_plus)
           : semiring == MAX_PLUS ? WIDEST(rows_max_plus)
                                  : WIDEST(rows_max_min);
  const W zero = ZERO_OF(semiring);
#pragma omp parallel num_threads(team) if (team > 1)
  {
    bool bad = false;
#pragma omp for schedule(static) nowait
    for (i64 i = 0; i < (i64)most; i++)
      for (u32 k = 0; k < deep; k++) {
        const bool in = i < (i64)rows && k < depth;
        const W x = in ? A.at[(u64)i * A.ld + k] : zero;
        if (in) bad |= WRONG(semiring, positive, x);
        left[(u64)i * deep + k] = in ? ENTER(semiring, x) : zero;
      }
#pragma omp for schedule(static)
    for (i64 k = 0; k < (i64)deep; k++)
      for (u32 j = 0; j < cols; j++) {
        const bool in = k < (i64)depth;
        const W x = in ? B.at[(u64)k * B.ld + j] : zero;
        if (in) bad |= WRONG(semiring, positive, x);
        right[(u64)k * cols + j] = in ? ENTER(semiring, x) : zero;
      }
    if (bad) raise_flag(overflow);
#pragma omp for schedule(dynamic, 4)
    for (i64 group = 0; group < (i64)((rows + 3) / 4); group++) {
      u32 i = (u32)group * 4, end = i + 4 < rows ? i + 4 : rows;
      for (u32 run = i; run < end; run++) /* rows before and after those that are left out */
        if (run >= no.row && run < no.row_end) {
          if (run > i) LS_JOIN(product_rows, W)(&p, i, run - i);
          i = run + 1;
        }
      if (i < end) LS_JOIN(product_rows, W)(&p, i, end - i);
    }
  }
  ls_free(left);
  ls_free(right);
  return LS_OK;
}

/* multiply_blocks for any depth, in slices of PANEL_MOST. */
static inline ls_status LS_JOIN(multiply_slices, W)(const ls_launch *L, LS_JOIN(matrix, W) C, LS_JOIN(matrix, W) A,
                                                    LS_JOIN(matrix, W) B, u32 rows, u32 cols, u32 depth, u32 semiring,
                                                    bool positive, u32 *overflow) {
  ls_status st = LS_OK;
  for (u32 k = 0; !st && k < depth; k += PANEL_MOST) {
    const LS_JOIN(matrix, W) left = {A.at + k, A.ld}, right = {B.at + (u64)k * B.ld, B.ld};
    st = LS_JOIN(multiply_blocks, W)(L, C, left, right, rows, cols, depth - k < PANEL_MOST ? depth - k : PANEL_MOST,
                                     (left_out){0, 0, 0, 0}, semiring, positive, overflow);
  }
  return st;
}
