/* C = C + A * B over a semiring, for large matrices. A and B are first packed into panels, which are padded and read in
 * memory order. Then a block of threads computes 128 x 128 (or 64 x 64) elements of C, each thread 8 x 8 (4 x 4) of them in
 * registers, while the next 16 rows of both panels are copied to shared memory asynchronously. */
#ifndef DENSE_PANELS_CUH
#define DENSE_PANELS_CUH

#include <cuda_pipeline.h>

#include "dense/cuda/parts.cuh"
#include "dense/cuda/ring.cuh"

constexpr u32 PANEL_EDGE = 128, PANEL_STEP = 16; /* panels are padded to multiples of these */

static inline u32 padded(u32 x, u32 edge) { return (x + edge - 1) / edge * edge; }

/* If two 16-bit updates are made per word, each element of A is combined with two of B. The left panel therefore stores each
 * element twice, in one word, so that the inner loop needs no instruction to duplicate it. */
template <class R> using left_element = typename std::conditional<by_pairs<R>(), u32, typename R::element>::type;
template <class R> static __device__ __forceinline__ left_element<R> as_left(typename R::element x) {
  if constexpr (by_pairs<R>()) return (u32)(u16)x * 0x10001u;
  else return x;
}

/* Two panels of the same depth: left[k][i] = A[i][k], right[k][j] = B[k][j]. */
template <class R> struct panels_of {
  left_element<R> *left;
  typename R::element *right;
  u32 rows, cols, depth;              /* A is rows x depth, B is depth x cols */
  u32 left_pitch, right_pitch, steps; /* padded row lengths; depth in steps of PANEL_STEP */
};

/* Packs the panels; one block per tile of 32 x 32. blockIdx.z: 0 the left panel, 1 the right one. */
template <class R>
static __global__ void pack_kernel(const panels_of<R> p, const typename R::element *A, u64 a_ld,
                                   const typename R::element *B, u64 b_ld, u32 *overflow) {
  typedef typename R::element T;
  __shared__ T tile[32][33];
  const u32 x = threadIdx.x, k0 = blockIdx.y * 32, depth = p.steps * PANEL_STEP;
  bool bad = false;
  if (blockIdx.z == 0) {
    const u32 i0 = blockIdx.x * 32;
    if (i0 >= p.left_pitch) return;
    for (u32 y = threadIdx.y; y < 32; y += blockDim.y) {
      T value = R::stored_zero();
      const bool in = i0 + y < p.rows && k0 + x < p.depth;
      if (in) value = A[(u64)(i0 + y) * a_ld + k0 + x];
      if (in) bad |= R::wrong(value);
      tile[y][x] = in ? R::enter(value) : R::zero();
    }
    __syncthreads();
    for (u32 y = threadIdx.y; y < 32 && k0 + y < depth; y += blockDim.y)
      p.left[(u64)(k0 + y) * p.left_pitch + i0 + x] = as_left<R>(tile[x][y]);
  } else {
    const u32 j0 = blockIdx.x * 32;
    if (j0 >= p.right_pitch) return;
    for (u32 y = threadIdx.y; y < 32 && k0 + y < depth; y += blockDim.y) {
      T value = R::stored_zero();
      const bool in = j0 + x < p.cols && k0 + y < p.depth;
      if (in) value = B[(u64)(k0 + y) * b_ld + j0 + x];
      if (in) bad |= R::wrong(value);
      p.right[(u64)(k0 + y) * p.right_pitch + j0 + x] = in ? R::enter(value) : R::zero();
    }
  }
  if (bad) store_relaxed(overflow, 1u);
}

/* Loads four elements of C into the working form: by one vector load if rows are aligned and all four exist (room), else one
 * by one. */
template <class R>
static __device__ __forceinline__ void take_four(const typename R::element *p, bool aligned, u32 room, typename R::element *c,
                                                 bool &bad) {
  typedef typename R::element T;
  vector_of<T> v;
  if (aligned && room >= 4) {
    v.load(p);
  } else {
#pragma unroll
    for (u32 s = 0; s < 4; s++) v.x[s] = s < room ? p[s] : R::stored_zero();
  }
#pragma unroll
  for (int s = 0; s < 4; s++) bad |= R::wrong(v.x[s]), c[s] = R::enter(v.x[s]);
}

