/* fill on CUDA. */
static __global__ void LS_JOIN(fill_kernel, W)(W *x, u64 items, W value) {
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < items; i += (u64)gridDim.x * blockDim.x) x[i] = value;
}

CUDA_LIBRARY(fill) {
  const u64 blocks = (L->items + 255) / 256;
  if (blocks) LS_JOIN(fill_kernel, W)<<<(u32)(blocks < 4096 ? blocks : 4096), 256, 0, stream>>>(a->x, L->items, a->value);
  return LS_OK;
}
