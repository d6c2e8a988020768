/* One block of threads per instance: the loops that the threads share, and tables of operations
 * (lua/ensemble/ensemble_block.lua).
 *
 *   EACH_FROM(k, n, first)  a loop over k < n; iteration k is run by thread (k + first) % blockDim.x
 *   BLOCK_TABLE             before a constant table */
#ifndef ENSEMBLE_BLOCK_H
#define ENSEMBLE_BLOCK_H

#include "language/kernel.h"

#ifdef __CUDACC__
#define BLOCK_TABLE static __device__ const
#define SHARED_ARRAY(name, size) __shared__ f64 name[size]
#define FIRST_THREAD (threadIdx.x == 0)
#define EACH_FROM(k, n, first)                                                                               \
  for (u32 k = (threadIdx.x - (first)) & (blockDim.x - 1); k < (n); k += blockDim.x)
#else
#define BLOCK_TABLE static const
#define SHARED_ARRAY(name, size) f64 name[size]
#define FIRST_THREAD true
#define EACH_FROM(k, n, first) for (u32 k = 0; k < (n); k++)
#endif

/* Place k of the values of an instance: those of the states are in y. */
#define LEAF(k) ((k) < STATES ? y : g)[k]

enum { BLOCK_SUMS = 32 }; /* elements of `work` for block_sum, one for each warp */

/* The sum of x over the block's threads, the same in all of them. */
LS_INLINE f64 block_sum(f64 x, f64 *parts) {
#ifdef __CUDACC__
  for (u32 d = 16; d > 0; d /= 2) x += __shfl_xor_sync(0xffffffffu, x, d);
  __syncthreads();
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = x;
  __syncthreads();
  x = 0;
  for (u32 w = 0; w < blockDim.x / 32; w++) x += parts[w];
#endif
  (void)parts;
  return x;
}

/* Operations on the elements of an array that are computed in levels, with a barrier after each: those of
 * level l are first[l] .. first[l + 1] - 1. Operation o subtracts from its target the products of the pairs
 * from[o] .. from[o + 1] - 1 of elements b and c; then with[o] says what follows. */
typedef struct block_operations {
  u32 levels;
  const u32 *first, *target, *with, *from, *b, *c;
} block_operations;
enum {
  BLOCK_NO = 0xffffffff,
  BLOCK_INVERT = 0xfffffffe
}; /* with: nothing; invert; else multiply by that element */

/* Factors the matrix F. */
LS_INLINE void block_factor(const block_operations *s, f64 *F) {
  for (u32 l = 0; l < s->levels; l++) {
    EACH_FROM(k, s->first[l + 1] - s->first[l], 0) {
      const u32 op = s->first[l] + k, target = s->target[op], with = s->with[op];
      f64 x = F[target];
      for (u32 q = s->from[op]; q < s->from[op + 1]; q++) x -= F[s->b[q]] * F[s->c[q]];
      F[target] = with == BLOCK_INVERT ? 1 / x : with == BLOCK_NO ? x : x * F[with];
    }
    TILE_SYNC;
  }
}

/* Substitutes in the right side x, forwards or backwards. */
LS_INLINE void block_substitute(const block_operations *s, const f64 *F, f64 *x) {
  for (u32 l = 0; l < s->levels; l++) {
    EACH_FROM(k, s->first[l + 1] - s->first[l], 0) {
      const u32 op = s->first[l] + k, target = s->target[op], with = s->with[op];
      f64 sum = x[target];
      for (u32 q = s->from[op]; q < s->from[op + 1]; q++) sum -= F[s->b[q]] * x[s->c[q]];
      x[target] = with == BLOCK_NO ? sum : sum * F[with];
    }
    TILE_SYNC;
  }
}
#endif
