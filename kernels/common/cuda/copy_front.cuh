/* copy_front on CUDA. */
CUDA_LIBRARY(copy_front) {
  if (L->items > L->bind.size[1])
    return ls_fail(LS_EARG, "copy_front: y has room for %llu elements, not for %llu", (unsigned long long)L->bind.size[1],
                   (unsigned long long)L->items);
  if (L->items) CUDA_TRY(L, cudaMemcpyAsync(a->y, a->x, L->items * sizeof(W), cudaMemcpyDeviceToDevice, stream));
  return LS_OK;
}
