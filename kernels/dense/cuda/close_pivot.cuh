/* close_pivot on CUDA: one block closes a tile of 64 x 64, a larger tile takes three launches for each 64 of its rows. */
#include "dense/close.h"
#include "dense/cuda/tiles.cuh"

void close_tiles(u32 semiring, bool positive, part_of<W> p, cudaStream_t stream) {
  closing_with<W>(semiring, positive, [&](auto r) {
    close_part<typename decltype(r)::many, typename decltype(r)::closed>(p, stream);
    return LS_OK;
  });
}

void close_diagonal_tiles(u32 semiring, bool positive, part_of<W> p, u32 size, cudaStream_t stream) {
  closing_with<W>(semiring, positive, [&](auto r) {
    close_parts<typename decltype(r)::many, typename decltype(r)::closed>(p, size, stream);
    return LS_OK;
  });
}

void cross_tiles(u32 semiring, bool positive, part_of<W> p, cudaStream_t stream) {
  closing_with<W>(semiring, positive, [&](auto r) {
    cross_kernel<typename decltype(r)::many><<<dim3((p.hi - p.lo + INNER - 1) / INNER, 2), TILE_THREADS, 0, stream>>>(p);
    return LS_OK;
  });
}

void rest_tiles(u32 semiring, bool positive, part_of<W> p, cudaStream_t stream) {
  const u32 tiles = (p.hi - p.lo + INNER - 1) / INNER;
  closing_with<W>(semiring, positive, [&](auto r) {
    rest_kernel<typename decltype(r)::many><<<dim3(tiles, tiles), TILE_THREADS, 0, stream>>>(p);
    return LS_OK;
  });
}

CUDA_LIBRARY(close_pivot) {
  part_of<W> p = {a->D, a->n, 0, 0, 0, 0, a->overflow};
  const ls_status st = close_range("close_pivot", a->n, a->k, a->tiles, a->tile, &p.lo, &p.hi);
  if (!st) close_tiles(a->semiring, a->positive, p, stream);
  return st;
}
