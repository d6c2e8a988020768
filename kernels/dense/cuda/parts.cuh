/* Declares what several rows on CUDA share: products of parts of a matrix, and the phases on tiles of 64 x 64. These take long to
 * compile, so they are compiled only once: the products in multiply.cuh, the phases in close_pivot.cuh. */
#ifndef DENSE_PARTS_CUH
#define DENSE_PARTS_CUH

#include "dense/dense.h"
#include "driver/library.cuh"

constexpr u32 PANEL_MOST = 1024; /* maximum depth of a product */

/* Rows [row, row_end) and columns [col, col_end) of C are not changed. */
struct left_out {
  u32 row, row_end, col, col_end;
};

/* The range of depth that an element of C needs, if operands are triangular: in row i from depth `from` + i on, in column j only
 * below depth `past` + j. Outside this range the triangles contain no paths. */
struct needed {
  i64 from, past;
};
constexpr needed ALL_DEPTH = {-((i64)1 << 40), (i64)1 << 40};

/* A matrix that may be a part of another: `ld` elements from one row to the next. */
template <class T> struct matrix_at {
  T *at;
  u64 ld;
};

/* A square part [lo, hi) x [lo, hi) of D, and its pivot [k0, k1). */
template <class T> struct part_of {
  T *D;
  u64 ld;
  u32 lo, hi, k0, k1;
  u32 *overflow;
};

/* multiply_parts: C = C + A * B over a semiring, where A is rows x depth and B depth x cols; depth <= PANEL_MOST. A and B may be
 * parts of C: they are copied before C is written. of: depths outside this range may be skipped. close_tiles: closes the
 * parts of size x size elements on the diagonal. cross_tiles, rest_tiles: phases 2 and 3 on tiles of 64 x 64. */
#define DENSE_PARTS(T)                                                                                                       \
  ls_status multiply_parts(ls_launch *L, u32 semiring, bool positive, matrix_at<T> C, matrix_at<const T> A,                  \
                           matrix_at<const T> B, u32 rows, u32 cols, u32 depth, left_out no, needed of, u32 *overflow,       \
                           cudaStream_t s);                                                                                  \
  ls_status close_tiles(ls_launch *L, u32 semiring, bool positive, part_of<T> p, u32 size, cudaStream_t s);                  \
  void cross_tiles(u32 semiring, bool positive, part_of<T> p, cudaStream_t s);                                               \
  void rest_tiles(u32 semiring, bool positive, part_of<T> p, cudaStream_t s);
DENSE_PARTS(i16)
DENSE_PARTS(i32)
DENSE_PARTS(i64)
DENSE_PARTS(f32)
DENSE_PARTS(f64)

/* multiply_parts for any depth, in slices of PANEL_MOST, with nothing left out. of: relative to the whole depth. */
template <class T>
static ls_status multiply_slices(ls_launch *L, u32 semiring, bool positive, matrix_at<T> C, matrix_at<const T> A, matrix_at<const T> B,
                                 u32 rows, u32 cols, u32 depth, needed of, u32 *overflow, cudaStream_t s) {
  ls_status st = LS_OK;
  for (u32 k = 0; !st && k < depth; k += PANEL_MOST)
    st = multiply_parts(L, semiring, positive, C, matrix_at<const T>{A.at + k, A.ld}, matrix_at<const T>{B.at + (u64)k * B.ld, B.ld}, rows,
                        cols, depth - k < PANEL_MOST ? depth - k : PANEL_MOST, left_out{0, 0, 0, 0}, needed{of.from - k, of.past - k},
                        overflow, s);
  return st;
}

#endif
