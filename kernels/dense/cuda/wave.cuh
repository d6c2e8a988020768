/* Closes parts of a matrix (blocked Floyd-Warshall) in one launch, in which each block of threads keeps a tile
 * of 64 x 64 in registers from beginning to end. No grid-wide barrier is needed: a block waits only for the
 * tiles that it reads.
 *
 * In step k, the step of diagonal tile (k, k), there are four kinds of blocks:
 *
 *   (k, k)      closes its tile, and publishes it twice: as one of row k and as one of column k
 *   (k, j)      waits for (k, k); multiplies its tile by the closed one from the left; publishes it
 *   (i, k)      waits for (k, k); multiplies its tile by the closed one from the right; publishes it
 *   (i, j)      waits for (i, k) and (k, j); adds their product to its tile
 *
 * The last three share one code path: a tile is updated by the product of a left tile, from column k, and a
 * right one, from row k, and one of these may be the tile itself. To publish is to write the tile into device
 * memory and then to set a flag. Each step has its own memory, so that no block has to wait until a published
 * tile has been read.
 *
 * All blocks wait for the next diagonal tile. So that this tile is closed early, its block avoids waiting for
 * the tiles that row and column k publish, if it can (go_ahead), and other blocks on the same multiprocessor let
 * this block go first (see wave_kernel).
 *
 * No deadlock: all blocks are resident (cooperative launch). What a block in step k waits for is produced by
 * blocks in step k: by the diagonal one, which waits for none; by those of row and column k, which wait for
 * the diagonal one; or it is the next diagonal tile, closed, which needs no more than these. So among the
 * unfinished blocks, one that is least advanced can always continue.
 *
 * The result is the same as close_kernel's, bit by bit: the same sums in the same order. */
#ifndef DENSE_WAVE_CUH
#define DENSE_WAVE_CUH

#include <cuda_pipeline.h>

#include "dense/cuda/tiles.cuh"

/* The memory in which a launch publishes: for each of its parts, wave_places(tiles) tiles, and
 * wave_words(tiles) words, initially 0: a flag for each of these tiles, then the multiprocessor of each block on
 * the diagonal. */
static inline __host__ __device__ u32 wave_places(u32 tiles) { return 2 * tiles * (tiles + 1); }
static inline __host__ __device__ u32 wave_words(u32 tiles) { return wave_places(tiles) + tiles; }
template <class T> struct wave_room {
  u32 *flags;
  T *tiles;
};

/* One part's share of that memory. */
template <class T> struct wave_part {
  u32 *flags;
  T *tiles;
  u32 across;
  /* The place where tile i of column k (side 0) or of row k (side 1) is published in step k. */
  __device__ __forceinline__ u32 at(u32 side, u32 k, u32 i) const { return (side * across + k) * across + i; }
  /* The place of tile (k + 1, k) (side 0) or (k, k + 1) (side 1) as it is before step k. */
  __device__ __forceinline__ u32 before(u32 side, u32 k) const { return (2 * across + side) * across + k; }
  /* 1 + the number of the multiprocessor that runs block (k, k); 0: not known yet. */
  __device__ __forceinline__ u32 *unit(u32 k) const { return flags + wave_places(across) + k; }
  __device__ __forceinline__ T *tile(u32 place) const { return tiles + (u64)place * (INNER * INNER); }
};

static __device__ __forceinline__ void wave_raise(u32 *flag) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(flag), "r"(1) : "memory");
}
/* Polls with acquiring loads, although they invalidate the L1 cache: nothing here is read through it, and a
 * separate acquiring load after relaxed polling would cost another round trip to the L2 cache. */
static __device__ __forceinline__ void wave_wait(const u32 *flag) {
  u32 raised;
  do
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(raised) : "l"(flag) : "memory");
  while (!raised);
}

static __device__ __forceinline__ u32 multiprocessor() {
  u32 x;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(x));
  return x;
}

/* Store the block's tile as an operand: put_left column by column, put_right row by row; two successive columns
 * or rows are `pitch` elements apart. */
