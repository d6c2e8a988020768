/* copy_part on CUDA. */
#include "common/part_of_buffer.h"

CUDA_LIBRARY(copy_part) {
  const ls_status st = copy_part_fits(L, a->from, a->to);
  if (!st && L->items)
    CUDA_TRY(L, cudaMemcpyAsync(a->y + a->to, a->x + a->from, L->items * sizeof(W), cudaMemcpyDeviceToDevice, stream));
  return st;
}
