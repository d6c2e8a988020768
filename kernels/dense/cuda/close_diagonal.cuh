/* close_diagonal on CUDA. */
#include "dense/cuda/parts.cuh"

CUDA_LIBRARY(close_diagonal) {
  const part_of<W> all = {a->D, a->n, 0, a->n, 0, 0, a->overflow};
  return close_tiles(L, a->semiring, a->positive, all, a->tile, stream);
}
