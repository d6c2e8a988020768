/* What the CUDA side of LIBRARY rows shares. */
#ifndef LIBRARY_CUH
#define LIBRARY_CUH

#include "run/cuda.h"
#include "library.h"

#include <cub/cub.cuh>

#define CUDA_TRY(L, call)                                        \
  do {                                                           \
    int try_ = (int)(call);                                      \
    if (try_) return ls_cuda_check((L)->device, try_, (L)->prim->name); \
  } while (0)

/* A CUB call is made twice: for the scratch it wants, and for real. `call` sees `scratch` and `bytes`. */
#define CUB_TWICE(L, call)                                       \
  do {                                                           \
    void *scratch = nullptr;                                     \
    size_t bytes = 0;                                            \
    CUDA_TRY(L, call);                                           \
    ls_status st_ = ls_cuda_scratch(L, bytes, &scratch);         \
    if (st_) return st_;                                         \
    CUDA_TRY(L, call);                                           \
  } while (0)

/* Opens a LIBRARY function: `stream` is the device's. */
#define LIBRARY_BEGIN(L)                                         \
  void *stream_ = nullptr;                                       \
  ls_status begun_ = ls_cuda_library_begin(L, &stream_);         \
  if (begun_) return begun_;                                     \
  cudaStream_t stream = (cudaStream_t)stream_

#endif
