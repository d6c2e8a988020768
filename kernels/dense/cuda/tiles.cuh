/* A block of threads updates 64 x 64 elements of a matrix in place, by a column of tiles and a row of tiles of the same
 * matrix: C = C + A * B over a semiring, where A and B are at most 64 deep. It reads the matrix as it is, so that small
 * matrices need no further pass. */
#ifndef DENSE_TILES_CUH
#define DENSE_TILES_CUH

#include "dense/cuda/parts.cuh"
#include "dense/cuda/ring.cuh"
#include "dense/dense.h"

constexpr int TILE_THREADS = 256, TILE_PITCH = INNER + 4; /* elements; keeps vectors aligned and banks apart */

/* Rows i0 .. i1-1 and columns j0 .. j1-1 of D, 64 of each at most. What lies in the pivot's rows (not_rows) or columns
 * (not_cols) is left as it is. */
template <class R>
static __device__ __forceinline__ void update_tile(const part_of<typename R::element> &p, u32 i0, u32 i1, u32 j0, u32 j1,
                                                   bool not_rows, bool not_cols) {
  typedef typename R::element T;
  constexpr int DEPTH = sizeof(T) == 8 ? 32 : 64; /* at a time */
  __shared__ __align__(16) T left[DEPTH][TILE_PITCH], right[DEPTH][TILE_PITCH];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  bool bad = false;
  T c[4][4];
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int s = 0; s < 4; s++) {
      const u32 i = i0 + ty * 4 + r, j = j0 + tx * 4 + s;
      T x = R::stored_zero();
      if (i < i1 && j < j1) x = p.D[i * p.ld + j];
      bad |= R::wrong(x);
      c[r][s] = R::enter(x);
    }
  for (u32 k = p.k0; k < p.k1; k += DEPTH) {
    if (k > p.k0) __syncthreads();
    for (int at = tid; at < DEPTH * INNER; at += TILE_THREADS) { /* eight columns of four rows a warp: no two on a bank */
      const int lane = at % 32, warp = at / 32;
      const u32 kk = (u32)(warp % (DEPTH / 8) * 8 + lane / 4), i = (u32)(warp / (DEPTH / 8) * 4 + lane % 4);
      const bool in = k + kk < p.k1 && i0 + i < i1;
      left[kk][i] = in ? R::enter(p.D[(u64)(i0 + i) * p.ld + k + kk]) : R::zero();
    }
    for (int at = tid; at < DEPTH * INNER; at += TILE_THREADS) {
      const u32 kk = (u32)at / INNER, j = (u32)at % INNER;
      const bool in = k + kk < p.k1 && j0 + j < j1;
      right[kk][j] = in ? R::enter(p.D[(u64)(k + kk) * p.ld + j0 + j]) : R::zero();
    }
    __syncthreads();
#pragma unroll 4
    for (int kk = 0; kk < DEPTH; kk += 2) {
      vector_of<T> a[2], b[2];
#pragma unroll
      for (int h = 0; h < 2; h++) {
        a[h].load(&left[kk + h][ty * 4]);
        b[h].load(&right[kk + h][tx * 4]);
      }
#pragma unroll
      for (int r = 0; r < 4; r++)
#pragma unroll
        for (int s = 0; s < 4; s++) c[r][s] = R::merge_two(c[r][s], a[0].x[r], b[0].x[s], a[1].x[r], b[1].x[s], bad);
    }
  }
  __syncthreads(); /* all have read what is now written */
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int s = 0; s < 4; s++) {
      const u32 i = i0 + ty * 4 + r, j = j0 + tx * 4 + s;
      if (i >= i1 || j >= j1) continue;
      if ((not_rows && i >= p.k0 && i < p.k1) || (not_cols && j >= p.k0 && j < p.k1)) continue;
      p.D[i * p.ld + j] = R::leave(c[r][s], bad);
    }
  if (bad) store_relaxed(p.overflow, 1u);
}

/* The pivot's rows (blockIdx.y = 0) and columns (1). */
template <class R>
static __global__ __launch_bounds__(TILE_THREADS) void cross_kernel(const part_of<typename R::element> p) {
  const u32 from = p.lo + blockIdx.x * INNER, to = min(from + INNER, p.hi);
  if (from >= p.k0 && to <= p.k1) return;
  if (blockIdx.y == 0)
    update_tile<R>(p, p.k0, p.k1, from, to, false, true);
  else
    update_tile<R>(p, from, to, p.k0, p.k1, true, false);
}