/* Computes EDGE x EDGE elements of C per block; each thread computes 4 x 4 elements of each 64 x 64. */
template <class R, int EDGE>
static __global__ __launch_bounds__(256, 2) void panel_kernel(const panels_of<R> p, typename R::element *C, u64 ld,
                                                              bool aligned, left_out no, needed of, u32 *overflow) {
  typedef typename R::element T;
  constexpr int GROUPS = EDGE / 64, N = GROUPS * 4; /* a thread has N x N elements */
  typedef left_element<R> L;
  constexpr bool pairs = by_pairs<R>();
  constexpr int PIECES = PANEL_STEP * EDGE * sizeof(T) / 16 / 256, ROW = EDGE * sizeof(T) / 16; /* in units of 16 bytes */
  __shared__ __align__(16) L left[2][PANEL_STEP][EDGE];
  __shared__ __align__(16) T right[2][PANEL_STEP][EDGE];
  const u32 i0 = blockIdx.y * EDGE, j0 = blockIdx.x * EDGE;
  if ((i0 >= no.row && min(i0 + EDGE, p.rows) <= no.row_end) || (j0 >= no.col && min(j0 + EDGE, p.cols) <= no.col_end)) return;
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const auto fetch = [&](u32 step) {
    const L *a = p.left + (u64)step * PANEL_STEP * p.left_pitch + i0;
    const T *b = p.right + (u64)step * PANEL_STEP * p.right_pitch + j0;
#pragma unroll
    for (int i = 0; i < PIECES; i++) {
      const int at = tid + i * 256, k = at / ROW, x = at % ROW * (16 / (int)sizeof(L)), y = at % ROW * (16 / (int)sizeof(T));
      __pipeline_memcpy_async(&left[step & 1][k][x], a + (u64)k * p.left_pitch + x, 16);
      if (pairs) __pipeline_memcpy_async(&left[step & 1][k][x + EDGE / 2], a + (u64)k * p.left_pitch + x + EDGE / 2, 16);
      __pipeline_memcpy_async(&right[step & 1][k][y], b + (u64)k * p.right_pitch + y, 16);
    }
    __pipeline_commit();
  };
  const i64 begin = max(of.from + i0, (i64)0) / PANEL_STEP, end = (of.past + j0 + EDGE + PANEL_STEP - 1) / PANEL_STEP;
  const u32 first = (u32)min(begin, (i64)p.steps), past = (u32)max(min(end, (i64)p.steps), (i64)first);
  if (first == past) return;
  fetch(first);
  bool bad = false;
  T c[pairs ? 1 : N][pairs ? 1 : N];
  u32 two[pairs ? N : 1][pairs ? N / 2 : 1];
#pragma unroll
  for (int r = 0; r < N; r++)
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
      const u32 i = i0 + r / 4 * 64 + ty * 4 + r % 4, j = j0 + g * 64 + tx * 4;
      const u32 room = i < p.rows && j < p.cols ? p.cols - j : 0;
      if constexpr (pairs) {
        T four[4];
        take_four<R>(C + i * ld + j, aligned, room, four, bad);
        two[r][g * 2] = (u32)(u16)four[0] | (u32)(u16)four[1] << 16;
        two[r][g * 2 + 1] = (u32)(u16)four[2] | (u32)(u16)four[3] << 16;
      } else {
        take_four<R>(C + i * ld + j, aligned, room, &c[r][g * 4], bad);
      }
    }
  for (u32 step = first; step < past; step++) {
    __pipeline_wait_prior(0);
    __syncthreads();
    if (step + 1 < past) fetch(step + 1);
#pragma unroll R::semiring == PLUS_TIMES ? 1 : 8
    for (int k = 0; k < (int)PANEL_STEP; k += 2) {
      vector_of<L> a[2][GROUPS];
      vector_of<T> b[2][GROUPS];
#pragma unroll
      for (int h = 0; h < 2; h++)
#pragma unroll
        for (int g = 0; g < GROUPS; g++) {
          a[h][g].load(&left[step & 1][k + h][g * 64 + ty * 4]);
          b[h][g].load(&right[step & 1][k + h][g * 64 + tx * 4]);
        }
      if constexpr (pairs) {
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
          for (int r = 0; r < N; r++)
#pragma unroll
            for (int s = 0; s < N / 2; s++)
              two[r][s] =
                  merge_pairs<R>(two[r][s], a[h][r / 4].x[r % 4], s % 2 ? (u32)b[h][s / 2].v[0].y : (u32)b[h][s / 2].v[0].x);
      } else {
#pragma unroll
        for (int r = 0; r < N; r++)
#pragma unroll
          for (int s = 0; s < N; s++)
            c[r][s] = R::merge_two(c[r][s], a[0][r / 4].x[r % 4], b[0][s / 4].x[s % 4], a[1][r / 4].x[r % 4], b[1][s / 4].x[s % 4],
                                   bad);
      }
    }
  }
