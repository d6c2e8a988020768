/* The three phases of blocked Floyd-Warshall on a CPU, in a square part of a matrix. Included once for each W. */
#include "dense/close.h"
#include "dense/cpu/blocks.h"

/* Floyd-Warshall in the diagonal tile [k0, k1) of D. If integers may be negative, several steps together may exceed
 * the bounds of the working form (dense/semiring.h), in which sums are not checked; then the tile stays in the stored form,
 * and each sum is checked (`careful`). */
static inline void LS_JOIN(close_tile, W)(W *D, u64 ld, u32 k0, u32 k1, u32 semiring, bool positive, u32 *overflow) {
  const u32 size = k1 - k0;
  const bool careful = IS_WHOLE && semiring <= MAX_PLUS && !(positive && semiring == MIN_PLUS);
  W T[INNER][INNER];
  u32 over = 0;
  bool bad = false;
  for (u32 i = 0; i < size; i++)
    for (u32 j = 0; j < size; j++) {
      const W x = D[(u64)(k0 + i) * ld + k0 + j];
      bad |= WRONG(semiring, positive, x);
      T[i][j] = careful ? x : ENTER(semiring, x);
    }
  for (u32 k = 0; k < size; k++)
    for (u32 i = 0; i < size; i++) {
      const W first = T[i][k];
      if (i == k) continue;
      const W stays = T[i][k];
      if (careful)
        for (u32 j = 0; j < size; j++) T[i][j] = PLAIN_MERGE(semiring, T[i][j], first, T[k][j], &over);
      else if (semiring == MIN_PLUS)
        for (u32 j = 0; j < size; j++) MERGE_MIN_PLUS(T[i][j], first, T[k][j])
      else if (semiring == MAX_PLUS)
        for (u32 j = 0; j < size; j++) MERGE_MAX_PLUS(T[i][j], first, T[k][j])
      else
        for (u32 j = 0; j < size; j++) MERGE_MAX_MIN(T[i][j], first, T[k][j])
      T[i][k] = stays; /* column k must not change during step k */
    }
  for (u32 i = 0; i < size; i++)
    for (u32 j = 0; j < size; j++) {
      if (careful) bad |= WRONG(semiring, positive, T[i][j]);
      D[(u64)(k0 + i) * ld + k0 + j] = careful ? T[i][j] : LEAVE(semiring, T[i][j], &bad);
    }
  if (bad || over) raise_flag(overflow);
}

/* Phase 2: updates the rows and columns of the pivot [k0, k1) within the part [lo, hi) of D. */
static inline ls_status LS_JOIN(cross_blocks, W)(const ls_launch *L, W *D, u64 ld, u32 lo, u32 hi, u32 k0, u32 k1, u32 semiring,
                                          bool positive, u32 *overflow) {
  const u32 size = hi - lo, deep = k1 - k0;
  const LS_JOIN(matrix, W) row = {D + (u64)k0 * ld + lo, ld}, col = {D + (u64)lo * ld + k0, ld},
                           pivot = {D + (u64)k0 * ld + k0, ld};
  ls_status st = LS_JOIN(multiply_blocks, W)(L, row, pivot, row, deep, size, deep, (left_out){0, 0, k0 - lo, k1 - lo}, semiring,
                                             positive, overflow);
  return st ? st
            : LS_JOIN(multiply_blocks, W)(L, col, col, pivot, size, deep, deep, (left_out){k0 - lo, k1 - lo, 0, 0}, semiring,
                                          positive, overflow);
}

static inline ls_status LS_JOIN(rest_blocks, W)(const ls_launch *L, W *D, u64 ld, u32 lo, u32 hi, u32 k0, u32 k1, u32 semiring,
                                         bool positive, u32 *overflow) {
  const u32 size = hi - lo;
  const LS_JOIN(matrix, W) row = {D + (u64)k0 * ld + lo, ld}, col = {D + (u64)lo * ld + k0, ld}, all = {D + (u64)lo * ld + lo, ld};
  return LS_JOIN(multiply_blocks, W)(L, all, col, row, size, size, k1 - k0, (left_out){k0 - lo, k1 - lo, k0 - lo, k1 - lo},
                                     semiring, positive, overflow);
}

/* Closes the part [lo, hi) of D in tiles of INNER. */
static inline ls_status LS_JOIN(close_blocks, W)(const ls_launch *L, W *D, u64 ld, u32 lo, u32 hi, u32 semiring, bool positive,
                                          u32 *overflow) {
  ls_status st = LS_OK;
  for (u32 k = lo; !st && k < hi; k += INNER) {
    const u32 end = hi - k < INNER ? hi : k + INNER;
    LS_JOIN(close_tile, W)(D, ld, k, end, semiring, positive, overflow);
    if (hi - lo <= INNER) break;
    st = LS_JOIN(cross_blocks, W)(L, D, ld, lo, hi, k, end, semiring, positive, overflow);
    if (!st) st = LS_JOIN(rest_blocks, W)(L, D, ld, lo, hi, k, end, semiring, positive, overflow);
  }
  return st;
}
