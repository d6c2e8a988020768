/* reduce on CUDA. */
CUDA_LIBRARY(reduce) {
  const i64 items = (i64)L->items;
  if (items == 0)
    CUDA_TRY(L, cudaMemsetAsync(a->y, 0, sizeof(W), stream));
  else if (a->op == 0)
    CUB_TWICE(L, cub::DeviceReduce::Sum(scratch, bytes, a->x, a->y, items, stream));
  else if (a->op == 1)
    CUB_TWICE(L, cub::DeviceReduce::Min(scratch, bytes, a->x, a->y, items, stream));
  else
    CUB_TWICE(L, cub::DeviceReduce::Max(scratch, bytes, a->x, a->y, items, stream));
  return LS_OK;
}