#pragma unroll
  for (int r = 0; r < N; r++)
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
      const u32 i = i0 + r / 4 * 64 + ty * 4 + r % 4, j = j0 + g * 64 + tx * 4;
      if (i >= p.rows || j >= p.cols || (i >= no.row && i < no.row_end)) continue;
      vector_of<T> v;
#pragma unroll
      for (int s = 0; s < 4; s++) {
        if constexpr (pairs) v.x[s] = R::leave((T)(two[r][(g * 4 + s) / 2] >> s % 2 * 16), bad);
        else v.x[s] = R::leave(c[r][g * 4 + s], bad);
      }
      T *to = C + i * ld + j;
      if (aligned && j + 4 <= p.cols && (j >= no.col_end || j + 4 <= no.col)) {
        v.store(to);
      } else {
#pragma unroll
        for (u32 s = 0; s < 4; s++)
          if (j + s < p.cols && (j + s < no.col || j + s >= no.col_end)) to[s] = v.x[s];
      }
    }
  if (bad) store_relaxed(overflow, 1u);
}

/* C = C + A * B, where A is rows x depth and B depth x cols; depth <= PANEL_MOST. A and B may be parts of C: they are
 * packed before C is written. */
template <class R>
static ls_status multiply_panels(ls_launch *L, matrix_at<typename R::element> C, matrix_at<const typename R::element> A,
                                 matrix_at<const typename R::element> B, u32 rows, u32 cols, u32 depth, left_out no, needed of,
                                 u32 *overflow, cudaStream_t stream) {
  typedef typename R::element T;
  if (!rows || !cols || !depth) return LS_OK;
  panels_of<R> p = {};
  p.rows = rows, p.cols = cols, p.depth = depth;
  p.left_pitch = padded(rows, PANEL_EDGE), p.right_pitch = padded(cols, PANEL_EDGE);
  p.steps = padded(depth, PANEL_STEP) / PANEL_STEP;
  const u64 deep = (u64)p.steps * PANEL_STEP;
  void *scratch;
  ls_status st = ls_cuda_scratch(L, (p.left_pitch * sizeof(left_element<R>) + p.right_pitch * sizeof(T)) * deep, &scratch);
  if (st) return st;
  p.left = (left_element<R> *)scratch, p.right = (T *)(p.left + (u64)p.left_pitch * deep);
  const u32 longer = p.left_pitch > p.right_pitch ? p.left_pitch : p.right_pitch;
  pack_kernel<R><<<dim3(longer / 32, (u32)(deep + 31) / 32, 2), dim3(32, 8), 0, stream>>>(p, A.at, A.ld, B.at, B.ld, overflow);
  const bool aligned = C.ld * sizeof(T) % 16 == 0 && (uintptr_t)C.at % 16 == 0;
  const u64 large = (u64)(p.left_pitch / 128) * (p.right_pitch / 128);
  const dim3 of_64(p.right_pitch / 64, p.left_pitch / 64), of_128(p.right_pitch / 128, p.left_pitch / 128);
  if constexpr (sizeof(T) <= 4)
    if (large >= 256 || sizeof(T) < 4) { /* 256 threads that copy 16 bytes each copy 16 x 128 2-byte elements */
      panel_kernel<R, 128><<<of_128, 256, 0, stream>>>(p, C.at, C.ld, aligned, no, of, overflow);
      return LS_OK;
    }
  if constexpr (sizeof(T) >= 4) panel_kernel<R, 64><<<of_64, 256, 0, stream>>>(p, C.at, C.ld, aligned, no, of, overflow);
  return LS_OK;
}

#endif
