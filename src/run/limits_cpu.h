/* Measuring a CPU device, for limits.c. */
#ifndef LS_RUN_LIMITS_CPU_H
#define LS_RUN_LIMITS_CPU_H

#include "run/limits.h"

/* All but the launches; on the calling thread, whose OpenMP team it uses. LS_EMEM, LS_EINTERRUPTED. */
ls_status ls_limits_cpu(const ls_device *d, ls_limits *out);
/* launch and launch_readback, which go by way of ls_work; for the main thread. */
void ls_limits_cpu_launch(const ls_device *d, ls_limits *out);

#endif
