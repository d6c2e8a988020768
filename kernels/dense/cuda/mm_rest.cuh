/* mm_rest on CUDA, figure 4.9 of the thesis: the elements of a thread's column are in registers, those of the pivot's
 * columns in shared memory; an element of the pivot's rows is read once for 16 updates. */
#include "dense/close.h"
#include "dense/cuda/tiles.cuh"

#ifndef MM_REST_KERNEL
#define MM_REST_KERNEL
constexpr u32 MM_ROWS = 16, MM_COLS = 64, MM_DEPTH = 64; /* MM_DEPTH columns of the left operand are in shared memory at a time */

template <class R> static __global__ __launch_bounds__(MM_COLS) void mm_kernel(const part_of<typename R::element> p, u32 l) {
  typedef typename R::element T;
  __shared__ __align__(16) T left[MM_DEPTH][MM_ROWS];
  const u32 i0 = blockIdx.y * MM_ROWS, rows = min(MM_ROWS, p.hi - i0);
  if (i0 >= p.k0 && i0 < p.k1) return; /* the pivot's rows; tile is a multiple of 16, so a block has all or none of them */
  bool bad = false;
  for (u32 k = p.k0; k < p.k1; k += MM_DEPTH) {
    const u32 deep = min(MM_DEPTH, p.k1 - k);
    if (k > p.k0) __syncthreads();
    for (u32 at = threadIdx.x; at < MM_DEPTH * MM_ROWS; at += MM_COLS) {
      const u32 kk = at % MM_DEPTH, i = at / MM_DEPTH;
      left[kk][i] = kk < deep && i < rows ? R::enter(p.D[(u64)(i0 + i) * p.ld + k + kk]) : R::zero();
    }
    __syncthreads();
    for (u32 s = 0; s < l; s++) {
      const u32 j = (blockIdx.x * l + s) * MM_COLS + threadIdx.x;
      if (j >= p.hi) break;
      T c[MM_ROWS];
#pragma unroll
      for (u32 i = 0; i < MM_ROWS; i++) {
        const T x = i < rows ? p.D[(u64)(i0 + i) * p.ld + j] : R::stored_zero();
        bad |= R::wrong(x);
        c[i] = R::enter(x);
      }
      const T *right = p.D + (u64)k * p.ld + j;
#pragma unroll 16
      for (u32 kk = 0; kk < deep; kk++) {
        const T b = R::enter(right[(u64)kk * p.ld]);
#pragma unroll
        for (u32 g = 0; g < MM_ROWS / 4; g++) {
          vector_of<T> a;
          a.load(&left[kk][g * 4]);
#pragma unroll
          for (u32 i = 0; i < 4; i++) c[g * 4 + i] = R::merge(c[g * 4 + i], a.x[i], b, bad);
        }
      }
      if (j >= p.k0 && j < p.k1) continue;
#pragma unroll
      for (u32 i = 0; i < MM_ROWS; i++)
        if (i < rows) p.D[(u64)(i0 + i) * p.ld + j] = R::leave(c[i], bad);
    }
  }
  if (bad) store_relaxed(p.overflow, 1u);
}
#endif

CUDA_LIBRARY(mm_rest) {
  part_of<W> p = {a->D, a->n, 0, a->n, 0, 0, a->overflow};
  const ls_status st = close_range("mm_rest", a->n, a->k, a->tiles, a->tile, &p.k0, &p.k1);
  if (st || a->tiles == 1) return st;
  const u32 l = a->l ? a->l : 1;
  return closing_with<W>(a->semiring, a->positive, [&](auto r) {
    const dim3 blocks((u32)(((u64)a->n + (u64)MM_COLS * l - 1) / ((u64)MM_COLS * l)), (a->n + MM_ROWS - 1) / MM_ROWS);
    mm_kernel<typename decltype(r)::many><<<blocks, MM_COLS, 0, stream>>>(p, l);
    return LS_OK;
  });
}
