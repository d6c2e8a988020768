/* Computes the element range of a diagonal tile. Used by the kernels whose arguments are CLOSE_ARGS. */
#ifndef DENSE_CLOSE_H
#define DENSE_CLOSE_H

#include "core/error.h"
#include "core/types.h"

/* Sets [*k0, *k1) to the rows and columns of the k-th diagonal tile. LS_EARG if `tiles` is not the number that covers the
 * matrix. */
static inline ls_status close_range(const char *name, u32 n, u32 k, u32 tiles, u32 tile, u32 *k0, u32 *k1) {
  const u32 cover = (u32)(((u64)n + tile - 1) / tile);
  if (tiles != cover)
    return ls_fail(LS_EARG, "%s: tiles is %u, expected the tiles of %u that cover n = %u, %u", name, tiles, tile, n, cover);
  *k0 = k * tile;
  *k1 = n - *k0 < tile ? n : *k0 + tile;
  return LS_OK;
}

#endif
