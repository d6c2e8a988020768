#include "library.cuh"

template <class T> static __global__ void fill_kernel(T *x, u64 k, T value) {
  for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < k; i += (u64)gridDim.x * blockDim.x) x[i] = value;
}

template <class T> static ls_status fill(ls_launch *L, cudaStream_t stream) {
  const u64 k = L->bind.size[0], blocks = (k + 255) / 256;
  if (k) fill_kernel<T><<<(u32)(blocks < 4096 ? blocks : 4096), 256, 0, stream>>>((T *)L->bind.ptr[0], k, VALUE_OF(T, L->bind.value[1]));
  return ls_cuda_library_end(L);
}

extern "C" ls_status fill_cuda(ls_launch *L) {
  LIBRARY_BEGIN(L);
#define FILL(type) return fill<type>(L, stream)
  FOR_TYPE(L, FILL)
  return LS_OK;
}