template <class T> static __device__ __forceinline__ void put_left(T *to, u32 pitch, const T (&c)[4][4]) {
#pragma unroll
  for (int s = 0; s < 4; s++) {
    vector_of<T> v;
#pragma unroll
    for (int r = 0; r < 4; r++) v.x[r] = c[r][s];
    v.store(to + (threadIdx.x % 16 * 4 + s) * pitch + threadIdx.x / 16 * 4);
  }
}
template <class T> static __device__ __forceinline__ void put_right(T *to, u32 pitch, const T (&c)[4][4]) {
#pragma unroll
  for (int r = 0; r < 4; r++) {
    vector_of<T> v;
#pragma unroll
    for (int s = 0; s < 4; s++) v.x[s] = c[r][s];
    v.store(to + (threadIdx.x / 16 * 4 + r) * pitch + threadIdx.x % 16 * 4);
  }
}
/* Starts the copy of a published tile to shared memory; 16-byte words bypass the L1 cache. */
template <class T>
static __device__ __forceinline__ void fetch_tile(T (&to)[INNER][TILE_PITCH], const T *from) {
  constexpr int WORD = sizeof(typename vector_of<T>::word), EACH = WORD / sizeof(T), ROW = INNER / EACH;
  constexpr int ROWS = TILE_THREADS / ROW; /* rows copied at a time; indices of this form use the fewest registers */
#pragma unroll
  for (int i = 0; i < INNER / ROWS; i++) {
    __pipeline_memcpy_async(&to[threadIdx.x / ROW + i * ROWS][threadIdx.x % ROW * EACH],
                            from + threadIdx.x * EACH + i * ROWS * INNER, WORD);
  }
}

/* Converts the tile to the stored form and back, as if it were written to the matrix and read again. */
template <class R> static __device__ __forceinline__ void settle(typename R::element (&c)[4][4], bool &bad) {
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int s = 0; s < 4; s++) c[r][s] = R::enter(R::leave(c[r][s], bad));
}

/* Closes the block's tile, a diagonal one; c is in the working form before and after. */
template <class P>
static __device__ __forceinline__ void close_own(pivot_room<P> &sh, u32 size, typename P::element (&c)[4][4],
                                                 bool &bad) {
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int s = 0; s < 4; s++) {
      const typename P::element x = P::leave(c[r][s], bad);
      bad |= P::wrong(x);
      if (is_careful<P>()) c[r][s] = x;
    }
  close_tile<P>(sh, size, c, bad);
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int s = 0; s < 4; s++) {
      if (is_careful<P>())
        bad |= P::wrong(c[r][s]), c[r][s] = P::enter(c[r][s]);
      else
        c[r][s] = P::enter(P::leave(c[r][s], bad));
    }
}

/* Are products of tiles associative, bit by bit, and is a closed tile its own square? Both are true if sums are
 * exact and no cycle improves a path. */
template <class R, class P> static constexpr bool is_exact() {
  return R::semiring == MAX_MIN || (R::whole && P::positive && R::semiring == MIN_PLUS);
}

/* Updates the next diagonal tile in step k without waiting for the tiles that row and column k publish; needs
 * is_exact(). Let C and B be tiles (k + 1, k) and (k, k + 1) before the step, and A the closed tile (k, k): the
 * product of the published tiles is (C + C A) (B + A B) = (C + C A) B. */
template <class R>
static __device__ __forceinline__ void go_ahead(const wave_part<typename R::element> &w,
                                                tile_room<typename R::element> &sh, u32 k,
                                                typename R::element (&c)[4][4], bool &bad) {
  typedef typename R::element T;
  typedef typename vector_of<T>::word word;
  constexpr int EACH = sizeof(word) / sizeof(T), ROW = INNER / EACH, MINE = INNER * ROW / TILE_THREADS;
  const u32 left = w.before(0, k), right = w.before(1, k), middle = w.at(1, k, k);
  T x[4][4];
  word b[MINE];
  if (threadIdx.x == 0) wave_wait(w.flags + left);
  if (threadIdx.x == 32) wave_wait(w.flags + right);
  __syncthreads();
  fetch_tile(sh.left, w.tile(left));
  __pipeline_commit();
#pragma unroll
  for (int i = 0; i < MINE; i++) b[i] = __ldcg((const word *)w.tile(right) + threadIdx.x + i * TILE_THREADS);
  __pipeline_wait_prior(0);
  if (threadIdx.x == 0) wave_wait(w.flags + middle);
  __syncthreads();
  fetch_tile(sh.right, w.tile(middle));
  __pipeline_commit();
#pragma unroll
  for (int s = 0; s < 4; s++) {
    vector_of<T> v;
    v.load(&sh.left[threadIdx.x % 16 * 4 + s][threadIdx.x / 16 * 4]);
#pragma unroll
    for (int r = 0; r < 4; r++) x[r][s] = v.x[r];
  }
  __pipeline_wait_prior(0);
  __syncthreads();
  merge_tile<R>(sh, x, bad);
  settle<R>(x, bad);
  __syncthreads();
  put_left(&sh.left[0][0], TILE_PITCH, x);
#pragma unroll
  for (int i = 0; i < MINE; i++) {
    const int at = threadIdx.x + i * TILE_THREADS;
    *(word *)&sh.right[at / ROW][at % ROW * EACH] = b[i];
  }
  __syncthreads();
  merge_tile<R>(sh, c, bad);
  settle<R>(c, bad);
}

