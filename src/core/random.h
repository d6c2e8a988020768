/* Random integers, events and permutations from draws (core/counter_random.h), on the host. */
#ifndef LS_CORE_RANDOM_H
#define LS_CORE_RANDOM_H

#include "core/counter_random.h"

/* Maps a draw to an integer from 0 to n - 1 (n > 0). */
static inline u64 ls_below(u64 draw, u64 n) { return (u64)(((unsigned __int128)draw * n) >> 64); }

/* A probability as a threshold: ls_happens(draw, ls_threshold(p)) has probability p; exact at 0 and 1. */
static inline u64 ls_threshold(f64 p) { return (u64)(p * 0x1p63); }
static inline bool ls_happens(u64 draw, u64 threshold) { return draw >> 1 < threshold; }

/* A bijection of 0 .. n-1: rounds of odd multiplication and shift-xor over the next power of two, repeated
 * until the value is below n (fewer than two repetitions on average). x < n. */
static inline u32 ls_shuffled(u32 x, u32 n, u64 key) {
  u32 bits = n > 1 ? 32 - (u32)__builtin_clz(n - 1) : 0;
  u64 mask = (1ull << bits) - 1, y = x;
  u32 shift = bits / 2 + 1;
  do {
    for (int round = 0; round < 3; round++) {
      y = ((y + (key >> (round * 7))) * (ls_mix(key + (u64)round) | 1)) & mask;
      y ^= y >> shift;
    }
  } while (y >= n);
  return (u32)y;
}

#endif
