/* Warshall's closure of a Boolean matrix (Warshall 1962), 64 pivots per stage, a whole stage in one launch: each block of threads
 * handles 32 rows and computes by itself which pivots reach each other. For matrices with few words per row, because each word of
 * a row is combined with all 64 pivots. */
#include "dense/boolean.h"

#define WARSHALL_TURN_ARGS(A, W)                                                                            \
  A(INOUT, u64, bits, "n*words") A(INOUT, u64, pivots, "128*words") A(VALUE, u32, k, "1", index, "words")   \
  A(VALUE, u32, words, "1", words, "n")
ARGS(warshall_turn, WARSHALL_TURN_ARGS)

/* The pivots reached from any of the pivots 4 * four .. 4 * four + 3 that are in `from`. A line of `reach` has 32 pivots. */
LS_INLINE u64 reached_by_four(u64 from, u32 four, const u64 (*reach)[TILE + 1]) {
  const u32 half = (u32)(from >> (four / 8 * 32));
  u64 found = 0;
  for (u32 b = 0; b < 4; b++) found |= reach[four / 8][four % 8 * 4 + b] & all_or_none_of_32(half, four % 8 * 4 + b);
  return found;
}

TILE_BODY(warshall_turn) {
  (void)push, (void)count;
  TILE_ARRAY(u64, low); /* low, high: words of pivots 0-31 and 32-63; at first, partial unions */
  TILE_ARRAY(u64, high);
  TILE_ARRAY(u64, reach); /* lines 0-1 and 2-3 alternate: which pivots each pivot reaches; line 4: which pivots each row reaches */
  const u32 words = a->words, k = a->k;
  LS_ARRAY(const u64) pivots = a->pivots + (u64)(k % 2) * 64 * words; /* the pivots' rows as they were before this stage */
  LS_ARRAY(u64) next = a->pivots + (u64)((k + 1) % 2) * 64 * words;
  EACH(i, j) if (i < 2) reach[i][j] = pivots[(u64)(32 * i + j) * words + k];
  TILE_SYNC;
  for (u32 doubling = 0; doubling < 6; doubling++) { /* from paths of up to 2^doubling edges to twice as many */
    const u32 old = doubling % 2 * 2, longer = 2 - old;
    EACH(i, j) low[i][j] = reached_by_four(reach[old + i % 2][j], i / 2, reach + old);
    TILE_SYNC;
    EACH(i, j) if (i < 2) {
      u64 found = reach[old + i][j];
      for (u32 four = 0; four < 16; four++) found |= low[2 * four + i][j];
      reach[longer + i][j] = found;
    }
    TILE_SYNC;
  }
  EACH(i, j) {
    const u32 row = tile * TILE + j;
    if (i < 16) low[i][j] = row < a->n ? reached_by_four(a->bits[(u64)row * words + k], i, reach) : 0;
  }
  TILE_SYNC;
  EACH(i, j) if (i == 4) {
    const u32 row = tile * TILE + j;
    u64 found = row < a->n ? (u64)a->bits[(u64)row * words + k] : 0;
    for (u32 four = 0; four < 16; four++) found |= low[four][j];
    reach[i][j] = found;
  }
  TILE_SYNC;
  for (u32 word = 0; word < words; word += TILE) { /* 32 words of all pivots at a time */
    EACH(i, j) {
      low[i][j] = word + j < words ? (u64)pivots[(u64)i * words + word + j] : 0;
      high[i][j] = word + j < words ? (u64)pivots[(u64)(32 + i) * words + word + j] : 0;
    }
    TILE_SYNC;
    EACH(i, j) {
      const u32 row = tile * TILE + i;
      if (row >= a->n || word + j >= words) continue;
      const u64 through = reach[4][i], at = (u64)row * words + word + j;
      u64 leads = a->bits[at];
      for (u32 p = 0; p < 32; p++) {
        leads |= low[p][j] & all_or_none_of_32((u32)through, p);
        leads |= high[p][j] & all_or_none_of_32((u32)(through >> 32), p);
      }
      a->bits[at] = leads;
      if (row / 64 == k + 1) next[(u64)(row % 64) * words + word + j] = leads;
    }
    TILE_SYNC;
  }
}
