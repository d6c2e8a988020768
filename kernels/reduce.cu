#include "library.cuh"

template <class T> static ls_status reduce(ls_launch *L, cudaStream_t stream) {
  const T *x = (const T *)L->bind.ptr[0];
  T *y = (T *)L->bind.ptr[1];
  const i64 k = (i64)L->bind.size[0];
  const u32 op = L->bind.value[2].u;
  if (k == 0)
    CUDA_TRY(L, cudaMemsetAsync(y, 0, sizeof(T), stream));
  else if (op == 0)
    CUB_TWICE(L, cub::DeviceReduce::Sum(scratch, bytes, x, y, k, stream));
  else if (op == 1)
    CUB_TWICE(L, cub::DeviceReduce::Min(scratch, bytes, x, y, k, stream));
  else
    CUB_TWICE(L, cub::DeviceReduce::Max(scratch, bytes, x, y, k, stream));
  return ls_cuda_library_end(L);
}

extern "C" ls_status reduce_cuda(ls_launch *L) {
  if (L->bind.value[2].u > 2)
    return ls_fail(LS_EARG, "reduce: op %u is none of 0 (sum), 1 (minimum), 2 (maximum)", L->bind.value[2].u);
  LIBRARY_BEGIN(L);
#define REDUCE(type) return reduce<type>(L, stream)
  FOR_TYPE(L, REDUCE)
  return LS_OK;
}
