/* Measures a CPU device, for limits.c. */
#ifndef LS_RUN_LIMITS_CPU_H
#define LS_RUN_LIMITS_CPU_H

#include "run/devices/limits.h"

/* Measures all limits except those of launches, on the calling thread and its OpenMP threads. LS_EMEM,
 * LS_EINTERRUPTED. */
ls_status ls_limits_cpu(const ls_device *d, ls_limits *out);
/* Measures out->launch and out->launch_readback, by ls_work; call it on the main thread. */
void ls_limits_cpu_launch(const ls_device *d, ls_limits *out);

#endif
