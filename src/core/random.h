/* Randomness without a stream: a hash of (seed, number, use), so that any thread can draw any number in any
 * order and all machines agree. The mixing function is splitmix64's (Steele, Lea, Flood 2014). */
#ifndef LS_CORE_RANDOM_H
#define LS_CORE_RANDOM_H

#include "core/types.h"

#ifdef __CUDACC__
#define LS_EVERYWHERE static __host__ __device__ __forceinline__
#else
#define LS_EVERYWHERE static inline
#endif

LS_EVERYWHERE u64 ls_mix(u64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/* One key for each use of a seed; draws with different keys are independent. */
static inline u64 ls_key(u64 seed, u32 use) { return ls_mix(ls_mix(seed + 0x9e3779b97f4a7c15ull) + use); }
LS_EVERYWHERE u64 ls_draw(u64 key, u64 number) { return ls_mix(key + (number + 1) * 0x9e3779b97f4a7c15ull); }

/* A draw as a whole number below n (n > 0). */
static inline u64 ls_below(u64 draw, u64 n) { return (u64)(((unsigned __int128)draw * n) >> 64); }

/* A probability as a threshold: ls_happens(draw, ls_threshold(p)) has probability p; exact at 0 and 1. */
static inline u64 ls_threshold(f64 p) { return (u64)(p * 0x1p63); }
static inline bool ls_happens(u64 draw, u64 threshold) { return draw >> 1 < threshold; }

/* A bijection of 0 .. n-1: rounds of odd multiplication and shift-xor over the next power of two, walked
 * along its cycle until it falls below n (fewer than two rounds on average). x < n. */
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