/* Closes the parts of size x size elements on the diagonal of [lo, hi), one part per blockIdx.y; blockIdx.x is
 * the number of a tile of the part, diagonal tiles first. */
template <class R, class P>
static __global__ __launch_bounds__(TILE_THREADS, 2) void wave_kernel(part_of<typename R::element> p,
                                                                      u32 size,
                                                                      wave_room<typename R::element> room) {
  typedef typename R::element T;
  constexpr bool ahead = is_exact<R, P>();
  __shared__ tile_room<T> sh;
  __shared__ pivot_room<P> of_pivot;
  const u32 across = (size + INNER - 1) / INNER;
  const u32 I = blockIdx.x % across, J = (I + blockIdx.x / across) % across;
  const wave_part<T> w = {room.flags + blockIdx.y * wave_words(across),
                          room.tiles + (u64)(blockIdx.y * wave_places(across)) * (INNER * INNER), across};
  p.lo += blockIdx.y * size, p.hi = min(p.lo + size, p.hi);
  const u32 tiles = (p.hi - p.lo + INNER - 1) / INNER; /* the last part may have fewer tiles than the others */
  if (I >= tiles || J >= tiles) return;
  const u32 i0 = p.lo + I * INNER, i1 = min(i0 + INNER, p.hi), j0 = p.lo + J * INNER,
            j1 = min(j0 + INNER, p.hi);
  T c[4][4];
  bool bad = false;
  if (I == J && threadIdx.x == 0) store_relaxed(w.unit(I), multiprocessor() + 1);
  load_tile<R>(p, i0, i1, j0, j1, c, bad);
  for (u32 k = 0; k < tiles; k++) {
    const bool of_row = I == k, of_col = J == k;
    if (of_row && of_col) {
      close_own<P>(of_pivot, i1 - i0, c, bad);
    } else if (ahead && I == J && I == k + 1) {
      go_ahead<R>(w, sh, k, c, bad);
    } else {
      if (ahead && I + J == 2 * k + 1 && (of_row || of_col)) {
        const u32 at = w.before(of_row, k);
        if (of_row)
          put_right(w.tile(at), INNER, c);
        else
          put_left(w.tile(at), INNER, c);
        __syncthreads();
        if (threadIdx.x == 0) wave_raise(w.flags + at);
      }
      const u32 left = w.at(0, k, I), right = w.at(1, k, J);
      __syncthreads(); /* all threads have read the shared memory that is now overwritten */
      if (of_row) put_right(&sh.right[0][0], TILE_PITCH, c);
      if (of_col) put_left(&sh.left[0][0], TILE_PITCH, c);
      if (threadIdx.x == 0 && !of_col) wave_wait(w.flags + left);
      if (threadIdx.x == 32 && !of_row) wave_wait(w.flags + right);
      /* All blocks wait for the next diagonal tile. If its block shares a multiprocessor with this one, this one
       * waits until that tile is closed. That tile does not depend on a block that waits here: such blocks are
       * in rows and columns other than k and k + 1. */
      if (threadIdx.x == 64 && !of_row && !of_col && k + 1 < tiles && I != k + 1 && J != k + 1 &&
          load_relaxed(w.unit(k + 1)) == multiprocessor() + 1)
        wave_wait(w.flags + w.at(1, k + 1, k + 1));
      __syncthreads();
      if (!of_col) fetch_tile(sh.left, w.tile(left));
      if (!of_row) fetch_tile(sh.right, w.tile(right));
      __pipeline_commit();
      __pipeline_wait_prior(0);
      __syncthreads();
      merge_tile<R>(sh, c, bad);
      settle<R>(c, bad);
    }
    if (of_row || of_col) {
      if (of_col) put_left(w.tile(w.at(0, k, I)), INNER, c);
      if (of_row) put_right(w.tile(w.at(1, k, J)), INNER, c);
      __syncthreads();
      if (threadIdx.x == 0 && of_col) wave_raise(w.flags + w.at(0, k, I));
      if (threadIdx.x == 32 && of_row) wave_raise(w.flags + w.at(1, k, J));
    }
  }
  store_tile<R>(p, i0, i1, j0, j1, false, false, c, bad);
  if (bad) store_relaxed(p.overflow, 1u);
}

