/* two_level_rest on CUDA, figures 4.10 and 4.11 of the thesis. */
#include "dense/close.h"
#include "dense/cuda/tiles.cuh"

#ifndef TWO_LEVEL_KERNEL
#define TWO_LEVEL_KERNEL
/* Each thread has N = tile / sub elements: rows i1, i1 + sub, i1 + 2 sub ... of column j of its tile. */
template <class R, int N>
static __global__ void two_level_kernel(const part_of<typename R::element> p, u32 tile, u32 tiles, u32 sub, u32 l) {
  typedef typename R::element T;
  __shared__ T left[1024], right[1024]; /* sub x tile elements of each operand */
  const u32 j = threadIdx.x % tile, i1 = threadIdx.x / tile, of = p.k0 / tile;
  bool bad = false;
  if (blockIdx.y == of) return;
  for (u32 s = 0; s < l; s++) {
    const u32 at = blockIdx.x * l + s, i0 = blockIdx.y * tile, col = at * tile + j;
    if (at >= tiles) break;
    if (at == of) continue;
    T c[N];
#pragma unroll
    for (u32 i2 = 0; i2 < N; i2++) {
      const u32 row = i0 + i2 * sub + i1;
      const T x = row < p.hi && col < p.hi ? p.D[(u64)row * p.ld + col] : R::stored_zero();
      bad |= R::wrong(x);
      c[i2] = R::enter(x);
    }
    for (u32 k = p.k0; k < p.k1; k += sub) {
      __syncthreads();
      const u32 kk = threadIdx.x % sub, i = threadIdx.x / sub;
      left[kk * tile + i] = k + kk < p.k1 && i0 + i < p.hi ? R::enter(p.D[(u64)(i0 + i) * p.ld + k + kk]) : R::zero();
      right[i1 * tile + j] = k + i1 < p.k1 && col < p.hi ? R::enter(p.D[(u64)(k + i1) * p.ld + col]) : R::zero();
      __syncthreads();
      for (u32 k2 = 0; k2 < sub; k2++) {
        const T b = right[k2 * tile + j];
#pragma unroll
        for (u32 i2 = 0; i2 < N; i2++) c[i2] = R::merge(c[i2], left[k2 * tile + i2 * sub + i1], b, bad);
      }
    }
#pragma unroll
    for (u32 i2 = 0; i2 < N; i2++) {
      const u32 row = i0 + i2 * sub + i1;
      if (row < p.hi && col < p.hi) p.D[(u64)row * p.ld + col] = R::leave(c[i2], bad);
    }
  }
  if (bad) store_relaxed(p.overflow, 1u);
}
#endif

CUDA_LIBRARY(two_level_rest) {
  part_of<W> p = {a->D, a->n, 0, a->n, 0, 0, a->overflow};
  const ls_status st = close_range("two_level_rest", a->n, a->k, a->tiles, a->tile, &p.k0, &p.k1);
  if (st || a->tiles == 1) return st;
  const u32 l = a->l ? a->l : 1, each = a->tile / a->sub;
  if (each > 16 || a->tile * a->sub > 1024)
    return ls_fail(LS_EARG, "two_level_rest: a tile of %u in parts of %u: expected at most 16 parts, and 1024 threads", a->tile,
                   a->sub);
  return closing_with<W>(a->semiring, a->positive, [&](auto r) {
    typedef typename decltype(r)::many R;
    const dim3 blocks((u32)(((u64)a->tiles + l - 1) / l), a->tiles);
    const u32 threads = a->tile * a->sub;
    if (each == 2) two_level_kernel<R, 2><<<blocks, threads, 0, stream>>>(p, a->tile, a->tiles, a->sub, l);
    if (each == 4) two_level_kernel<R, 4><<<blocks, threads, 0, stream>>>(p, a->tile, a->tiles, a->sub, l);
    if (each == 8) two_level_kernel<R, 8><<<blocks, threads, 0, stream>>>(p, a->tile, a->tiles, a->sub, l);
    if (each == 16) two_level_kernel<R, 16><<<blocks, threads, 0, stream>>>(p, a->tile, a->tiles, a->sub, l);
    return LS_OK;
  });
}
