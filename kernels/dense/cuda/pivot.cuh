/* Floyd-Warshall on a tile of 64 x 64 in the registers of one block of threads, 4 x 4 elements per thread. */
#ifndef DENSE_PIVOT_CUH
#define DENSE_PIVOT_CUH

#include "dense/cuda/ring.cuh"
#include "dense/dense.h"

/* c + a * b over the semiring with an overflow check, in the stored form: for tiles whose elements may be
 * negative, where a chain of 64 sums may leave the bounds of the working form. */
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

/* Is a tile closed in the stored form, by checked sums? */
template <class R> static constexpr bool is_careful() {
  return R::whole && R::sums && !(R::positive && R::semiring == MIN_PLUS);
}

/* The number of steps of Floyd-Warshall between two barriers. A barrier takes about as long as a step, so two
 * steps per barrier are faster, though parts of a step are then computed twice. Checked steps take longer, so
 * with them one step per barrier is faster. */
template <class R> static constexpr int pivot_steps() { return is_careful<R>() ? 1 : 2; }

/* Shared memory: the rows and columns of the current steps, as they were before these steps; and those of the
 * next steps, which are stored meanwhile (double buffering). */
template <class R> struct pivot_room {
  __align__(16) typename R::element row[2][pivot_steps<R>()][INNER], col[2][pivot_steps<R>()][INNER];
};

/* Closes the tile c, of which the first `size` rows and columns are inside the matrix. Before and after, c is
 * in the stored form if is_careful<R>(), otherwise in the working form.
 *
 * The rows and columns of all steps up to the next barrier are put into shared memory together. Each thread
 * therefore repeats the effect of the earlier steps on its part of the later rows and columns: the same sums as
 * in the tile, in the same order. */
template <class R>
static __device__ __forceinline__ void close_tile(pivot_room<R> &sh, u32 size, typename R::element (&c)[4][4],
                                                  bool &bad) {
  typedef typename R::element T;
  constexpr bool careful = is_careful<R>();
  constexpr int STEPS = pivot_steps<R>(), ROUNDS = 4 / STEPS;
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const auto sum = [&](T x, T a, T b) {
    if constexpr (careful)
      return checked<R>(x, a, b, bad);
    else
      return R::merge(x, a, b, bad);
  };
  /* Stores STEPS rows and STEPS columns into buffer `to`. A thread has four rows and four columns: the threads
   * with ty = owner store their rows first .. first + STEPS - 1, those with tx = owner their columns
   * first .. first + STEPS - 1. */
  const auto share = [&](int to, int owner, int first) {
#pragma unroll
    for (int t = 0; t < STEPS; t++) {
      vector_of<T> v;
      if (ty == owner) {
#pragma unroll
        for (int s = 0; s < 4; s++) v.x[s] = c[first + t][s];
        v.store(&sh.row[to][t][tx * 4]);
      }
      if (tx == owner) {
#pragma unroll
        for (int r = 0; r < 4; r++) v.x[r] = c[r][first + t];
        v.store(&sh.col[to][t][ty * 4]);
      }
    }
  };
  share(0, 0, 0);
  for (int of = 0; of < INNER / 4; of++) {
    if (of * 4 >= (int)size) break;
#pragma unroll
    for (int q = 0; q < ROUNDS; q++) {
      const int k = of * 4 + q * STEPS, from = (of * ROUNDS + q) & 1;
      vector_of<T> a[STEPS], b[STEPS];
      T d[STEPS][STEPS]; /* the elements where these rows and columns cross */
      __syncthreads();
#pragma unroll
      for (int t = 0; t < STEPS; t++) {
        a[t].load(&sh.col[from][t][ty * 4]);
        b[t].load(&sh.row[from][t][tx * 4]);
#pragma unroll
        for (int u = 0; u < STEPS; u++) d[t][u] = sh.row[from][t][k + u];
      }
#pragma unroll
      for (int t = 0; t < STEPS; t++) {
        if constexpr (!R::positive) { /* a step must not change its own row and column, even on negative cycles */
#pragma unroll
          for (int r = 0; r < 4; r++) {
            if (ty * 4 + r == k + t) a[t].x[r] = R::stored_zero();
            if (tx * 4 + r == k + t) b[t].x[r] = R::stored_zero();
          }
        }
#pragma unroll
        for (int u = t + 1; u < STEPS; u++)
#pragma unroll
          for (int r = 0; r < 4; r++) {
            a[u].x[r] = sum(a[u].x[r], a[t].x[r], d[t][u]);
            b[u].x[r] = sum(b[u].x[r], d[u][t], b[t].x[r]);
          }
      }
#pragma unroll
      for (int r = 0; r < 4; r++)
#pragma unroll
        for (int s = 0; s < 4; s++) {
          if constexpr (STEPS == 2)
            c[r][s] = R::merge_two(c[r][s], a[0].x[r], b[0].x[s], a[1].x[r], b[1].x[s], bad);
          else
            c[r][s] = sum(c[r][s], a[0].x[r], b[0].x[s]);
        }
      share(from ^ 1, q == ROUNDS - 1 ? of + 1 : of, (q + 1) % ROUNDS * STEPS);
    }
  }
}

#endif
