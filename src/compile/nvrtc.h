/* NVIDIA's compiler for the device, NVRTC, opened when it is first wanted; and what it made, launched by the
 * driver's own functions. The program is linked with neither. */
#ifndef LS_COMPILE_NVRTC_H
#define LS_COMPILE_NVRTC_H

#include "compile/unit.h"
#include "language/watch.h"
#include "run/launch.h"

typedef struct ls_cuda_unit ls_cuda_unit;

/* Compiles a unit for a device, or takes it from the cache, and loads it there. LS_EARG: what is wrong with
 * the text; LS_EDEVICE: there is no NVRTC, or the device refused it. */
ls_status ls_cuda_unit_load(const ls_kernel_text *t, ls_dtype type, ls_row_form form, const ls_device *d,
                            ls_cuda_unit **out);
void ls_cuda_unit_free(ls_cuda_unit *u);
/* Launches the row of the unit that L asks for. */
ls_status ls_cuda_unit_launch(ls_cuda_unit *u, ls_launch *L);
/* What is noted on the device; clear: and it is as before a launch again. The launch is over. */
ls_status ls_cuda_unit_watch(ls_cuda_unit *u, ls_watch *out, bool clear);

#endif
