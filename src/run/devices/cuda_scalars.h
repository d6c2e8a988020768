/* Short computations on a CUDA device whose result is one number. Callable from C. */
#ifndef LS_RUN_CUDA_SCALARS_H
#define LS_RUN_CUDA_SCALARS_H

#ifdef __cplusplus
extern "C" {
#endif

#include "core/error.h"
#include "data/contract.h"

/* ls_cuda_ask: the device's stream, and a cell on the device that is set to `start` and that kernels then
 * change. ls_cuda_answer waits for these kernels and returns the cell's value. */
ls_status ls_cuda_ask(int device, u64 start, void **stream, unsigned long long **cell);
ls_status ls_cuda_answer(int device, u64 *out);

/* Sets *at to the index of the first of p[first] ... p[last - 1] (on the device) that violates the contract;
 * last if none does. wide: the elements are u64, else u32. */
ls_status ls_cuda_contract(int device, ls_contract kind, bool wide, const void *p, u64 first, u64 last,
                           u64 bound, u64 *at);

#ifdef __cplusplus
}
#endif

#endif
