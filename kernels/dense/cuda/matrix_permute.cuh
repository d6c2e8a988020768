/* matrix_permute on CUDA: one block per row, so that the scattered reads of a row hit the L1 cache. */
static __global__ void LS_JOIN(permute_kernel, W)(const W *x, const u32 *place, W *y, u64 n) {
  for (u64 i = blockIdx.x; i < n; i += gridDim.x) {
    const W *row = x + place[i] * n;
    for (u64 j = threadIdx.x; j < n; j += blockDim.x) y[i * n + j] = row[place[j]];
  }
}

CUDA_LIBRARY(matrix_permute) {
  if (a->n) LS_JOIN(permute_kernel, W)<<<a->n < 65536 ? a->n : 65536, 256, 0, stream>>>(a->x, a->place, a->y, a->n);
  return LS_OK;
}
