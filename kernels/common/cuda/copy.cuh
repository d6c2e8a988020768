/* copy on CUDA. */
CUDA_LIBRARY(copy) {
  if (L->items) CUDA_TRY(L, cudaMemcpyAsync(a->y, a->x, L->items * sizeof(W), cudaMemcpyDeviceToDevice, stream));
  return LS_OK;
}
