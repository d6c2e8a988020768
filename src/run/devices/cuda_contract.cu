/* Checks contracts on the device that holds a buffer. */
#include "run/devices/cuda_scalars.h"

#include <cuda_runtime.h>

#include "language/kernel.h" /* the predicates are written in the language of kernels */
#include "families.h"

extern "C" {
#include "run/devices/cuda.h"
}

enum { WIDE = 2 }; /* u64 elements per 16-byte item */

#define LOOK(name, bits, step, right)                                                                                    \
  static __global__ void name##_##bits(const void *all, u64 first, u64 last, u64 bound, unsigned long long *wrong) { \
    const u##bits *p = (const u##bits *)all;                                                                       \
    for (u64 i = first + step * ((u64)blockIdx.x * blockDim.x + threadIdx.x); i < last;                            \
         i += step * ((u64)gridDim.x * blockDim.x)) {                                                              \
      const u64 x = p[i], before = i > first ? p[i - 1] : 0;                                                       \
      (void)before, (void)bound, (void)x;                                                                          \
      if (right) continue;                                                                                         \
      atomicMin(wrong, (unsigned long long)i);                                                                     \
      return;                                                                                                      \
    }                                                                                                              \
  }
#define CONTRACT(name, queue, right, text) LOOK(name, 32, (queue ? queue : 1), right) LOOK(name, 64, (queue ? queue : 1), right)
#include "language/contracts.def"
#undef CONTRACT
#define CONTRACT(name, queue, right, text) LOOK(name, 32, (queue ? queue : 1), right) LOOK(name, 64, (queue ? queue : 1), right)
#include "families.def"

typedef void (*look)(const void *, u64, u64, u64, unsigned long long *);

static look look_for(ls_contract kind, bool wide) {
  switch (kind) {
#define CONTRACT(name, queue, right, text) case LS_CONTRACT_##name: return wide ? name##_64 : name##_32;
#include "language/contracts.def"
#undef CONTRACT
#define CONTRACT(name, queue, right, text) case LS_CONTRACT_##name: return wide ? name##_64 : name##_32;
#include "families.def"
  default: return nullptr;
  }
}

extern "C" ls_status ls_cuda_contract(int device, ls_contract kind, bool wide, const void *p, u64 first, u64 last,
                                      u64 bound, u64 *at) {
  void *stream;
  unsigned long long *wrong;
  const look f = look_for(kind, wide);
  *at = last;
  if (!f || first >= last) return LS_OK;
  ls_status st = ls_cuda_ask(device, last, &stream, &wrong);
  if (st) return st;
  const u64 blocks = (last - first) / 512 + 1;
  f<<<(u32)(blocks < 1056 ? blocks : 1056), 512, 0, (cudaStream_t)stream>>>(p, first, last, bound, wrong);
  st = ls_cuda_check(device, cudaGetLastError(), "a contract");
  return st ? st : ls_cuda_answer(device, at);
}
