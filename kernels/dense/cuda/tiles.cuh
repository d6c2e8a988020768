/* Updates of a matrix in tiles of 64 x 64, in place, one block of threads per tile: C = C + A * B over a semiring, where A and B
 * are parts of the same matrix, at most 64 deep. Unlike panels.cuh it reads the matrix without packing, so that small matrices
 * need only one pass. */
#ifndef DENSE_TILES_CUH
#define DENSE_TILES_CUH

#include <cooperative_groups.h>

#include "dense/cuda/parts.cuh"
#include "dense/cuda/pivot.cuh"

constexpr int TILE_THREADS = 256, TILE_PITCH = INNER + 4; /* pitch in elements: keeps vectors aligned, avoids bank conflicts */

/* Each thread of a block has 4 x 4 elements; thread (tx, ty) has columns from 4 * tx and rows from 4 * ty on. */
template <class T> struct tile_room { /* shared memory for both operands, indexed by depth, then by row or column */
  static constexpr int DEPTH = sizeof(T) == 8 ? 32 : 64; /* depth that fits at a time */
  __align__(16) T left[DEPTH][TILE_PITCH], right[DEPTH][TILE_PITCH];
};

/* Loads rows [i0, i1) and columns [j0, j1) of D, at most 64 of each, into c in the working form. */
template <class R>
static __device__ __forceinline__ void load_tile(const part_of<typename R::element> &p, u32 i0, u32 i1, u32 j0, u32 j1,
                                                 typename R::element (&c)[4][4], bool &bad) {
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int s = 0; s < 4; s++) {
      const u32 i = i0 + threadIdx.x / 16 * 4 + r, j = j0 + threadIdx.x % 16 * 4 + s;
      typename R::element x = R::stored_zero();
      if (i < i1 && j < j1) x = p.D[(u64)i * p.ld + j];
      bad |= R::wrong(x);
      c[r][s] = R::enter(x);
    }
}

/* Stores c back into D, except for elements in the pivot's rows (if not_rows) or columns (if not_cols). */
template <class R>
static __device__ __forceinline__ void store_tile(const part_of<typename R::element> &p, u32 i0, u32 i1, u32 j0, u32 j1,
                                                  bool not_rows, bool not_cols, const typename R::element (&c)[4][4], bool &bad) {
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int s = 0; s < 4; s++) {
      const u32 i = i0 + threadIdx.x / 16 * 4 + r, j = j0 + threadIdx.x % 16 * 4 + s;
      if (i >= i1 || j >= j1) continue;
      if ((not_rows && i >= p.k0 && i < p.k1) || (not_cols && j >= p.k0 && j < p.k1)) continue;
      p.D[(u64)i * p.ld + j] = R::leave(c[r][s], bad);
    }
}

/* Copy the operands' part of depth [k, k + DEPTH) into shared memory, in the working form. */
template <class R>
static __device__ __forceinline__ void stage_left(const part_of<typename R::element> &p, tile_room<typename R::element> &sh, u32 i0,
                                                  u32 i1, u32 k) {
  constexpr int DEPTH = tile_room<typename R::element>::DEPTH;
  for (int at = threadIdx.x; at < DEPTH * INNER; at += TILE_THREADS) { /* 8 columns x 4 rows per warp: no bank conflicts */
    const int lane = at % 32, warp = at / 32;
    const u32 kk = (u32)(warp % (DEPTH / 8) * 8 + lane / 4), i = (u32)(warp / (DEPTH / 8) * 4 + lane % 4);
    const bool in = k + kk < p.k1 && i0 + i < i1;
    sh.left[kk][i] = in ? R::enter(p.D[(u64)(i0 + i) * p.ld + k + kk]) : R::zero();
  }
}
template <class R>
static __device__ __forceinline__ void stage_right(const part_of<typename R::element> &p, tile_room<typename R::element> &sh,
                                                   u32 j0, u32 j1, u32 k) {
  for (int at = threadIdx.x; at < tile_room<typename R::element>::DEPTH * INNER; at += TILE_THREADS) {
    const u32 kk = (u32)at / INNER, j = (u32)at % INNER;
    const bool in = k + kk < p.k1 && j0 + j < j1;
    sh.right[kk][j] = in ? R::enter(p.D[(u64)(k + kk) * p.ld + j0 + j]) : R::zero();
  }
}

