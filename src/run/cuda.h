/* What the CUDA files of this folder give to the C files. Only where LOCKSTEP_WITH_CUDA is defined. */
#ifndef LS_RUN_CUDA_H
#define LS_RUN_CUDA_H

#ifdef __cplusplus
extern "C" {
#endif

#include "run/device.h"

/* Fills out with the CUDA devices of this machine, at most max, and registers how buffers get memory there.
 * Returns how many there are: 0 where there is no driver or no device. (cuda.cu) */
int ls_cuda_devices(ls_device *out, int max);

/* Bytes that are free on device `index`. (cuda.cu) */
ls_status ls_cuda_memory_free(int index, u64 *bytes);

#ifdef __cplusplus
}
#endif

#endif
