#include "library.cuh"

template <class T> static ls_status sort_keys(ls_launch *L, cudaStream_t stream) {
  CUB_TWICE(L, cub::DeviceRadixSort::SortKeys(scratch, bytes, (const T *)L->bind.ptr[0], (T *)L->bind.ptr[1],
                                              (i64)L->bind.size[0], 0, (int)sizeof(T) * 8, stream));
  return ls_cuda_library_end(L);
}

extern "C" ls_status radix_sort_cuda(ls_launch *L) {
  LIBRARY_BEGIN(L);
#define SORT(type) return sort_keys<type>(L, stream)
  FOR_TYPE(L, SORT)
  return LS_OK;
}