template <class R>
static __global__ __launch_bounds__(TILE_THREADS) void rest_kernel(const part_of<typename R::element> p) {
  const u32 i0 = p.lo + blockIdx.y * INNER, i1 = min(i0 + INNER, p.hi);
  const u32 j0 = p.lo + blockIdx.x * INNER, j1 = min(j0 + INNER, p.hi);
  if ((i0 >= p.k0 && i1 <= p.k1) || (j0 >= p.k0 && j1 <= p.k1)) return;
  update_tile<R>(p, i0, i1, j0, j1, true, true);
}

/* The sum of two elements along a path, checked: for tiles whose elements may be negative, where 64 sums in a row may
 * leave the working form. In the stored form. */
template <class R>
static __device__ __forceinline__ typename R::element checked(typename R::element c, typename R::element a,
                                                              typename R::element b, bool &bad) {
  typedef typename R::element T;
  const T none = R::stored_zero();
  if (a == none || b == none) return c;
  const T sum = (T)((u64)a + (u64)b);
  bool over = ((a ^ sum) & (b ^ sum)) < 0 || sum == none;
  bad |= over;
  return !over && R::better(sum, c) ? sum : c;
}

/* One block closes the tile [k0, k1): Floyd-Warshall with 4 x 4 elements a thread. Row and column k lie in shared memory,
 * those of the next k are put there in the same step. */
template <class R> static __global__ __launch_bounds__(TILE_THREADS) void pivot_kernel(const part_of<typename R::element> p) {
  typedef typename R::element T;
  constexpr bool careful = R::whole && R::sums && !(R::positive && R::semiring == MIN_PLUS);
  __shared__ __align__(16) T row[2][INNER], col[2][INNER];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const u32 size = p.k1 - p.k0;
  bool bad = false;
  T c[4][4];
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int s = 0; s < 4; s++) {
      const u32 i = ty * 4 + r, j = tx * 4 + s;
      T x = R::stored_zero();
      if (i < size && j < size) x = p.D[(u64)(p.k0 + i) * p.ld + p.k0 + j];
      bad |= R::wrong(x);
      c[r][s] = careful ? x : R::enter(x);
    }
  if (ty == 0)
#pragma unroll
    for (int s = 0; s < 4; s++) row[0][tx * 4 + s] = c[0][s];
  if (tx == 0)
#pragma unroll
    for (int r = 0; r < 4; r++) col[0][ty * 4 + r] = c[r][0];
  for (int of = 0; of < INNER / 4; of++) {
    if (of * 4 >= (int)size) break;
#pragma unroll
    for (int q = 0; q < 4; q++) {
      const int k = of * 4 + q;
      __syncthreads();
      vector_of<T> a, b;
      a.load(&col[q & 1][ty * 4]);
      b.load(&row[q & 1][tx * 4]);
#pragma unroll
      for (int r = 0; r < 4; r++)
#pragma unroll
        for (int s = 0; s < 4; s++) {
          T x;
          if constexpr (careful)
            x = checked<R>(c[r][s], a.x[r], b.x[s], bad);
          else
            x = R::merge(c[r][s], a.x[r], b.x[s], bad);
          if (R::positive || (ty * 4 + r != k && tx * 4 + s != k)) c[r][s] = x;
        }
      const int next = (q + 1) & 3, owner = q == 3 ? of + 1 : of;
      if (ty == owner)
#pragma unroll
        for (int s = 0; s < 4; s++) row[(q + 1) & 1][tx * 4 + s] = c[next][s];
      if (tx == owner)
#pragma unroll
        for (int r = 0; r < 4; r++) col[(q + 1) & 1][ty * 4 + r] = c[r][next];
    }
  }
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int s = 0; s < 4; s++) {
      const u32 i = ty * 4 + r, j = tx * 4 + s;
      if (i >= size || j >= size) continue;
      T x = c[r][s];
      if constexpr (careful)
        bad |= R::wrong(x);
      else
        x = R::leave(x, bad);
      p.D[(u64)(p.k0 + i) * p.ld + p.k0 + j] = x;
    }
  if (bad) store_relaxed(p.overflow, 1u);
}

/* Closes the part [lo, hi) of D by tiles of 64: three launches a tile. */
template <class R, class P> static void close_part(part_of<typename R::element> p, cudaStream_t stream) {
  const u32 tiles = (p.hi - p.lo + INNER - 1) / INNER;
  for (u32 k = p.lo; k < p.hi; k += INNER) {
    p.k0 = k, p.k1 = p.hi - k < INNER ? p.hi : k + INNER;
    pivot_kernel<P><<<1, TILE_THREADS, 0, stream>>>(p);
    if (tiles == 1) return;
    cross_kernel<R><<<dim3(tiles, 2), TILE_THREADS, 0, stream>>>(p);
    rest_kernel<R><<<dim3(tiles, tiles), TILE_THREADS, 0, stream>>>(p);
  }
}

#endif
