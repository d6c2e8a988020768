/* Short questions to a CUDA device whose answer is one number. C on the outside. */
#ifndef LS_RUN_CUDA_ASK_H
#define LS_RUN_CUDA_ASK_H

#ifdef __cplusplus
extern "C" {
#endif

#include "core/error.h"
#include "data/contract.h"

/* The device's stream, and a cell there that holds `start`; kernels change it; ls_cuda_answer waits for them.
 */
ls_status ls_cuda_ask(int device, u64 start, void **stream, unsigned long long **cell);
ls_status ls_cuda_answer(int device, u64 *out);

/* The first of the elements p[first] ... p[last - 1] on the device that the contract does not allow; last:
 * all are right. wide: they are u64, else u32. */
ls_status ls_cuda_contract(int device, ls_contract kind, bool wide, const void *p, u64 first, u64 last,
                           u64 bound, u64 *at);

#ifdef __cplusplus
}
#endif

#endif
