#include "library.cuh"

extern "C" ls_status copy_cuda(ls_launch *L) {
  LIBRARY_BEGIN(L);
  const size_t size = L->type == LS_U8 ? 1 : L->type == LS_U32 || L->type == LS_I32 || L->type == LS_F32 ? 4 : 8;
  if (L->bind.size[0])
    CUDA_TRY(L, cudaMemcpyAsync(L->bind.ptr[1], L->bind.ptr[0], L->bind.size[0] * size, cudaMemcpyDeviceToDevice, stream));
  return ls_cuda_library_end(L);
}
