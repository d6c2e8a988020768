/* radix_sort on CUDA. */
CUDA_LIBRARY(radix_sort) {
  CUB_TWICE(L, cub::DeviceRadixSort::SortKeys(scratch, bytes, a->x, a->y, (i64)L->items, 0, (int)sizeof(W) * 8, stream));
  return LS_OK;
}
