/* matrix_merge on CUDA. */
static __global__ void LS_JOIN(merge_kernel, W)(const W *x, W *y, u64 items, u32 semiring, W one, u32 *overflow) {
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < items; i += (u64)gridDim.x * blockDim.x)
    y[i] = PLAIN_MERGE(semiring, y[i], x[i], one, overflow);
}

CUDA_LIBRARY(matrix_merge) {
  const u64 blocks = (L->items + 255) / 256;
  const W one = a->semiring == PLUS_TIMES ? 1 : a->semiring == MAX_MIN ? PLAIN_GREATEST : 0;
  if (blocks)
    LS_JOIN(merge_kernel, W)<<<(u32)(blocks < 8192 ? blocks : 8192), 256, 0, stream>>>(a->x, a->y, L->items, a->semiring, one,
                                                                                     a->overflow);
  return LS_OK;
}