/* c = c + left * right. */
template <class R>
static __device__ __forceinline__ void merge_tile(const tile_room<typename R::element> &sh, typename R::element (&c)[4][4], bool &bad) {
  typedef typename R::element T;
  constexpr bool pairs = by_pairs<R>();
  u32 two[4][2];
  if constexpr (pairs) {
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
      for (int s = 0; s < 2; s++) two[r][s] = (u32)(u16)c[r][2 * s] | (u32)(u16)c[r][2 * s + 1] << 16;
  }
#pragma unroll 4
  for (int kk = 0; kk < tile_room<T>::DEPTH; kk += 2) {
    vector_of<T> a[2], b[2];
#pragma unroll
    for (int h = 0; h < 2; h++) {
      a[h].load(&sh.left[kk + h][threadIdx.x / 16 * 4]);
      b[h].load(&sh.right[kk + h][threadIdx.x % 16 * 4]);
    }
    if constexpr (pairs) {
#pragma unroll
      for (int h = 0; h < 2; h++)
#pragma unroll
        for (int r = 0; r < 4; r++) {
          const u32 twice = __byte_perm(r < 2 ? a[h].v[0].x : a[h].v[0].y, 0, r % 2 ? 0x3232 : 0x1010); /* duplicates element r */
          two[r][0] = merge_pairs<R>(two[r][0], twice, b[h].v[0].x);
          two[r][1] = merge_pairs<R>(two[r][1], twice, b[h].v[0].y);
        }
    } else {
#pragma unroll
      for (int r = 0; r < 4; r++)
#pragma unroll
        for (int s = 0; s < 4; s++) c[r][s] = R::merge_two(c[r][s], a[0].x[r], b[0].x[s], a[1].x[r], b[1].x[s], bad);
    }
  }
  if constexpr (pairs) {
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
      for (int s = 0; s < 4; s++) c[r][s] = (T)(two[r][s / 2] >> s % 2 * 16);
  }
}

/* Updates rows [i0, i1) and columns [j0, j1) of D by the product of the pivot's columns and rows. */
template <class R>
static __device__ __forceinline__ void update_tile(const part_of<typename R::element> &p, tile_room<typename R::element> &sh, u32 i0,
                                                   u32 i1, u32 j0, u32 j1, bool not_rows, bool not_cols) {
  typename R::element c[4][4];
  bool bad = false;
  load_tile<R>(p, i0, i1, j0, j1, c, bad);
  for (u32 k = p.k0; k < p.k1; k += tile_room<typename R::element>::DEPTH) {
    if (k > p.k0) __syncthreads();
    stage_left<R>(p, sh, i0, i1, k);
    stage_right<R>(p, sh, j0, j1, k);
    __syncthreads();
    merge_tile<R>(sh, c, bad);
  }
  __syncthreads(); /* all threads have read the elements that are now overwritten */
  store_tile<R>(p, i0, i1, j0, j1, not_rows, not_cols, c, bad);
  if (bad) store_relaxed(p.overflow, 1u);
}

/* Phase 2: updates the pivot's rows (blockIdx.y = 0) and columns (1). */
template <class R>
static __global__ __launch_bounds__(TILE_THREADS) void cross_kernel(const part_of<typename R::element> p) {
  const u32 from = p.lo + blockIdx.x * INNER, to = min(from + INNER, p.hi);
  __shared__ tile_room<typename R::element> sh;
  if (from >= p.k0 && to <= p.k1) return;
  if (blockIdx.y == 0)
    update_tile<R>(p, sh, p.k0, p.k1, from, to, false, true);
  else
    update_tile<R>(p, sh, from, to, p.k0, p.k1, true, false);
}

template <class R>
static __global__ __launch_bounds__(TILE_THREADS) void rest_kernel(const part_of<typename R::element> p) {
  const u32 i0 = p.lo + blockIdx.y * INNER, i1 = min(i0 + INNER, p.hi);
  const u32 j0 = p.lo + blockIdx.x * INNER, j1 = min(j0 + INNER, p.hi);
  __shared__ tile_room<typename R::element> sh;
  if ((i0 >= p.k0 && i1 <= p.k1) || (j0 >= p.k0 && j1 <= p.k1)) return;
  update_tile<R>(p, sh, i0, i1, j0, j1, true, true);
}

/* The block closes the diagonal tile [k0, k1); c becomes its elements in the stored form. D is not written. */
template <class R>
static __device__ __forceinline__ void close_pivot(const part_of<typename R::element> &p, pivot_room<R> &sh,
                                                   typename R::element (&c)[4][4], bool &bad) {
  typedef typename R::element T;
  const u32 size = p.k1 - p.k0;
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int s = 0; s < 4; s++) {
      const u32 i = threadIdx.x / 16 * 4 + r, j = threadIdx.x % 16 * 4 + s;
      T x = R::stored_zero();
      if (i < size && j < size) x = p.D[(u64)(p.k0 + i) * p.ld + p.k0 + j];
      bad |= R::wrong(x);
      c[r][s] = is_careful<R>() ? x : R::enter(x);
    }
  close_tile<R>(sh, size, c, bad);
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int s = 0; s < 4; s++)
      if (is_careful<R>())
        bad |= R::wrong(c[r][s]);
      else
        c[r][s] = R::leave(c[r][s], bad);
}

