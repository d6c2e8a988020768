/* What the CUDA side of LIBRARY rows shares. */
#ifndef LIBRARY_CUH
#define LIBRARY_CUH

#include "language/kernel.h"
#include "run/cuda.h"

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

/* CUDA_LIBRARY(name) { ... return LS_OK; } sees a, L, and `stream`, which is the device's. */
#define CUDA_LIBRARY(name) \
  static ls_status LS_JOIN(LS_JOIN(name, W), library)(ls_launch * L, const LS_JOIN(name##_args, W) * a, cudaStream_t stream)

/* Nothing would bring what it counts to the host: such a row writes it into a buffer, or is a CPU_LIBRARY. */
#define CUDA_LIBRARY_DRIVER(name, ARGS_MACRO)                                                                      \
  static_assert(sizeof(LS_JOIN(name##_counts, W)) == sizeof(u32), #name ": a LIBRARY row has no COUNT on CUDA");   \
  extern "C" ls_status LS_JOIN(LS_JOIN(name, W), cuda)(struct ls_launch * L) {                                     \
    void *stream = nullptr;                                                                                        \
    ls_status st = ls_cuda_library_begin(L, &stream);                                                              \
    if (st) return st;                                                                                             \
    BOUND_ARGS(name, ARGS_MACRO)                                                                                   \
    st = LS_JOIN(LS_JOIN(name, W), library)(L, &args, (cudaStream_t)stream);                                       \
    return st ? st : ls_cuda_library_end(L);                                                                       \
  }

#endif