/* The number of blocks of a kernel that the whole device can hold at once; 0 if unknown. */
template <class K> static u32 resident_blocks(K kernel) {
  int device, units, resident = 0;
  if (!cudaGetDevice(&device) && !cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device) &&
      !cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, TILE_THREADS, 0))
    return (u32)(units * resident);
  cudaGetLastError(); /* clears the error: the caller then uses another kernel */
  return 0;
}

/* Launches a kernel cooperatively, so that all its blocks are resident at once; false if the device refuses. */
template <class K> static bool launch_at_once(K kernel, dim3 blocks, void **params, cudaStream_t stream) {
  if (!cudaLaunchCooperativeKernel((const void *)kernel, blocks, dim3(TILE_THREADS), params, 0, stream))
    return true;
  cudaGetLastError(); /* clears the error: the caller then uses another kernel */
  return false;
}

/* Launches wave_kernel for as many of the parts of size x size elements from p.lo on as fit on the device. *next:
 * the end of the last part launched; p.lo if none fits. */
template <class R, class P>
static ls_status close_by_wave(ls_launch *L, part_of<typename R::element> p, u32 size, cudaStream_t stream,
                               u32 *next) {
  typedef typename R::element T;
  *next = p.lo;
  if constexpr (sizeof(T) <= 4) {
    static const auto kernel = wave_kernel<R, P>;
    const u32 across = (size + INNER - 1) / INNER, most = resident_blocks(kernel);
    if ((u64)across * across > most) return LS_OK;
    const u32 blocks = across * across, left = (p.hi - p.lo + size - 1) / size,
              parts = left < most / blocks ? left : most / blocks;
    if (parts < left) p.hi = p.lo + parts * size;
    const u64 places = (u64)parts * wave_places(across),
              flags = ((u64)parts * wave_words(across) * sizeof(u32) + 255) / 256 * 256;
    void *scratch;
    const ls_status st = ls_cuda_scratch(L, flags + places * INNER * INNER * sizeof(T), &scratch);
    if (st) return st;
    wave_room<T> room = {(u32 *)scratch, (T *)((char *)scratch + flags)};
    CUDA_TRY(L, cudaMemsetAsync(scratch, 0, flags, stream));
    void *params[] = {&p, &size, &room};
    if (launch_at_once(kernel, dim3(blocks, parts), params, stream)) *next = p.hi;
  }
  return LS_OK;
}

/* Launches close_kernel, which works with any number of blocks, for the same parts. Returns the end of the last
 * part launched; p.lo if the device refuses. Used for parts of one tile, for which it is faster than wave_kernel,
 * and for parts with more tiles than the device can hold blocks of wave_kernel: 2048 x 2048 on an H100,
 * 1024 x 1024 on a device with half as many multiprocessors. */
template <class R, class P>
static u32 close_at_once(part_of<typename R::element> p, u32 size, cudaStream_t stream) {
  if constexpr (sizeof(typename R::element) <= 4) {
    static const auto kernel = close_kernel<R, P>;
    const u32 most = resident_blocks(kernel), tiles = (size + INNER - 1) / INNER,
              rest = (tiles - 1) * (tiles - 1);
    const u32 wanted = rest > 2 * tiles ? rest : 2 * tiles, blocks = wanted < most ? wanted : most;
    if (!most) return p.lo;
    const u32 left = (p.hi - p.lo + size - 1) / size, parts = left < most / blocks ? left : most / blocks;
    if (parts < left) p.hi = p.lo + parts * size;
    void *params[] = {&p, &size};
    if (launch_at_once(kernel, dim3(blocks, parts), params, stream)) return p.hi;
  }
  return p.lo;
}

/* Closes the part [lo, hi) of D in tiles of 64, with three launches per tile. */
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

/* Closes the parts of size x size elements on the diagonal of [lo, hi), independently of each other; several at
 * once if they fit. */
template <class R, class P>
static ls_status close_parts(ls_launch *L, part_of<typename R::element> p, u32 size, cudaStream_t stream) {
  if (size > p.hi - p.lo) size = p.hi - p.lo;
  while (p.lo < p.hi) {
    part_of<typename R::element> one = p;
    one.hi = p.hi - p.lo < size ? p.hi : p.lo + size;
    u32 next = p.lo;
    if (size > INNER) {
      const ls_status st = close_by_wave<R, P>(L, p, size, stream, &next);
      if (st) return st;
    }
    const bool single = size <= INNER && one.hi == p.hi; /* only one tile is left: close_part needs only one launch, too */
    if (next == p.lo && !single) next = close_at_once<R, P>(p, size, stream);
    if (next == p.lo) close_part<R, P>(one, stream), next = one.hi;
    p.lo = next;
  }
  return LS_OK;
}

#endif
