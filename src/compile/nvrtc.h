/* Compiles units with NVRTC, NVIDIA's run-time compiler, and launches them through the CUDA driver's API.
 * Both libraries are opened when they are first needed; the program is not linked with them. */
#ifndef LS_COMPILE_NVRTC_H
#define LS_COMPILE_NVRTC_H

#include "compile/unit.h"
#include "language/watch.h"
#include "run/launch/launch.h"

typedef struct ls_cuda_unit ls_cuda_unit;

/* Compiles all units of the text for a device, at the same time, or takes them from the cache, and loads them
 * there. out[i]: the unit of part i. LS_EARG: the text is wrong, and the message says how; LS_EDEVICE: there
 * is no NVRTC, or the device refused it. */
ls_status ls_cuda_units_load(const ls_kernel_text *t, ls_dtype type, ls_row_form form, const ls_device *d,
                             ls_cuda_unit **out);
void ls_cuda_unit_free(ls_cuda_unit *u);
/* Launches L's row, which must be a row of the unit. */
ls_status ls_cuda_unit_launch(ls_cuda_unit *u, ls_launch *L);
/* Reads what the last launch noted on the device; clear: also resets it for the next launch. The launch must
 * have ended. */
ls_status ls_cuda_unit_watch(ls_cuda_unit *u, ls_watch *out, bool clear);

#endif
