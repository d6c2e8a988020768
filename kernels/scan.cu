#include "library.cuh"

template <class T> static ls_status scan(ls_launch *L, cudaStream_t stream) {
  CUB_TWICE(L, cub::DeviceScan::ExclusiveSum(scratch, bytes, (const T *)L->bind.ptr[0], (T *)L->bind.ptr[1],
                                             (i64)L->bind.size[0], stream));
  return ls_cuda_library_end(L);
}

extern "C" ls_status scan_cuda(ls_launch *L) {
  LIBRARY_BEGIN(L);
  switch (L->type) { /* signed sums wrap as unsigned ones do */
  case LS_U8: return scan<u8>(L, stream);
  case LS_I32:
  case LS_U32: return scan<u32>(L, stream);
  case LS_F32: return scan<f32>(L, stream);
  case LS_F64: return scan<f64>(L, stream);
  default: return scan<u64>(L, stream);
  }
}
