/* close_diagonal on CUDA. */
#include "dense/cuda/parts.cuh"

CUDA_LIBRARY(close_diagonal) {
  const part_of<W> all = {a->D, a->n, 0, a->n, 0, 0, a->overflow};
  close_diagonal_tiles(a->semiring, a->positive, all, a->tile, stream);
  return LS_OK;
}
