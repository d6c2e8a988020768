/* Macros for the CUDA bodies of LIBRARY rows. */
#ifndef LIBRARY_CUH
#define LIBRARY_CUH

#include "language/kernel.h"
#include "run/devices/cuda.h"

#include <cub/cub.cuh>

#define CUDA_TRY(L, call)                                        \
  do {                                                           \
    int try_ = (int)(call);                                      \
    if (try_) return ls_cuda_check((L)->device, try_, (L)->prim->name); \
  } while (0)

/* Calls a CUB function twice: first for the size of the scratch memory, then for the work. `call` uses `scratch` and `bytes`. */
#define CUB_TWICE(L, call)                                       \
  do {                                                           \
    void *scratch = nullptr;                                     \
    size_t bytes = 0;                                            \
    CUDA_TRY(L, call);                                           \
    ls_status st_ = ls_cuda_scratch(L, bytes, &scratch);         \
    if (st_) return st_;                                         \
    CUDA_TRY(L, call);                                           \
  } while (0)

/* CUDA_LIBRARY(name) { ... return LS_OK; } sees a, L, `stream` (the device's stream) and, for each COUNT of the row, its
 * address on the device: count->found points to a 64-bit number, 0 when the body begins. Kernels on that stream add to it,
 * atomicAdd(count->found, 1ull), or write it. */
#define CUDA_LIBRARY(name)                                                                                        \
  static ls_status LS_JOIN(LS_JOIN(name, W), library)(ls_launch * L, const LS_JOIN(name##_args, W) * a,           \
                                                      [[maybe_unused]] const LS_JOIN(name##_sums, W) * count,      \
                                                      cudaStream_t stream)

/* Declares a struct with the device address of each COUNT of NAME. Place it after NAME's ARGS. */
#define CUDA_LIBRARY_COUNTS(name, ARGS_MACRO)             \
  typedef struct LS_JOIN(name##_sums, W) {                \
    ARGS_MACRO(LS_SUM, W)                                 \
  } LS_JOIN(name##_sums, W);
#define LS_SUM(role, type, name, ...) LS_BY_CLASS(LS_SUM, role)(name)
#define LS_SUM_READ(name)
#define LS_SUM_WRITE(name)
#define LS_SUM_VALUE(name)
#define LS_SUM_COUNT(name) unsigned long long *name;
#define LS_SET_SUM(role, type, name, ...) LS_BY_CLASS(LS_SET_SUM, role)(name)
#define LS_SET_SUM_READ(name)
#define LS_SET_SUM_WRITE(name)
#define LS_SET_SUM_VALUE(name)
#define LS_SET_SUM_COUNT(name) sums.name = counts++;

#define CUDA_LIBRARY_DRIVER(name, ARGS_MACRO)                                                                      \
  static_assert(sizeof(LS_JOIN(name##_counts, W)) / sizeof(u32) - 1 <= LS_MAX_COUNTS, #name ": too many COUNTs");  \
  extern "C" ls_status LS_JOIN(LS_JOIN(name, W), cuda)(struct ls_launch * L) {                                     \
    void *stream = nullptr;                                                                                        \
    unsigned long long *counts = nullptr;                                                                          \
    ls_status st = ls_cuda_library_begin(L, &stream, &counts);                                                     \
    if (st) return st;                                                                                             \
    BOUND_ARGS(name, ARGS_MACRO)                                                                                   \
    LS_JOIN(name##_sums, W) sums = {};                                                                             \
    ARGS_MACRO(LS_SET_SUM, W)                                                                                      \
    st = LS_JOIN(LS_JOIN(name, W), library)(L, &args, &sums, (cudaStream_t)stream);                                \
    return ls_cuda_library_end(L, st);                                                                             \
  }

#endif