template <class T> static __device__ __forceinline__ void store_pivot(const part_of<T> &p, const T (&c)[4][4]) {
  const u32 size = p.k1 - p.k0;
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int s = 0; s < 4; s++) {
      const u32 i = threadIdx.x / 16 * 4 + r, j = threadIdx.x % 16 * 4 + s;
      if (i < size && j < size) p.D[(u64)(p.k0 + i) * p.ld + p.k0 + j] = c[r][s];
    }
}

/* Phase 1, by one block, which may use all registers of a multiprocessor. */
template <class R> static __global__ __launch_bounds__(TILE_THREADS, 1) void pivot_kernel(const part_of<typename R::element> p) {
  __shared__ pivot_room<R> sh;
  typename R::element c[4][4];
  bool bad = false;
  close_pivot<R>(p, sh, c, bad);
  store_pivot(p, c);
  if (bad) store_relaxed(p.overflow, 1u);
}

/* Phase 2 for one tile: updates the tile [from, to) in the pivot's rows (or columns) by the pivot that the block has closed. */
template <class R>
static __device__ __forceinline__ void cross_tile(const part_of<typename R::element> &p, tile_room<typename R::element> &sh,
                                                  const typename R::element (&pivot)[4][4], u32 from, u32 to, bool column) {
  typedef typename R::element T;
  const u32 size = p.k1 - p.k0;
  T c[4][4];
  bool bad = false;
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int s = 0; s < 4; s++) {
      const u32 i = threadIdx.x / 16 * 4 + r, j = threadIdx.x % 16 * 4 + s;
      const T x = i < size && j < size ? R::enter(pivot[r][s]) : R::zero();
      if (column)
        sh.right[i][j] = x;
      else
        sh.left[j][i] = x;
    }
  if (column) {
    load_tile<R>(p, from, to, p.k0, p.k1, c, bad);
    stage_left<R>(p, sh, from, to, p.k0);
  } else {
    load_tile<R>(p, p.k0, p.k1, from, to, c, bad);
    stage_right<R>(p, sh, from, to, p.k0);
  }
  __syncthreads();
  merge_tile<R>(sh, c, bad);
  __syncthreads();
  if (column)
    store_tile<R>(p, from, to, p.k0, p.k1, false, false, c, bad);
  else
    store_tile<R>(p, p.k0, p.k1, from, to, false, false, c, bad);
  if (bad) store_relaxed(p.overflow, 1u);
}

/* Closes the parts of size x size elements on the diagonal of [lo, hi), one part per blockIdx.y, in one cooperative launch: in
 * tiles of 64, with two barriers over the grid per diagonal tile. Each block closes the pivot itself, which takes no longer than
 * waiting for another block to do it; one block writes it. */
template <class R, class P>
static __global__ __launch_bounds__(TILE_THREADS) void close_kernel(part_of<typename R::element> p, u32 size) {
  typedef typename R::element T;
  __shared__ tile_room<T> sh;
  __shared__ pivot_room<P> of_pivot;
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  p.lo += blockIdx.y * size, p.hi = min(p.lo + size, p.hi);
  const u32 tiles = (p.hi - p.lo + INNER - 1) / INNER; /* the last part may have fewer tiles than the others */
  for (u32 t = 0; t * INNER < size; t++) {
    p.k0 = p.lo + t * INNER;
    p.k1 = min(p.k0 + INNER, p.hi);
    if (t < tiles && blockIdx.x < 2 * tiles) {
      T pivot[4][4];
      bool bad = false;
      close_pivot<P>(p, of_pivot, pivot, bad);
      if (bad) store_relaxed(p.overflow, 1u);
      for (u32 b = blockIdx.x; b < 2 * tiles; b += gridDim.x) {
        const u32 from = p.lo + b / 2 * INNER;
        __syncthreads();
        if (b / 2 != t) cross_tile<R>(p, sh, pivot, from, min(from + INNER, p.hi), b % 2);
      }
      grid.sync(); /* all blocks have read the old pivot */
      if (blockIdx.x == 0) store_pivot(p, pivot);
    } else {
      grid.sync();
    }
    for (u32 b = blockIdx.x; t < tiles && b < (tiles - 1) * (tiles - 1); b += gridDim.x) {
      const u32 y = b / (tiles - 1), x = b % (tiles - 1); /* not counting the pivot's row and column of tiles */
      const u32 i0 = p.lo + (y + (y >= t)) * INNER, j0 = p.lo + (x + (x >= t)) * INNER;
      __syncthreads();
      update_tile<R>(p, sh, i0, min(i0 + INNER, p.hi), j0, min(j0 + INNER, p.hi), false, false);
    }
    grid.sync();
  }
}

#endif
