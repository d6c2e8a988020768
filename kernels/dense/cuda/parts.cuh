/* What rows on CUDA share: products of parts of a matrix, made by multiply's file, and the phases on tiles of 64 x 64, made
 * by close_pivot's. They are compiled there once, for they are long. */
#ifndef DENSE_PARTS_CUH
#define DENSE_PARTS_CUH

#include "dense/dense.h"
#include "driver/library.cuh"

constexpr u32 PANEL_MOST = 1024; /* depth of a product */

/* Rows and columns of C, from .. to - 1, that are left as they are. */
struct left_out {
  u32 row, row_end, col, col_end;
};

/* What of a product's depth an element of C needs: that of row i from `from` + i on, that of column j before `past` + j. Elsewhere
 * triangles have no paths. */
struct needed {
  i64 from, past;
};
constexpr needed ALL_DEPTH = {-((i64)1 << 40), (i64)1 << 40};

/* A matrix somewhere in another, whose rows are ld apart. */
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

/* C = C + A * B over a semiring, where A is rows x depth and B depth x cols; depth <= PANEL_MOST. A and B may be parts of C:
 * they are copied before C is written. of: elements may be given more than they need. */
#define DENSE_PARTS(T)                                                                                                       \
  ls_status multiply_parts(ls_launch *L, u32 semiring, bool positive, matrix_at<T> C, matrix_at<const T> A,                  \
                           matrix_at<const T> B, u32 rows, u32 cols, u32 depth, left_out no, needed of, u32 *overflow,       \
                           cudaStream_t s);                                                                                  \
  ls_status close_tiles(ls_launch *L, u32 semiring, bool positive, part_of<T> p, u32 size, cudaStream_t s); /* of `size` */  \
  void cross_tiles(u32 semiring, bool positive, part_of<T> p, cudaStream_t s); /* the pivot's rows and columns */            \
  void rest_tiles(u32 semiring, bool positive, part_of<T> p, cudaStream_t s);
DENSE_PARTS(i16)
DENSE_PARTS(i32)
DENSE_PARTS(i64)
DENSE_PARTS(f32)
DENSE_PARTS(f64)

/* multiply_parts of any depth, in slices as deep as a product may be, with nothing left out. of: of the whole depth. */
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
