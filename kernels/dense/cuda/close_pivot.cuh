/* close_pivot on CUDA: one block closes a tile of 64 x 64; a larger tile gets one block per 64 x 64 elements (wave.cuh). */
#include "dense/close.h"
#include "dense/cuda/wave.cuh"

ls_status close_tiles(ls_launch *L, u32 semiring, bool positive, part_of<W> p, u32 size, cudaStream_t stream) {
  return closing_with<W>(semiring, positive, [&](auto r) {
    return close_parts<typename decltype(r)::many, typename decltype(r)::closed>(L, p, size, stream);
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
  return st ? st : close_tiles(L, a->semiring, a->positive, p, a->tile, stream);
}
